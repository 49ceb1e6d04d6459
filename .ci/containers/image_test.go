package containers

import (
	"debug/elf"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// An imageInfo is what the engine says of an image.
type imageInfo struct {
	Size         int64
	Architecture string
	Config       struct {
		User        string
		Healthcheck struct{ Test []string }
		Labels      map[string]string
	}
	RootFS struct{ Layers []string }
}

func inspectImage(t *testing.T, tag string) imageInfo {
	t.Helper()
	var info []imageInfo
	if err := json.Unmarshal([]byte(docker(t, "image", "inspect", tag)), &info); err != nil {
		t.Fatal(err)
	}
	return info[0]
}

// removeImage removes an image after the test.
func removeImage(t *testing.T, tag string) {
	t.Cleanup(func() { exec.Command("docker", "image", "rm", "--force", tag).Run() })
}

// The image runs as nobody in particular, and says what it is: in its labels,
// by its command, and in the first line that a server prints.
func TestImage(t *testing.T) {
	info := inspectImage(t, image)
	if info.Config.User != "65532:65532" || len(info.Config.Healthcheck.Test) == 0 {
		t.Errorf("the image is %+v", info.Config)
	}
	for label, want := range map[string]string{"version": "v9.8.7", "revision": "0123abc", "source": "https://git.example.com/campaignfake", "title": "campaignfake"} {
		if got := info.Config.Labels["org.opencontainers.image."+label]; got != want {
			t.Errorf("the label %s is %q, not %q", label, got, want)
		}
	}
	if out := docker(t, "run", "--rm", image, "--version"); out != "campaignfake v9.8.7" {
		t.Errorf("the version is %s", out)
	}
	c := start(t, nil)
	c.awaitHealthy()
	if said := docker(t, "logs", c.name); !strings.HasPrefix(said, "campaignfake v9.8.7 serves ") {
		t.Errorf("the server prints first\n%s", said)
	}
}

// The image has the size that the page of the command states, or nearly so.
func TestStatedSize(t *testing.T) {
	sentence := regexp.MustCompile(`certificates that clients trust: ([0-9.]+) MB\.`)
	found := sentence.FindStringSubmatch(pages.Text(t, "cmd/campaignfake/README.md"))
	if found == nil {
		t.Fatalf("the page has no sentence %s", sentence)
	}
	stated, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	size := float64(inspectImage(t, image).Size) / 1e6
	t.Logf("the image has %.2f MB", size)
	if math.Abs(size-stated) > size*0.05 {
		t.Errorf("the page states %s MB, and the image has %.2f MB", found[1], size)
	}
}

// An image without build arguments says the same in its label as its command does, and
// names the module as its source.
func TestImageWithoutArguments(t *testing.T) {
	folder := t.TempDir()
	if err := process.Clone(folder); err != nil {
		t.Fatal(err)
	}
	tag := image + "-without-arguments"
	if _, err := build(folder, tag); err != nil {
		t.Fatal(err)
	}
	removeImage(t, tag)
	labels := inspectImage(t, tag).Config.Labels
	if source := labels["org.opencontainers.image.source"]; source != "https://example.com/campaignfake" {
		t.Errorf("the source is %q", source)
	}
	label := labels["org.opencontainers.image.version"]
	if said := docker(t, "run", "--rm", tag, "--version"); label == "" || said != "campaignfake "+label {
		t.Errorf("the label is %q, and the command says %q", label, said)
	}
}

// The image is built for another kind of processor, and says so.
func TestOtherPlatform(t *testing.T) {
	folder := t.TempDir()
	if err := process.Clone(folder); err != nil {
		t.Fatal(err)
	}
	tag := image + "-arm64"
	if _, err := build(folder, tag, "--platform=linux/arm64"); err != nil {
		t.Fatal(err)
	}
	removeImage(t, tag)
	if architecture := inspectImage(t, tag).Architecture; architecture != "arm64" {
		t.Errorf("the image says %s", architecture)
	}
	created := docker(t, "create", "--platform=linux/arm64", tag)
	defer docker(t, "rm", created)
	binary := filepath.Join(t.TempDir(), "campaignfake")
	docker(t, "cp", created+":/campaignfake", binary)
	file, err := elf.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if file.Machine != elf.EM_AARCH64 {
		t.Errorf("the binary is for %s", file.Machine)
	}
	if libraries, err := file.ImportedLibraries(); err != nil || len(libraries) > 0 {
		t.Errorf("the binary needs %v (%v)", libraries, err)
	}
	docker(t, "cp", created+":/etc/ssl/certs/ca-certificates.crt", filepath.Join(t.TempDir(), "ca"))
}

// After a change of code, no module is downloaded again, and none of the packages of
// others is compiled again.
func TestImageAfterChange(t *testing.T) {
	folder := t.TempDir()
	if err := process.Clone(folder); err != nil {
		t.Fatal(err)
	}
	changed, err := os.OpenFile(filepath.Join(folder, "fake", "doc.go"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(changed, "\nvar changedAt = %d\n", time.Now().UnixNano())
	if err := changed.Close(); err != nil {
		t.Fatal(err)
	}
	tag := image + "-changed"
	begin := time.Now()
	said, err := build(folder, tag)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("built after %s", time.Since(begin).Round(time.Second))
	removeImage(t, tag)
	for _, step := range []string{"RUN go mod download", "go build -trimpath $(cat /imports)"} {
		if !strings.Contains(after(said, step), "CACHED") {
			t.Errorf("after a change of code, the builder does this again: %s\n%s", step, said)
		}
	}
}

// after returns the lines that follow one with a text.
func after(text, line string) string {
	_, rest, _ := strings.Cut(text, line)
	return rest[:min(len(rest), 200)]
}

// The same code gives the same layers: on another day, in another folder, and with the
// older builder, which is no BuildKit.
func TestSameLayers(t *testing.T) {
	folder := t.TempDir()
	if err := process.Clone(folder); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(folder, func(name string, _ os.DirEntry, _ error) error {
		return os.Chtimes(name, time.Time{}, time.Unix(1e9, 0))
	})
	if err != nil {
		t.Fatal(err)
	}
	tag := image + "-again"
	cmd := exec.Command("docker", "build", "--no-cache", "--tag", tag, "--build-arg", "VERSION=v9.8.7", folder)
	cmd.Env = append(os.Environ(), "DOCKER_BUILDKIT=0")
	said, err := cmd.CombinedOutput()
	removeStages(t, string(said))
	removeImage(t, tag)
	if err != nil {
		t.Fatalf("the image cannot be built without BuildKit: %v\n%s", err, said)
	}
	first, second := inspectImage(t, image).RootFS.Layers, inspectImage(t, tag).RootFS.Layers
	if !slices.Equal(first, second) {
		t.Errorf("the layers are %v, and then %v", first, second)
	}
}

// removeStages removes after the test what a builder that is no BuildKit leaves: an image
// for each step.
func removeStages(t *testing.T, said string) {
	base := docker(t, "image", "inspect", "--format={{.Id}}", "golang:1.26")
	steps := regexp.MustCompile(`(?m)^ ---> ([0-9a-f]{12})$`).FindAllStringSubmatch(said, -1)
	for _, step := range steps {
		if !strings.HasPrefix(base, "sha256:"+step[1]) {
			removeImage(t, step[1])
		}
	}
}
