package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, folder, "a.yaml", users("own", "a"))
	single := file(t, "c.yaml", users("own", "c"))
	// check ignores wrong settings of a server.
	got := finish(t, []string{"CAMPAIGNFAKE_SEED=x"}, "check", folder, single)
	if got != (result{stdout: "no mistakes; users: 2\n"}) {
		t.Errorf("check ends with %+v", got)
	}
}

// Fixtures on standard input are checked like fixtures in a file.
func TestCheckOfStandardInput(t *testing.T) {
	t.Parallel()
	finishReading(t, "users:\n  a: {campain: []}\n", nil, "check", "-").failsLike(t, 1,
		"standard input:2:7: users.a.campain: is not a known key")
	finishReading(t, "users: {}\n"+strings.Repeat("#", 8<<20), nil, "check", "-").failsLike(t, 1,
		"standard input: is larger than 8 MiB")
	finish(t, nil, "check", "-", "a.yaml").failsLike(t, 2, "- is standard input")
}

// Check does not read folders below a folder, nor JSON files, and says so.
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
