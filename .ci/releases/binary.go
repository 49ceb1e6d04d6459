package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// A binary is for one platform.
type binary struct{ system, architecture, path string }

// build builds the binary of each platform.
func (r *release) build(folder string) (binaries []binary, err error) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, architecture := range []string{"amd64", "arm64"} {
			b := binary{system, architecture, filepath.Join(folder, system, architecture, "campaignfake")}
			if system == "windows" {
				b.path += ".exe"
			}
			cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false",
				"-ldflags=-s -w -X example.com/campaignfake/fake/internal/words.stamped="+r.version, "-o", b.path, "./cmd/campaignfake")
			cmd.Dir = r.source
			// Every setting that changes what the compiler makes.
			cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+architecture, "CGO_ENABLED=0",
				"GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off")
			if said, err := cmd.CombinedOutput(); err != nil {
				return nil, fmt.Errorf("%s/%s cannot be built: %w\n%s", system, architecture, err, said)
			}
			binaries = append(binaries, b)
		}
	}
	return binaries, nil
}
