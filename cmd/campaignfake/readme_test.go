package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fixtures"
)

// pages are the pages of documentation. The tests run each example of a page exactly as it is
// written. The words behind its three backticks are its kind, which selects the function that runs
// it.
var pages = []string{
	"README.md", "fixtures/README.md", "fake/README.md", "cmd/campaignfake/README.md",
}

// runHere has the function that runs the examples of a kind.
var runHere = map[string]func(*testing.T, snippet){
	"go":                   stands,
	"go campaigns_test.go": func(*testing.T, snippet) {}, // run by the commands above it
	"json answer":          func(*testing.T, snippet) {}, // the answer to the command above it
	"sh":                   runScript,
	"sh curl":              isAnswered,
	"sh tool":              runScript,
	"text log":             standsInLog,
	"yaml":                 loads,
	"yaml fixtures.yaml":   loads,
}

// runElsewhere says which file runs the examples of a kind that need more
// than Go: it reads them from the pages, too.
var runElsewhere = map[string]string{
	"sh compose":              ".ci/containers/compose_test.go",
	"sh compose run":          ".ci/containers/compose_test.go",
	"sh docker":               ".ci/containers/containers_test.go",
	"sh image":                ".ci/containers/playwright_test.go",
	"sh openapi":              ".ci/openapi/types_test.go",
	"sh openssl":              ".ci/containers/tls_test.go",
	"sh playwright":           ".ci/clients/playwright_test.go",
	"sh record":               "cmd/campaignfake/record_test.go",
	"sh settings":             "cmd/campaignfake/compare_test.go",
	"text compare":            "cmd/campaignfake/compare_test.go",
	"ts campaigns.spec.ts":    ".ci/clients/readme_test.go",
	"ts login.spec.ts":        ".ci/clients/login_test.go",
	"ts playwright.config.ts": ".ci/clients/playwright_test.go",
	"ts src/campaigns.ts":     ".ci/clients/readme_test.go",
	"ts server":               ".ci/clients/rendered_test.go",
	"ts webServer":            ".ci/containers/playwright_test.go",
	"ts vite.config.ts":       ".ci/clients/readme_test.go",
	"yaml compose.yaml":       ".ci/containers/compose_test.go",
	"yaml services.yaml":      ".ci/containers/containers_test.go",
}

// A snippet is a block of code in a page.
type snippet struct{ place, kind, text string }

func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func snippets(t *testing.T) (list []snippet) {
	t.Helper()
	for _, page := range pages {
		var open *snippet
		number := 0
		for line := range strings.Lines(readPage(t, page)) {
			number++
			kind, fence := strings.CutPrefix(line, "```")
			switch {
			case fence && open == nil:
				open = &snippet{
					place: fmt.Sprintf("%s:%d", page, number),
					kind:  strings.TrimSpace(kind),
				}
			case fence:
				list = append(list, *open)
				open = nil
			case open != nil:
				open.text += line
			}
		}
		if open != nil {
			t.Errorf("%s: the example is not closed", open.place)
		}
	}
	return list
}

func TestReadmeSnippets(t *testing.T) {
	t.Parallel()
	for _, e := range snippets(t) {
		t.Run(e.place, func(t *testing.T) {
			t.Parallel()
			if run := runHere[e.kind]; run != nil {
				run(t, e)
				return
			}
			runner := runElsewhere[e.kind]
			if runner == "" {
				t.Fatalf("nobody runs %q", e.kind)
			}
			code := readPage(t, runner)
			isNamed := strings.Contains(code, `"`+e.kind+`"`)
			isMatched := strings.Contains(code, "```"+regexp.QuoteMeta(e.kind))
			if !isNamed && !isMatched {
				t.Errorf("%s does not read %q", runner, e.kind)
			}
		})
	}
}

// stands checks that Go code of a page is also the code of an example of package fake, which runs.
func stands(t *testing.T, e snippet) {
	indented := "\t" + strings.ReplaceAll(strings.TrimSuffix(e.text, "\n"), "\n", "\n\t")
	examples := readPage(t, "fake/example_test.go")
	if !strings.Contains(examples, indented) && !strings.Contains(examples, "\n"+e.text) {
		t.Errorf("this stands in no example of fake/example_test.go:\n%s", e.text)
	}
}

func loads(t *testing.T, e snippet) {
	if _, err := fixtures.LoadFS(fstest.MapFS{"README.yaml": {Data: []byte(e.text)}}); err != nil {
		t.Error(err)
	}
}

// isAnswered runs a command of curl beside a server, and compares its output with the answer that
// the page shows next. There, … stands for any text.
func isAnswered(t *testing.T, e snippet) {
	all := snippets(t)
	at := slices.Index(all, e)
	if at+1 == len(all) || all[at+1].kind != "json answer" {
		t.Fatal("the page shows no answer after this command")
	}
	want := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(all[at+1].text)), "…", ".*")
	server := serve(t, nil)
	command := strings.ReplaceAll(e.text, "http://127.0.0.1:8642", server.root)
	got, err := exec.CommandContext(t.Context(), "sh", "-c", command).Output()
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile("^" + want + "$").Match(got) {
		t.Errorf("the page shows\n%s\nand the answer is\n%s", all[at+1].text, got)
	}
}

// runScript runs commands in a folder like a clone of the repository, beside a server that takes the
// part of 127.0.0.1:8642. Where the page builds the program, the script has this test in its place,
// which is the program, too.
func runScript(t *testing.T, e snippet) {
	if e.text == "go test ./...\n" {
		if !strings.Contains(readPage(t, ".ci/run"), "'go test ./...' README.md") {
			t.Error(".ci/run does not read it")
		}
		return // the command would run this test again
	}
	folder := cloned(t)
	root := repository(t)
	if strings.Contains(e.text, "go mod ") {
		folder = otherModule(t, folder)
	}
	alice := file(t, "alice.yaml", users("first", "alice"))
	server := serve(t, nil, "--gallery", "--unknown-tokens", "reject", alice)
	here := strings.NewReplacer(
		"=../campaignfake", "="+root,
		"=../../campaignfake", "="+root,
		"http://127.0.0.1:8642", server.root,
	)
	// The shell becomes the server, so that a signal reaches it.
	text := serveLine.ReplaceAllString(here.Replace(e.text), "exec $0")
	script := exec.CommandContext(t.Context(), "sh", "-ec", text)
	script.Dir = folder
	script.Env = scriptEnvironment(t, "CAMPAIGNFAKE_URL="+server.root)
	if serveLine.MatchString(e.text) {
		startProgram(t, script).end(os.Interrupt, 0)
		return
	}
	if out, err := script.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, text, out)
	}
}

// serveLine matches the command of a script that starts the server, which is its last.
var serveLine = regexp.MustCompile(`(?m)^go (?:run \./cmd/|tool )campaignfake( --.*)?\n\z`)

// scriptEnvironment returns the variables of a script, with its tools first in PATH.
func scriptEnvironment(t *testing.T, more string) []string {
	path := "PATH=" + tools(t) + ":" + os.Getenv("PATH")
	return environment([]string{"GOFLAGS=-buildvcs=false", path, more})
}

// cloned returns a folder that has what a clone of the repository has, and the
// files that the pages have the reader write.
func cloned(t *testing.T) string {
	folder := filepath.Join(t.TempDir(), "campaignfake")
	root := repository(t)
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cmd", "fake", "fixtures", "go.mod", "go.sum"} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(folder, name)); err != nil {
			t.Skip(err)
		}
	}
	write(t, folder, "fixtures.yaml", onlySnippet(t, "yaml fixtures.yaml"))
	write(t, folder, "answer.json", `{"campaigns":[{"id":"cmp_1","name":"Spring","budget":12.50}]}`)
	return folder
}

// repository returns the folder of this repository.
func repository(t *testing.T) string {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// otherModule returns the folder of a module beside a clone.
func otherModule(t *testing.T, clone string) string {
	folder := filepath.Join(filepath.Dir(clone), "app")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, folder, "go.mod", "module app\n\ngo 1.25\n")
	write(t, folder, "campaigns_test.go", onlySnippet(t, "go campaigns_test.go"))
	return folder
}

// tools returns a folder with a curl that fails when the answer is an error, and a go that takes
// this test for what it would build, since linking takes seconds.
func tools(t *testing.T) string {
	folder := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder, "go", `#!/bin/sh
case "$1 $2" in
"run ./cmd/campaignfake") shift 2 ;;
"tool campaignfake") "`+lookPath(t, "go")+`" list tool | grep -q /campaignfake$ || exit 1; shift 2 ;;
"build -o") exec "`+lookPath(t, "go")+`" list "$4" ;;
*) exec "`+lookPath(t, "go")+`" "$@" ;;
esac
`+asProgram+`=1 exec "`+self+`" "$@"
`)
	write(t, folder, "curl", `#!/bin/sh
exec "`+lookPath(t, "curl")+`" --fail-with-body -sS "$@"
`)
	return folder
}

func lookPath(t *testing.T, tool string) string {
	found, err := exec.LookPath(tool)
	if err != nil {
		t.Skip(err)
	}
	return found
}

func write(t *testing.T, folder, name, text string) {
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func onlySnippet(t *testing.T, kind string) (text string) {
	t.Helper()
	for _, e := range snippets(t) {
		if e.kind == kind {
			text += e.text
		}
	}
	if text == "" {
		t.Fatalf("no page has %q", kind)
	}
	return text
}

// flagInPage matches a flag in a page, with the command that it may stand behind.
var flagInPage = regexp.MustCompile("`(?:campaignfake [^`]*)?--([a-z-]+)[^`]*`")

// Each command has a row in the README, and each flag that the pages name exists. Only --help lists
// all flags.
func TestReadmesAreComplete(t *testing.T) {
	t.Parallel()
	page := readPage(t, "cmd/campaignfake/README.md")
	known := map[string]bool{"help": true, "no": true} // flags of kong and of npx
	for _, node := range newCall(t.Context(), testProcess(nil, nil, nil)).parser.Model.Children {
		if !strings.Contains(page, "| `"+node.Name) {
			t.Errorf("the table of commands lacks %s", node.Name)
		}
		for _, flag := range node.Flags {
			known[flag.Name] = true
		}
	}
	for _, name := range pages {
		for _, found := range flagInPage.FindAllStringSubmatch(readPage(t, name), -1) {
			if !known[found[1]] && !strings.Contains(found[0], "docker ") {
				t.Errorf("%s names --%s, which no command has", name, found[1])
			}
		}
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]*)?\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	dropped = regexp.MustCompile(`[^a-z0-9 _-]`)
)

// Links lead to files and headings that are there.
func TestReadmeLinks(t *testing.T) {
	t.Parallel()
	for _, page := range pages {
		for _, found := range link.FindAllStringSubmatch(readPage(t, page), -1) {
			target := path.Join(path.Dir(page), found[1])
			if found[1] == "" {
				target = page
			}
			if strings.Contains(found[1], "://") {
				continue
			}
			if _, err := fs.Stat(os.DirFS("../.."), target); err != nil {
				t.Errorf("%s: %s: %v", page, found[0], err)
				continue
			}
			if found[2] != "" && !anchors(readPage(t, target))[found[2]] {
				t.Errorf("%s: %s leads to no heading", page, found[0])
			}
		}
	}
}

// anchors returns the headings of a page, as links name them.
func anchors(page string) map[string]bool {
	set := make(map[string]bool)
	for _, found := range heading.FindAllStringSubmatch(page, -1) {
		words := dropped.ReplaceAllString(strings.ToLower(found[1]), "")
		set["#"+strings.ReplaceAll(words, " ", "-")] = true
	}
	return set
}
