package openapi

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/fake"
)

// run runs a command in this folder, and returns its standard output.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Types are generated of the document by the command of the page, and clients that use them
// compile and run: that of the page, and client.ts, in which what is wrong does not compile.
func TestTypes(t *testing.T) {
	t.Parallel()
	const page = "fake/README.md"
	folder := t.TempDir()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithFixtures(fake.Gallery()), fake.WithService(fake.Service{UnknownTokens: "generate"}))
	here := strings.NewReplacer("http://127.0.0.1:8642", root(srv), "src/", folder+"/")
	modules, err := filepath.Abs("node_modules")
	if err != nil {
		t.Fatal(err)
	}
	client, err := os.ReadFile("client.ts")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"package.json":  `{"type": "module"}`,
		"tsconfig.json": `{"compilerOptions": {"strict": true, "target": "es2022", "module": "nodenext", "lib": ["es2022", "dom"], "types": []}}`,
		"client.ts":     string(client),
		"documented.ts": here.Replace(pages.Example(t, page, "ts src/client.ts")),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	generate := strings.Fields(here.Replace(pages.Example(t, page, "sh openapi")))
	run(t, generate[0], generate[1:]...)
	run(t, "npx", "tsc", "--project", folder)

	const want = `demo 200 Spring Launch 0d33f684-602c-47cd-bc8e-42e9ee5f31da
expired 401 Unauthorized
server-error 500 Internal Server Error
`
	if got := run(t, "node", filepath.Join(folder, "client.js"), srv.BaseURL(), "demo", "expired", "server-error"); got != want {
		t.Errorf("the client was answered\n%s, want\n%s", got, want)
	}
	if got := run(t, "node", filepath.Join(folder, "documented.js")); got != "Spring Launch\n" {
		t.Errorf("the client that the page shows prints %q", got)
	}
}
