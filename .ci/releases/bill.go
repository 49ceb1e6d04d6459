package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// A bill lists what is in the binaries, as CycloneDX wants it.
type bill struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp time.Time `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Ref     string `json:"bom-ref"`
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"purl"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

func newComponent(kind, module, version string) component {
	url := "pkg:golang/" + module + "@" + version
	return component{Ref: url, Type: kind, Name: module, Version: version, URL: url}
}

// writeBill writes the bill of materials, and returns the version of Go. All platforms
// must have the same modules, since there is one bill for all.
func (r *release) writeBill(binaries []binary) (toolchain string, err error) {
	var components []component
	for _, b := range binaries {
		info, err := buildinfo.ReadFile(b.path)
		if err != nil {
			return "", err
		}
		toolchain = strings.TrimPrefix(info.GoVersion, "go")
		linked := []component{newComponent("library", "stdlib", toolchain)}
		for _, module := range info.Deps {
			linked = append(linked, newComponent("library", module.Path, module.Version))
		}
		if components != nil && !slices.Equal(components, linked) {
			return "", fmt.Errorf("%s/%s has other modules than %s/%s; it needs a bill of its own", b.system, b.architecture, binaries[0].system, binaries[0].architecture)
		}
		components = linked
	}
	program := newComponent("application", "example.com/campaignfake", r.version)
	all := dependency{Ref: program.Ref}
	for _, c := range components {
		all.DependsOn = append(all.DependsOn, c.Ref)
	}
	text, err := json.MarshalIndent(bill{"CycloneDX", "1.5", 1, metadata{r.at, program}, components, []dependency{all}}, "", "  ")
	if err != nil {
		return "", err
	}
	return toolchain, os.WriteFile(r.file(".cdx.json"), append(text, '\n'), 0o644)
}
