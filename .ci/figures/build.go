package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// A build is a way to build programs.
type build struct {
	name     string
	inlining bool // whatever the Dockerfile says
}

var (
	asImage  = build{name: "image"}
	inlining = build{name: "with inlining", inlining: true}
)

// command returns the path of campaignfake.
func (t *tree) command(b build) (string, error) {
	return t.make("campaignfake, "+b.name, func(path string) error { return t.goBuild(b, t.dir, imagePackage, path) })
}

// helper returns the path of a program of a folder of .ci/figures, built as
// campaignfake is.
func (t *tree) helper(name string, b build) (string, error) {
	return t.make(name+", "+b.name, func(path string) error { return t.goBuild(b, t.ci, "./"+name, path) })
}

// goBuild builds a package with the command of the tree's Dockerfile.
func (t *tree) goBuild(b build, dir, what, path string) error {
	dockerfile, err := os.ReadFile(filepath.Join(t.dir, "Dockerfile"))
	if err != nil {
		return err
	}
	line, err := imageBuild(string(dockerfile))
	if err != nil {
		return err
	}
	line = strings.Replace(line, imagePackage, what, 1)
	if b.inlining {
		line = compilerFlags.ReplaceAllString(line, " ")
	}
	// The image is built where there is no repository whose state would be stamped.
	goFlags := "GOFLAGS=" + os.Getenv("GOFLAGS") + " -buildvcs=false"
	_, err = output(dir, []string{"OUT=" + path, "TARGETARCH=" + runtime.GOARCH, "VERSION=", goFlags}, "sh", "-c", line)
	return err
}

const imagePackage = "./cmd/campaignfake"

var (
	compilerFlags = regexp.MustCompile(`\s-gcflags[= ]('[^']*'|"[^"]*"|\S+)`)
	outputFlag    = regexp.MustCompile(`\s-o[= ]\S+`)
)

// imageBuild returns the shell command by which a Dockerfile builds campaignfake,
// with $OUT as the file that it writes.
func imageBuild(dockerfile string) (string, error) {
	var code strings.Builder
	for line := range strings.Lines(dockerfile) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			code.WriteString(line)
		}
	}
	for line := range strings.Lines(strings.ReplaceAll(code.String(), "\\\n", " ")) {
		run, ok := strings.CutPrefix(strings.TrimSpace(line), "RUN ")
		if !ok {
			continue
		}
		for command := range strings.SplitSeq(run, "&&") {
			if strings.Contains(command, "go build") && strings.Contains(command, imagePackage) && outputFlag.MatchString(command) {
				return outputFlag.ReplaceAllString(command, ` -o "$$OUT"`), nil
			}
		}
	}
	return "", errors.New("the Dockerfile has no RUN with go build -o and " + imagePackage)
}

// program returns the path of a program of the folder _programs, which uses the
// packages of the tree. It is compiled as if it stood in the tree: the tree is not
// touched.
func (t *tree) program(name string) (string, error) {
	return t.make(name, func(path string) error {
		return t.overlaid("build", path, name, "main.go", filepath.Join("..", "measure.go"))
	})
}

// testBinary returns the path of a test binary, of one file of _programs/size.
func (t *tree) testBinary(name string) (string, error) {
	return t.make(name+".test", func(path string) error {
		return t.overlaid("test", path, "size", name+"_test.go")
	})
}

// overlaid compiles files of a folder of _programs as a package of the tree.
func (t *tree) overlaid(verb, path, folder string, files ...string) error {
	replace := make(map[string]string)
	for _, file := range files {
		replace[filepath.Join(t.dir, "cmd", "figures", filepath.Base(file))] = filepath.Join(t.ci, "_programs", folder, file)
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	overlay := path + ".overlay"
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return err
	}
	args := []string{verb, "-trimpath", "-buildvcs=false", "-overlay", overlay, "-o", path}
	if verb == "test" {
		args = append(args, "-c", "-vet=off")
	}
	if _, err := output(t.dir, nil, "go", append(args, "./cmd/figures")...); err != nil {
		return fmt.Errorf("program %s: %w", folder, err)
	}
	return nil
}
