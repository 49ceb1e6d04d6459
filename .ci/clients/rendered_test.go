package clients

import (
	"os/exec"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// A server that renders pages takes the token from a cookie, by the line of the page.
func TestRenderedOnAServer(t *testing.T) {
	t.Parallel()
	fake := process.Start(t)
	script := `
async function render(request) {
  ` + pages.Example(t, "ts server") + `
  const headers = { Authorization: "Bearer " + token };
  const answer = await fetch("` + fake.BaseURL + `/user/campaigns", { headers });
  return [answer.status, (await answer.json()).campaigns?.length].join(" ");
}
for (const Cookie of [undefined, "a=b; token=empty", "my_token=empty", "token=server-error; a=b"]) {
  const headers = Cookie ? { Cookie } : {};
  console.log(await render({ headers: new Headers(headers) }));
}
`
	node := exec.Command("node", "--input-type=module")
	node.Stdin = strings.NewReader(script)
	out, err := node.CombinedOutput()
	want := "200 8\n200 0\n200 8\n500 \n"
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}
