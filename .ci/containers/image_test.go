package containers

import (
	"debug/elf"
	"encoding/json"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

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
