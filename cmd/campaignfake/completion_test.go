package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fixtures"
)

// candidates returns what the last of some words can be, and whether it can be a file.
func candidates(t *testing.T, words ...string) (list []string, files bool) {
	t.Helper()
	got := finish(t, []string{"CAMPAIGNFAKE_SEED=wrong", "CAMPAIGNFAKE_NOBODY=1"}, append([]string{"completion", "--words"}, words...)...)
	if got.status != 0 || got.stderr != "" {
		t.Fatalf("the status is %d: %s", got.status, got.stderr)
	}
	for line := range strings.Lines(got.stdout) {
		candidate, _, described := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if candidate == ":" && !described {
			files = true
			continue
		}
		list = append(list, candidate)
	}
	return list, files
}

func TestCandidates(t *testing.T) {
	t.Parallel()
	faults := strings.Trim(fmt.Sprint(fixtures.Faults()), "[]")
	for _, tt := range []struct {
		words string // with spaces between them
		want  string
		files bool
	}{
		{"ser", "serve", true},
		{"re", "requests reply reset", true},
		{"che", "check", true},
		{"check ", "", true},
		{"check a.yaml ", "", true},
		{"fixtures.yaml ser", "", true},
		{"--log", "--log-format", false},
		{"--quiet --qui", "", false},
		{"--log-format ", "auto text columns json", false},
		{"--log-format j", "json", false},
		{"--log-format=", "--log-format=auto --log-format=text --log-format=columns --log-format=json", false},
		{"serve --watch=of", "--watch=off", false},
		{"--control ", "on off", false},
		{"--ready-file ", "", true},
		{"--tls-cert=x", "", true},
		{"--port ", "", false},
		{"generate --format ", "yaml json", false},
		{"requests --json --un", "--unmatched", false},
		{"reply demo --header x --head", "--header", false},
		{"reply demo ", "", false},
		{"reply demo --fault ", faults, false},
		{"reply demo --response n", "not_found", false},
		{"completion ", "bash zsh fish", false},
		{"completion bash ", "", false},
		{"help re", "requests reply reset", false},
		{"--help", "--help", false},
		{"--vers", "--version", false},
	} {
		got, files := candidates(t, strings.Split(tt.words, " ")...)
		if strings.Join(got, " ") != tt.want || files != tt.files {
			t.Errorf("after %q there are %q, files: %v; want %q, files: %v", tt.words, got, files, tt.want, tt.files)
		}
	}
	// Everything has a first letter.
	all, _ := candidates(t, "")
	if first, _ := candidates(t, "h"); len(all) < 8 || !slices.Equal(first, []string{"health", "help"}) {
		t.Errorf("there are the commands %q, and with an h %q", all, first)
	}
}

// In bash itself, with the words as bash splits them.
func TestCompletionInBash(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	script := finish(t, nil, "completion", "bash")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Symlink(self, filepath.Join(folder, "campaignfake")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "my fixtures.yaml"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ words, want string }{
		{"campaignfake reques", "requests"},
		{"campaignfake --log-format = js", "json"},
		{"campaignfake --log-format =", "auto|text|columns|json"},
		{"campaignfake --log-format c", "columns"},
		{"campaignfake check my", "my fixtures.yaml"},
		{"campaignfake --ready-file = my", "my fixtures.yaml"},
		{"campaignfake help vers", "version"},
	} {
		words := strings.Fields(tt.words)
		cmd := program(t, nil)
		cmd.Path, cmd.Args, cmd.Dir = bash, append([]string{"bash", "-c",
			`eval "$0"; PATH=$PWD:$PATH; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _campaignfake; IFS='|'; printf %s "${COMPREPLY[*]}"`, script.stdout}, words...), folder
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != tt.want {
			t.Errorf("bash completes %q with %q (%v), want %q", tt.words, out, err, tt.want)
		}
	}
}

func TestCommandsWithoutAServer(t *testing.T) {
	t.Parallel()
	wrong := []string{"CAMPAIGNFAKE_SEED=x"}
	help, flag := finish(t, wrong, "help", "reply"), finish(t, nil, "reply", "--help")
	if help != flag || help.status != 0 || !strings.Contains(help.stdout, "--fault") {
		t.Errorf("help reply prints %s", help.stdout)
	}
	if help, flag := finish(t, wrong, "help"), finish(t, nil, "--help"); help != flag || help.stdout == "" {
		t.Errorf("help prints %s", help.stdout)
	}
	finish(t, nil, "help", "repply").failsLike(t, 2, `"repply" is not a command`, `did you mean "reply"?`)
	if command, flag := finish(t, wrong, "version"), finish(t, nil, "--version"); command != flag || !strings.HasPrefix(command.stdout, "campaignfake ") {
		t.Errorf("version prints %s", command.stdout)
	}
	finish(t, nil, "completion", "tcsh").failsLike(t, 2, "tcsh", "write bash or zsh or fish")
	for _, shell := range []string{"zsh", "fish"} {
		if got := finish(t, nil, "completion", shell); got.status != 0 || !strings.Contains(got.stdout, "completion "+shell) {
			t.Errorf("the script for %s is %s", shell, got.stdout)
		}
	}
	schema := finish(t, nil, "schema")
	p := serve(t, nil)
	response, body := ask(t, "GET", p.root+"/_fake/schema.json", nil)
	file, err := os.ReadFile("../../fixtures/schema.json")
	if err != nil || schema.stdout != string(file) || body != string(file) || !json.Valid(file) {
		t.Errorf("the schemas are not those of fixtures/schema.json (%v)", err)
	}
	if got := response.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("the schema is served as %s", got)
	}
}
