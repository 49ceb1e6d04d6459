package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
)

// command returns the path of campaignfake.
func (t *tree) command() string {
	return t.make("campaignfake", func(path string) { t.buildAsImage(t.dir, "./cmd/campaignfake", path) })
}

// reference returns the path of a program of a folder of .ci/figures, built as
// campaignfake is.
func (t *tree) reference(name string) string {
	return t.make(name, func(path string) { t.buildAsImage(t.ci, "./"+name, path) })
}

// imageBuild finds the command by which a Dockerfile builds campaignfake.
var imageBuild = regexp.MustCompile(`(CGO_ENABLED=0 (?:[^&\n]|\\\n)*)-o \S+ \./cmd/campaignfake`)

// buildAsImage builds a package with the command of the tree's Dockerfile.
func (t *tree) buildAsImage(dir, what, path string) {
	found := imageBuild.FindSubmatch(must(os.ReadFile(filepath.Join(t.dir, "Dockerfile"))))
	if found == nil {
		check(errors.New("the Dockerfile has no go build -o … ./cmd/campaignfake"))
	}
	// The image is built where there is no repository whose state would be stamped.
	env := []string{"TARGETARCH=" + runtime.GOARCH, "VERSION=", "GOFLAGS=" + os.Getenv("GOFLAGS") + " -buildvcs=false"}
	must(output(dir, env, "sh", "-c", string(found[1])+`-o "$0" "$1"`, path, what))
}

// program returns the path of the program in the folder _program, which uses the
// packages of the tree.
func (t *tree) program() string {
	return t.make("program", func(path string) { t.overlaid("main.go", path, "build") })
}

// testBinary returns the path of the binary that go test makes of a file of _program.
func (t *tree) testBinary(file string) string {
	return t.make(file+".binary", func(path string) { t.overlaid(file, path, "test", "-c", "-vet=off") })
}

// overlaid compiles a file of the tree's own _program, which calls what the tree exports,
// as a package of its own: the tree is not touched.
func (t *tree) overlaid(file, path string, command ...string) {
	stands := map[string]string{filepath.Join(t.dir, "cmd", "figures", file): filepath.Join(t.dir, ".ci", "figures", "_program", file)}
	overlay := path + ".overlay"
	check(os.WriteFile(overlay, must(json.Marshal(map[string]any{"Replace": stands})), 0o600))
	must(output(t.dir, nil, "go", append(command, "-trimpath", "-buildvcs=false", "-overlay", overlay, "-o", path, "./cmd/figures")...))
}
