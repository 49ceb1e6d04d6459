package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

const version = "v9.8.7"

// repository makes a repository of what is committed here or about to be, with a tag.
func repository(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "campaignfake")
	if err := process.Clone(folder); err != nil {
		t.Fatal(err)
	}
	command(t, folder, "git", "init", "--quiet")
	command(t, folder, "git", "add", "--all")
	command(t, folder, "git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message=all")
	command(t, folder, "git", "tag", version)
	return folder
}

// command runs a command in a folder, and returns what it prints.
func command(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, said)
	}
	return string(said)
}

// A release has the same bytes wherever, whenever and by whomever it is made, and what
// is in it works.
func TestRelease(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "release"), filepath.Join(t.TempDir(), "again")
	command(t, repository(t), ".ci/release", version, first)
	elsewhere := repository(t)
	changed := filepath.Join(elsewhere, "fake", "doc.go") // a release is of the tag alone
	if err := os.WriteFile(changed, []byte("no Go\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	command(t, elsewhere, "sh", "-c", `umask 077; export TZ=Asia/Tokyo GOFLAGS=-tags=other; exec .ci/release "$0" "$1"`, version, second)

	names := filesOf(t, first)
	want := []string{"SHA256SUMS"}
	for _, end := range []string{"-darwin-amd64.tar.gz", "-darwin-arm64.tar.gz", "-image-linux-amd64.tar", "-image-linux-arm64.tar",
		"-image.tar", "-linux-amd64.tar.gz", "-linux-arm64.tar.gz", "-windows-amd64.zip", "-windows-arm64.zip", ".tgz"} {
		want = append(want, "campaignfake-"+version+end)
	}
	if !slices.Equal(names, want) {
		t.Fatalf("the release has %q, not %q", names, want)
	}
	for _, name := range names {
		if !bytes.Equal(read(t, first, name), read(t, second, name)) {
			t.Errorf("%s has other bytes when it is made again", name)
		}
	}
	t.Run("checksums", func(t *testing.T) { testSums(t, first) })
	t.Run("installed", func(t *testing.T) { testInstalled(t, first) })
	t.Run("tar.gz", func(t *testing.T) { testTar(t, first) })
	t.Run("zip", func(t *testing.T) { testZip(t, first) })
	t.Run("program", func(t *testing.T) { testProgram(t, first) })
	t.Run("npm", func(t *testing.T) { testNPM(t, first) })
	t.Run("image", func(t *testing.T) { testImage(t, first) })
	t.Run("image of both platforms", func(t *testing.T) { testBoth(t, first) })
}

func filesOf(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		names = append(names, file.Name())
	}
	return names
}

func read(t *testing.T, folder, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// testInstalled follows what the page of the command says of an installation.
func testInstalled(t *testing.T, release string) {
	install := strings.NewReplacer("v1.2.3", version, "linux-amd64", "linux-"+runtime.GOARCH).
		Replace(pages.Example(t, "cmd/campaignfake/README.md", "sh release"))
	said := command(t, t.TempDir(), "env", "RELEASE=file://"+release, "sh", "-ec", install)
	if !strings.Contains(said, version) {
		t.Errorf("what is installed says %s", said)
	}
}

func testSums(t *testing.T, folder string) {
	lines := strings.Split(strings.TrimSpace(string(read(t, folder, "SHA256SUMS"))), "\n")
	if files := filesOf(t, folder); len(lines) != len(files)-1 {
		t.Errorf("%d lines are about %d files", len(lines), len(files)-1)
	}
	for _, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		if got := fmt.Sprintf("%x", sha256.Sum256(read(t, folder, name))); got != sum {
			t.Errorf("the checksum of %s is %s, not %s", name, got, sum)
		}
	}
}

func testTar(t *testing.T, folder string) {
	for _, platform := range []string{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64"} {
		list := command(t, folder, "env", "TZ=UTC", "tar", "-tvzf", "campaignfake-"+version+"-"+platform+".tar.gz")
		var got []string
		for line := range strings.Lines(list) {
			fields := strings.Fields(line)
			got = append(got, strings.Join(slices.Delete(fields, 2, 3), " "))
		}
		want := []string{"-rwxr-xr-x 0/0 2026-01-02 03:04 campaignfake", "-rw-r--r-- 0/0 2026-01-02 03:04 README.md", "-rw-r--r-- 0/0 2026-01-02 03:04 THIRD_PARTY_LICENSES"}
		if !slices.Equal(got, want) {
			t.Errorf("%s has %q, not %q", platform, got, want)
		}
	}
}

func testZip(t *testing.T, folder string) {
	for _, architecture := range []string{"amd64", "arm64"} {
		r, err := zip.OpenReader(filepath.Join(folder, "campaignfake-"+version+"-windows-"+architecture+".zip"))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var got []string
		for _, file := range r.File {
			got = append(got, fmt.Sprint(file.Mode(), file.Modified.UTC().Format(" 2006-01-02 15:04 "), file.Name))
		}
		if want := []string{"-rwxr-xr-x 2026-01-02 03:04 campaignfake.exe", "-rw-r--r-- 2026-01-02 03:04 README.md", "-rw-r--r-- 2026-01-02 03:04 THIRD_PARTY_LICENSES"}; !slices.Equal(got, want) {
			t.Errorf("%s has %q, not %q", architecture, got, want)
		}
	}
}

// program returns the program for this machine, unpacked.
func program(t *testing.T, folder string) string {
	t.Helper()
	to := t.TempDir()
	command(t, to, "tar", "-xzf", filepath.Join(folder, "campaignfake-"+version+"-"+runtime.GOOS+"-"+runtime.GOARCH+".tar.gz"))
	return filepath.Join(to, "campaignfake")
}

// The program says its version, and answers.
func testProgram(t *testing.T, folder string) {
	path := program(t, folder)
	if said := command(t, folder, path, "--version"); said != "campaignfake "+version+"\n" {
		t.Errorf("the version is %q", said)
	}
	if status, _, err := process.Ask(process.Run(t, path).BaseURL, "demo"); status != 200 {
		t.Errorf("the answer is %d (%v)", status, err)
	}
}

// The engine loads the image of each platform, which says what it is.
func testImage(t *testing.T, folder string) {
	tag := "campaignfake:" + version
	for _, architecture := range []string{"arm64", "amd64"} {
		command(t, folder, "docker", "load", "--input=campaignfake-"+version+"-image-linux-"+architecture+".tar")
		said := command(t, folder, "docker", "image", "inspect", tag, "--format",
			`{{.Architecture}} {{.Created}} {{.Config.User}} {{.Config.Entrypoint}} {{.Config.Healthcheck.Test}} {{index .Config.Labels "org.opencontainers.image.version"}}`)
		if want := architecture + " 2026-01-02T03:04:05Z 65532:65532 [/campaignfake] [CMD /campaignfake health] " + version + "\n"; said != want {
			t.Errorf("the image is %s, not %s", said, want)
		}
		if architecture == runtime.GOARCH {
			if said := command(t, folder, "docker", "run", "--rm", tag, "--version"); said != "campaignfake "+version+"\n" {
				t.Errorf("in the image, the version is %q", said)
			}
		}
		command(t, folder, "docker", "image", "rm", tag)
	}
}

// In the image of both platforms, everything that is pointed at is there, with the size
// that is said, and the layer of each platform has what its configuration says.
func testBoth(t *testing.T, folder string) {
	files, err := untarred(read(t, folder, "campaignfake-"+version+"-image.tar"))
	if err != nil {
		t.Fatal(err)
	}
	follow := func(d descriptor, to any) {
		t.Helper()
		text := files[blobName(d.Digest)]
		if digestOf(text) != d.Digest || len(text) != d.Size {
			t.Fatalf("%+v has %d bytes of digest %s", d, len(text), digestOf(text))
		}
		if err := json.Unmarshal(text, to); err != nil {
			t.Fatal(err)
		}
	}
	var top, index manifest
	if err := json.Unmarshal(files["index.json"], &top); err != nil || len(top.Manifests) != 1 {
		t.Fatalf("the index is %s (%v)", files["index.json"], err)
	}
	follow(top.Manifests[0], &index)
	var platforms []string
	for _, d := range index.Manifests {
		platforms = append(platforms, d.Platform.OS+"/"+d.Platform.Architecture)
		var m manifest
		var c configuration
		follow(d, &m)
		follow(*m.Config, &c)
		if *d.Platform != c.platform || len(m.Layers) != len(c.RootFS.Diffs) {
			t.Errorf("%+v is of %+v", d, c)
		}
		for i, layer := range m.Layers {
			if _, err := (blobs{}).addLayer(files[blobName(layer.Digest)], c.RootFS.Diffs[i]); err != nil {
				t.Error(err)
			}
		}
	}
	if want := []string{"linux/amd64", "linux/arm64"}; !slices.Equal(platforms, want) {
		t.Errorf("the platforms are %q, not %q", platforms, want)
	}
}

// A release that cannot be made says what to do, and leaves no file.
func TestRefused(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "old"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	for _, test := range []struct{ version, folder, want string }{
		{"1.2.3", empty, "write one as v1.2.3"},
		{"v1.2.3/../x", empty, "write one as v1.2.3"},
		{"v0.0.0-never", empty, "git tag v0.0.0-never"},
		{"v1.2.3", full, "name a new one"},
	} {
		if err := run(test.version, test.folder); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s is refused with %v, not with %q", test.version, err, test.want)
		}
	}
	if left, err := os.ReadDir(empty); err != nil || len(left) > 0 {
		t.Errorf("there is %v (%v)", left, err)
	}
}
