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
