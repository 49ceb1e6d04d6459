package clients

import (
	"encoding/json"
	"maps"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
	"example.com/campaignfake/fake/journal"
)

// What the pages show compiles beside the types of the fixture, and a mistake does not.
func TestPlaywrightCompiles(t *testing.T) {
	t.Parallel()
	folder := appWith(t, &process.Server{Address: "127.0.0.1:8642"}, map[string]string{
		"login.spec.ts": pages.Example(t, "ts login.spec.ts"),
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

// The types of the fixture have the fields of the format and of the journal, and no others.
func TestPlaywrightTypes(t *testing.T) {
	t.Parallel()
	var schema struct {
		Definitions map[string]struct{ Properties map[string]any }
	}
	if err := json.Unmarshal([]byte(pages.Text(t, "fixtures/schema.json")), &schema); err != nil {
		t.Fatal(err)
	}
	types := pages.Text(t, "cmd/campaignfake/npm/playwright.d.ts")
	field := regexp.MustCompile(`(?m)^  (\w+)\??:`)
	for name, want := range map[string][]string{
		"User":     slices.Sorted(maps.Keys(schema.Definitions["user"].Properties)),
		"Reply":    slices.Sorted(maps.Keys(schema.Definitions["reply"].Properties)),
		"Campaign": slices.Sorted(maps.Keys(schema.Definitions["campaign"].Properties)),
		"Request":  fieldsOf(reflect.TypeFor[journal.Request]()),
		"Answer":   fieldsOf(reflect.TypeFor[journal.Answer]()),
		"Advice":   fieldsOf(reflect.TypeFor[journal.Advice]()),
	} {
		_, text, _ := strings.Cut(types, "interface "+name+" {")
		text, _, _ = strings.Cut(text, "\n}")
		var got []string
		for _, found := range field.FindAllStringSubmatch(text, -1) {
			got = append(got, found[1])
		}
		slices.Sort(got)
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", name, got, want)
		}
	}
}

// fieldsOf returns the names in JSON of a type's fields, in order.
func fieldsOf(kind reflect.Type) (names []string) {
	for _, field := range reflect.VisibleFields(kind) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
