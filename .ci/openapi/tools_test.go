package openapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// page has the examples of what a frontend does with the document.
const page = "fake/README.md"

// tool returns a command of a package of Node, which npm ci has installed.
func tool(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("node_modules", ".bin", name))
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path, args...)
	command.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
	return command
}

// run runs a command, and returns its standard output.
func run(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	var errors bytes.Buffer
	command.Stderr = &errors
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", command, err, out, errors.String())
	}
	return string(out)
}

// Types are generated of every document, and a client that uses them compiles and runs.
// What does not fit them does not compile.
func TestTypes(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	modules, err := filepath.Abs("node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	client, err := os.ReadFile("client.ts")
	if err != nil {
		t.Fatal(err)
	}
	write("client.ts", string(client))
	write("package.json", `{"type": "module"}`)
	write("tsconfig.json", `{"compilerOptions": {"strict": true, "target": "es2022", "module": "nodenext", "lib": ["es2022", "dom"], "types": []}}`)
	for _, s := range services() {
		srv := s.serve(t)
		run(t, tool(t, "openapi-typescript", root(srv)+"/_fake/"+serviceDocument, "-o", filepath.Join(folder, s.name+".d.ts")))
		path := srv.Service().BasePath + campaignsPath
		write("use-"+s.name+".ts", fmt.Sprintf(`import createClient from "openapi-fetch";
import type {paths} from "./%s.js";
export async function use() {
	const {data: list, error} = await createClient<paths>().GET("%s");
	if (list) {
		%s
	} else {
		%s
	}
}`, s.name, path, s.ofList, s.ofError))
	}
	address := strings.TrimPrefix(root(services()[0].serve(t)), "http://")
	commands := strings.NewReplacer("127.0.0.1:8642", address, "src/", folder+"/")
	generate, found := strings.CutPrefix(commands.Replace(pages.Examples(t, page, "sh openapi")[0]), "npx openapi-typescript ")
	if !found {
		t.Fatalf("%s generates no types", page)
	}
	run(t, tool(t, "openapi-typescript", strings.Fields(generate)...))
	write("documented.ts", commands.Replace(pages.Example(t, page, "ts src/client.ts")))
	srv := services()[0].serve(t)
	compile := tool(t, "tsc", "--project", folder)
	run(t, compile)

	answers := run(t, exec.Command("node", filepath.Join(folder, "client.js"), root(srv), "demo", "nobody", "expired", "server-error", "flaky"))
	const want = `demo 200 Spring Launch 0d33f684-602c-47cd-bc8e-42e9ee5f31da
nobody 401 Unauthorized
expired 401 Unauthorized
server-error 500 Internal Server Error
flaky 503 Service Unavailable
`
	if answers != want {
		t.Errorf("the client was answered\n%s, want\n%s", answers, want)
	}
	if name := run(t, exec.Command("node", filepath.Join(folder, "documented.js"))); name != "Spring Launch\n" {
		t.Errorf("the client that the page shows prints %q", name)
	}
}

// Redocly finds no error in any document, and nothing wrong with the examples of the
// service.
func TestRedocly(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	lint := []string{"lint", "--format=json", "--max-problems=1000"}
	options := len(lint)
	for _, s := range services() {
		srv := s.serve(t)
		response, err := srv.Client().Get(root(srv) + "/_fake/" + serviceDocument)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(folder, s.name+"-"+serviceDocument)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		lint = append(lint, file)
	}
	type report struct {
		Totals   struct{ Errors int }
		Problems []struct {
			RuleID, Severity, Message string
			Location                  []struct {
				Source  struct{ Ref string }
				Pointer string
			}
		}
	}
	out := json.NewDecoder(strings.NewReader(run(t, tool(t, "redocly", lint...))))
	for range lint[options:] {
		var found report
		if err := out.Decode(&found); err != nil {
			t.Fatal(err)
		}
		for _, p := range found.Problems {
			if p.RuleID != "info-license" { // which is the owner's to name
				t.Errorf("%s%s: %s (%s)", p.Location[0].Source.Ref, p.Location[0].Pointer, p.Message, p.RuleID)
			}
		}
		if found.Totals.Errors != 0 || len(found.Problems) == 0 {
			t.Errorf("Redocly finds %+v", found)
		}
	}
}

// prism starts Prism with the document of a server, and returns its URL.
func prism(t *testing.T, srv *fake.Server, command string, args ...string) string {
	t.Helper()
	prism := tool(t, "prism", slices.Concat([]string{command, root(srv) + "/_fake/" + serviceDocument}, args, []string{"--host", "127.0.0.1", "--port", "0"})...)
	output, err := prism.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	prism.Stderr = prism.Stdout
	if err := prism.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() {
		prism.Process.Kill()
		<-ended
		prism.Wait()
	})
	address, lines := make(chan string, 1), bufio.NewScanner(output)
	go func() {
		defer close(ended)
		defer close(address)
		listening := regexp.MustCompile(`listening on (\S+)`)
		for lines.Scan() {
			if found := listening.FindStringSubmatch(lines.Text()); found != nil {
				address <- found[1]
			}
		}
	}()
	url := <-address
	if url == "" {
		t.Fatal("Prism has ended")
	}
	return url + srv.Service().BasePath + campaignsPath
}

// ask asks with a token and a Prefer header, which may be empty.
func ask(t *testing.T, url, token, prefer string) (status int, body string) {
	t.Helper()
	x := exchange{method: "GET", url: url, header: http.Header{"Authorization": {"Bearer " + token}, "Prefer": {prefer}}}
	if err := x.send(t, http.DefaultClient); err != nil {
		t.Fatal(err)
	}
	return x.status, string(x.answer)
}

// Prism passes on what is right, and reports what is not.
func TestPrismProxy(t *testing.T) {
	t.Parallel()
	set, err := fixtures.LoadFS(fake.Gallery())
	if err != nil {
		t.Fatal(err)
	}
	srv := services()[0].serve(t)
	documented := strings.Fields(strings.ReplaceAll(pages.Examples(t, page, "sh openapi")[1], "http://127.0.0.1:8642", root(srv)))
	if len(documented) < 4 || documented[1] != "@stoplight/prism-cli" || documented[3] != root(srv)+"/_fake/"+serviceDocument {
		t.Fatalf("%s starts Prism by %q", page, documented)
	}
	url := prism(t, srv, documented[2], documented[4:]...)
	for _, token := range set.Tokens() {
		for range requests(set.Users[token]) {
			if broken[token] {
				continue
			}
			status, body := ask(t, url, token, "")
			wrong := strings.Contains(body, "prism/errors#VIOLATIONS") || strings.Contains(body, "FetchError")
			if wrong != (against[token] != "") {
				t.Errorf("%s is answered %d through Prism: %.1000s", token, status, body)
			}
		}
	}

	// Each campaign with a wrong type is reported.
	_, body := ask(t, url, "edge-cases", "")
	_, answer := ask(t, srv.BaseURL()+campaignsPath, "edge-cases", "")
	var report struct {
		Validation []struct{ Location []string }
	}
	var list struct{ Campaigns []map[string]any }
	if err := json.Unmarshal([]byte(body), &report); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(answer), &list); err != nil {
		t.Fatal(err)
	}
	for i, campaign := range list.Campaigns {
		for _, name := range []string{"id", "name", "created_at", "updated_at", "status"} {
			if _, isText := campaign[name].(string); isText {
				continue
			}
			reported := false
			for _, v := range report.Validation {
				reported = reported || len(v.Location) > 3 && v.Location[3] == fmt.Sprint(i)
			}
			if !reported {
				t.Errorf("Prism does not report the %s of %v", name, campaign)
			}
		}
	}
}

// Prism answers by the document alone, too.
func TestPrismMock(t *testing.T) {
	t.Parallel()
	srv := services()[0].serve(t)
	url := prism(t, srv, "mock")
	for prefer, want := range map[string]struct {
		status int
		body   string
	}{
		"":              {200, `{"campaigns":[{"id":"0d33f684-602c-47cd-bc8e-42e9ee5f31da"`},
		"example=empty": {200, `{"campaigns":[]}`},
		"example=many":  {200, `{"campaigns":[{"id":"1c8de290-3af3-40ff-8aa9-7614b5903d98"`},
		"code=401":      {401, `{"type":"about:blank","title":"Unauthorized","status":401,`},
		"code=503":      {503, `{"type":"about:blank","title":"Service Unavailable","status":503,`},
	} {
		if status, body := ask(t, url, "demo", prefer); status != want.status || !strings.HasPrefix(body, want.body) {
			t.Errorf("Prism answers Prefer: %s with %d %.300s, want %d %s…", prefer, status, body, want.status, want.body)
		}
	}
}
