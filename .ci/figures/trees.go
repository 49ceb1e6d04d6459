package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A tree is a checkout of campaignfake, with what was built from it.
type tree struct {
	name    string
	dir     string
	ci      string // .ci/figures of the working tree, which has the programs of every tree
	out     string // where to put what is made
	made    map[string]made
	working *tree // the working tree, for what all trees share
}

type trees struct {
	working *tree
	older   *tree // that of -against; nil without it
}

// made is a file that was made from a tree, or why it could not be.
type made struct {
	path string
	err  error
}

// make returns the path of a file, which is made when it is asked for the first time.
func (t *tree) make(name string, write func(path string) error) (string, error) {
	m, ok := t.made[name]
	if !ok {
		m.path = filepath.Join(t.out, name)
		m.err = write(m.path)
		t.made[name] = m
	}
	return m.path, m.err
}

// file returns the path of a file with the given text.
func (t *tree) file(name, text string) (string, error) {
	return t.make(name, func(path string) error { return os.WriteFile(path, []byte(text), 0o600) })
}

// openTrees opens the working tree, and checks out a commit if there is one. What
// is returned removes everything that was made.
func openTrees(against string) (all trees, remove func(), err error) {
	root, err := git(".", "rev-parse", "--show-toplevel")
	if err != nil {
		return all, nil, err
	}
	dir, err := os.MkdirTemp("", "figures-*")
	if err != nil {
		return all, nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	open := func(name, dir, out string) (*tree, error) {
		t := &tree{name: name, dir: dir, ci: filepath.Join(root, ".ci", "figures"), out: out, made: make(map[string]made)}
		if t.working = all.working; t.working == nil {
			t.working = t
		}
		return t, os.Mkdir(out, 0o700)
	}
	if all.working, err = open("working tree", root, filepath.Join(dir, "working")); err == nil && against != "" {
		checkout := filepath.Join(dir, "checkout")
		remove = func() {
			git(root, "worktree", "remove", "--force", checkout)
			os.RemoveAll(dir)
		}
		var commit string
		if commit, err = git(root, "rev-parse", "--short", "--verify", against+"^{commit}"); err == nil {
			_, err = git(root, "worktree", "add", "--quiet", "--detach", checkout, commit)
		}
		if err == nil {
			all.older, err = open(commit, checkout, filepath.Join(dir, "older"))
		}
	}
	if err != nil {
		remove()
		return all, nil, err
	}
	return all, remove, nil
}

// git returns what a git command prints.
func git(dir string, args ...string) (string, error) {
	return output(dir, nil, "git", args...)
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
