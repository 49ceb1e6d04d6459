package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, folder, "a.yaml", users("own", "a"))
	write(t, folder, "b.yml", users("own", "b"))
	for users, args := range map[int][]string{
		0: {file(t, "none.yaml", "users: {}")},
		2: {folder},
		3: {file(t, "c.yaml", users("own", "c")), folder},
	} {
		// Wrong settings of a server are no business of check.
		got := finish(t, []string{"CAMPAIGNFAKE_SEED=x"}, append([]string{"check"}, args...)...)
		if want := fmt.Sprintf("no mistakes; users: %d\n", users); got != (result{0, want, ""}) {
			t.Errorf("check ends with %+v, want the output %q", got, want)
		}
	}
}

// Unknown tokens can be like a user of the gallery where serve has --gallery, too. What is counted
// are the users of the fixtures.
func TestCheckBesideGallery(t *testing.T) {
	t.Parallel()
	fixture := file(t, "like.yaml",
		"service: {unknown_tokens: like demo}\nusers: {tired: {}}\n")
	tests := map[string]struct{ env, args []string }{
		"flag":     {nil, []string{"check", "--gallery", fixture}},
		"variable": {[]string{"CAMPAIGNFAKE_GALLERY=on"}, []string{"check", fixture}},
	}
	for name, tt := range tests {
		got := finish(t, tt.env, tt.args...)
		want := result{0, "no mistakes; users: 1\n", ""}
		if got != want {
			t.Errorf("%s: check ends with %+v, want %+v", name, got, want)
		}
	}
	finish(t, nil, "check", fixture).failsLike(t, 1, `no user has the token "demo"`)

	wrong := file(t, "wrong.yaml", "service: {unknown_tokens: like demmo}\n")
	finish(t, nil, "check", "--gallery", wrong).failsLike(t, 1,
		wrong+`:1:11: service.unknown_tokens: no user has the token "demmo"; did you mean demo?`)
}

func TestCheckReportsEveryMistake(t *testing.T) {
	t.Parallel()
	first := file(t, "first.yaml", "users:\n  a: {campain: []}\n  b: {generate: {count: many}}\n")
	second := file(t, "second.yaml", "users:\n  a: {}\nservce: {}\n")
	got := finish(t, nil, "check", first, second)
	got.failsLike(t, 1,
		first+":2:7: users.a.campain: ",
		"did you mean campaigns?\n  2 |   a: {campain: []}\n    |       ^\n",
		first+":3:25: users.b.generate.count: ",
		second+":2:3: users.a: ", first+":2", // both places of what is given twice
		second+":3:1: servce: ", "did you mean service?")
	if carets := strings.Count(got.stderr, "^"); carets != 4 {
		t.Errorf("%d mistakes have a caret, want 4:\n%s", carets, got.stderr)
	}
}

// Fixtures on standard input are checked as those of a file.
func TestCheckOfStandardInput(t *testing.T) {
	t.Parallel()
	command := program(t, nil, "check", "-")
	command.Stdin = strings.NewReader("users:\n  a: {campain: []}\n")
	printed, err := command.CombinedOutput()
	const want = "standard input:2:7: users.a.campain: is not a known key"
	if err == nil || !strings.Contains(string(printed), want) {
		t.Errorf("the error is %v, and printed is %s, want %s", err, printed, want)
	}
	finish(t, nil, "check", "-", "a.yaml").failsLike(t, 2, "- is standard input")
}

// A folder has no fixtures in folders below it, nor in files of JSON, which is told.
func TestCheckTellsWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	files := []string{"a.yaml", "b.json", "c.txt", "below/d.yaml", ".hidden/e.yaml", "named.json"}
	for _, name := range files {
		err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755)
		if err != nil {
			t.Fatal(err)
		}
		write(t, folder, name, users("own", name[:1]))
	}
	got := finish(t, nil, "check", folder, filepath.Join(folder, "named.json"))
	const rest = " is left out: of a folder, the files that end in .yaml or .yml are read; " +
		"name it beside the folder if it has fixtures\n"
	want := result{
		stdout: "no mistakes; users: 2\n",
		stderr: "campaignfake: " + filepath.Join(folder, "b.json") + rest +
			"campaignfake: " + filepath.Join(folder, "below") + rest,
	}
	if got != want {
		t.Errorf("check ends with %+v, want %+v", got, want)
	}
}
