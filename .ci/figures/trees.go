package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A tree is a checkout of campaignfake, with what was made from it.
type tree struct {
	name string
	dir  string
	ci   string // .ci/figures of the working tree, which has the references
	out  string // where to put what is made
	made map[string]bool
}

type trees struct {
	working *tree
	older   *tree // that of -against; nil without it
}

// make returns the path of a file, which is made when it is asked for the first time.
func (t *tree) make(name string, write func(path string)) string {
	path := filepath.Join(t.out, name)
	if !t.made[name] {
		write(path)
		t.made[name] = true
	}
	return path
}

// file returns the path of a file with the given text.
func (t *tree) file(name, text string) string {
	return t.make(name, func(path string) { check(os.WriteFile(path, []byte(text), 0o600)) })
}

// openTrees opens the working tree, and checks out a commit into a folder if there is
// one.
func openTrees(folder, against string) (all trees) {
	root := must(output(".", nil, "git", "rev-parse", "--show-toplevel"))
	open := func(name, dir, out string) *tree {
		check(os.Mkdir(out, 0o700))
		return &tree{name: name, dir: dir, ci: filepath.Join(root, ".ci", "figures"), out: out, made: make(map[string]bool)}
	}
	all.working = open("working tree", root, filepath.Join(folder, "working"))
	if against != "" {
		checkout := filepath.Join(folder, "checkout")
		commit := must(output(root, nil, "git", "rev-parse", "--short", "--verify", against+"^{commit}"))
		must(output(root, nil, "git", "worktree", "add", "--quiet", "--detach", checkout, commit))
		all.older = open(commit, checkout, filepath.Join(folder, "older"))
	}
	return all
}

// remove removes the checkout. Git is told, since it keeps a list.
func (all trees) remove() {
	if all.older != nil {
		output(all.working.dir, nil, "git", "worktree", "remove", "--force", all.older.dir)
	}
}

// output runs a command in a folder, with more variables, and returns what it
// prints. An error has the first line of what it complains about.
func output(dir string, env []string, name string, args ...string) (string, error) {
	var complaint strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", filepath.Base(name), err, firstOf(complaint.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// firstOf returns the first line that says something. The go command puts the name
// of the package before that.
func firstOf(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "go: downloading ") {
			return line
		}
	}
	return "it does not say why"
}
