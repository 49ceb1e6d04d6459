package openapi

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
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

const compilerOptions = `{"compilerOptions": {
	"strict": true,
	"target": "es2022",
	"module": "nodenext",
	"lib": ["es2022", "dom"],
	"types": []
}}`

const client = `
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const client = createClient<paths>({ baseUrl: "http://127.0.0.1:8642/api" });
const headers = { Authorization: "Bearer demo" };
const { data, error } = await client.GET("/user/campaigns", { headers });
if (error) console.log(error.title);
else console.log(data.campaigns[0].name);

// @ts-expect-error: the service has no other path
export const other = () => client.GET("/user/campaign");
`

// Beside the TypeScript of a new app, types are generated of the document by the command of the
// page, and a client that uses them compiles and runs. What is wrong does not compile.
func TestTypes(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	srv := fake.NewTestServer(t,
		fake.WithLenient(),
		fake.WithFixtures(fixtures.Gallery()),
		fake.WithService(fixtures.Service{UnknownTokens: "generate"}))
	here := strings.NewReplacer("http://127.0.0.1:8642", root(srv), "src/", folder+"/")
	process.Link(t, folder, "node_modules", ".ci/openapi/node_modules")
	process.Write(t, folder, map[string]string{
		"package.json":  `{"type": "module"}`,
		"tsconfig.json": compilerOptions,
		"client.ts":     here.Replace(client),
	})
	generate := strings.Fields(here.Replace(pages.Example(t, "sh openapi")))
	run(t, generate[0], generate[1:]...)
	run(t, "npx", "tsc", "--project", folder)

	if got := run(t, "node", filepath.Join(folder, "client.js")); got != "Spring Launch\n" {
		t.Errorf("the client prints %q", got)
	}
}
