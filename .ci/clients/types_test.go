package clients

import (
	"encoding/json"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// What the pages show compiles beside the types of the fixture, and a mistake does not.
func TestPlaywrightCompiles(t *testing.T) {
	t.Parallel()
	folder := appWith(t, &process.Server{Address: "127.0.0.1:8642"}, map[string]string{
		"login.spec.ts": loginSpec(t),
		"mistakes.spec.ts": `import { test } from "campaignfake/playwright";
test("mistakes", async ({ campaigns }) => {
  // @ts-expect-error: the key is status
  await campaigns.like("flaky").reply({ statu: 503 });
  const [request] = await campaigns.requests();
  const agent: string[] = request.header["User-Agent"];
  console.log(agent, request.at, request.answer?.body, request.advice?.title);
  await campaigns.reply({ response: "invalid_token", headers: { "Set-Cookie": ["a=1", "b=2"] } });
  // @ts-expect-error: no answer of the service is called so
  await campaigns.reply({ response: "expired" });
  // @ts-expect-error: the value of a header is text
  await campaigns.reply({ headers: { "Retry-After": 1 } });
  // @ts-expect-error: a user is an object
  await campaigns.withToken("login").setUser("flaky");
});
`,
		"tsconfig.json": `{
  "compilerOptions": {
    "strict": true,
    "noEmit": true,
    "skipLibCheck": true,
    "module": "nodenext",
    "types": []
  },
  "include": ["*.spec.ts", "playwright.config.ts"]
}
`,
	})
	compile := exec.Command("npx", "tsc", "--project", folder)
	compile.Dir = folder
	if out, err := compile.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// fieldInTypes matches a field of an interface, which stands on a line of its own.
var fieldInTypes = regexp.MustCompile(`(?m)^  (\w+)\?`)

// fieldOfJournal matches a field of the interface of a request, which may be there always.
var fieldOfJournal = regexp.MustCompile(`(?m)^  (\w+)\??:`)

// The type of a request has the fields of those that the journal lists.
func TestPlaywrightTypesOfTheJournal(t *testing.T) {
	t.Parallel()
	types := pages.Text(t, "cmd/campaignfake/npm/playwright.d.ts")
	journal := pages.Text(t, "fake/journal/request.go")
	tag := regexp.MustCompile("`json:\"(\\w+)[,\"]")
	for _, name := range []string{"Request", "Answer", "Advice"} {
		_, declared, _ := strings.Cut(journal, "type "+name+" struct {")
		declared, _, _ = strings.Cut(declared, "\n}")
		var want []string
		for _, field := range tag.FindAllStringSubmatch(declared, -1) {
			want = append(want, field[1])
		}
		_, text, _ := strings.Cut(types, "interface "+name+" {")
		text, _, _ = strings.Cut(text, "\n}")
		var got []string
		for _, field := range fieldOfJournal.FindAllStringSubmatch(text, -1) {
			got = append(got, field[1])
		}
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s has %q, and the journal %q", name, got, want)
		}
	}
}

// The types of the fixture have the fields of the format, and no others.
func TestPlaywrightTypes(t *testing.T) {
	t.Parallel()
	types := pages.Text(t, "cmd/campaignfake/npm/playwright.d.ts")
	var schema struct {
		Definitions map[string]struct{ Properties map[string]any }
	}
	if err := json.Unmarshal([]byte(pages.Text(t, "fixtures/schema.json")), &schema); err != nil {
		t.Fatal(err)
	}
	for definition, name := range map[string]string{
		"user":     "User",
		"reply":    "Reply",
		"campaign": "Campaign",
	} {
		_, text, _ := strings.Cut(types, "interface "+name+" {")
		text, _, _ = strings.Cut(text, "\nexport")
		var got []string
		for _, field := range fieldInTypes.FindAllStringSubmatch(text, -1) {
			got = append(got, field[1])
		}
		slices.Sort(got)
		want := slices.Sorted(maps.Keys(schema.Definitions[definition].Properties))
		if !slices.Equal(got, want) {
			t.Errorf("%s has %q, and the format %q", name, got, want)
		}
	}
}
