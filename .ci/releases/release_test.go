// Package releases makes a release of what is here, and uses it as people do.
package releases

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

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
	command(t, folder, "sh", "-ec", `git init --quiet && git add --all
		export GIT_AUTHOR_DATE=2026-01-02T03:04:05Z GIT_COMMITTER_DATE=2026-01-02T03:04:05Z
		git -c user.name=a -c user.email=a@example.com commit --quiet --message=all
		git tag `+version)
	return folder
}

// command runs a command in a folder, and returns what it prints.
func command(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, said)
	}
	return string(said)
}

// A release has the same bytes wherever, whenever and by whomever it is made, and what
// is in it works.
func TestRelease(t *testing.T) {
	t.Parallel()
	first := filepath.Join(t.TempDir(), "release")
	command(t, repository(t), ".ci/release", version, first)
	want := []string{
		"SHA256SUMS",
		"campaignfake-" + version + "-darwin-amd64.tar.gz",
		"campaignfake-" + version + "-darwin-arm64.tar.gz",
		"campaignfake-" + version + "-linux-amd64.tar.gz",
		"campaignfake-" + version + "-linux-arm64.tar.gz",
		"campaignfake-" + version + "-windows-amd64.tar.gz",
		"campaignfake-" + version + "-windows-arm64.tar.gz",
		"campaignfake-" + version + ".tgz",
	}
	if names := filesOf(t, first); !slices.Equal(names, want) {
		t.Fatalf("the release has %q, not %q", names, want)
	}
	checked := command(t, first, "sha256sum", "--check", "--strict", "SHA256SUMS")
	if count := strings.Count(checked, ": OK\n"); count != len(want)-1 {
		t.Errorf("%d sums are there for %d files", count, len(want)-1)
	}
	t.Run("again", func(t *testing.T) { testAgain(t, first) })
	t.Run("installed", func(t *testing.T) { testInstalled(t, first) })
	t.Run("npm", func(t *testing.T) { testNPM(t, first) })
}

// testAgain makes an archive of a release again: elsewhere, with other settings, and with changes
// since the tag. To make one takes a fraction of the time.
func testAgain(t *testing.T, release string) {
	t.Parallel()
	elsewhere := repository(t)
	again := filepath.Join(t.TempDir(), "again")
	command(t, elsewhere, "sh", "-ec", `
		echo "no Go" >fake/doc.go
		sed -i 's|^for platform in linux/amd64 .*;|for platform in linux/amd64;|' .ci/release
		umask 077
		TZ=Asia/Tokyo GOFLAGS=-tags=other .ci/release "$0" "$1"`, version, again)
	if names := filesOf(t, again); len(names) != 3 {
		t.Fatalf("made again, the release has %q", names)
	}
	name := "campaignfake-" + version + "-linux-amd64.tar.gz"
	if !bytes.Equal(read(t, release, name), read(t, again, name)) {
		t.Errorf("%s has other bytes when it is made again", name)
	}
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

// testInstalled takes the binary for this machine out of its archive, and asks its server.
func testInstalled(t *testing.T, release string) {
	t.Parallel()
	folder := t.TempDir()
	archive := "campaignfake-" + version + "-linux-" + runtime.GOARCH + ".tar.gz"
	command(t, folder, "tar", "-xzf", filepath.Join(release, archive), "campaignfake")
	said := command(t, folder, "./campaignfake", "version")
	if !strings.Contains(said, "campaignfake "+version+"\n") {
		t.Errorf("what is installed says %s", said)
	}
	server := process.Run(t, filepath.Join(folder, "campaignfake"))
	if status, _, err := process.Ask(server.BaseURL, "demo"); status != 200 {
		t.Errorf("the answer is %d (%v)", status, err)
	}
}

// A release that cannot be made says what to do, and leaves no file.
func TestRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for version, want := range map[string]string{
		"1.2.3":        "write one as v1.2.3",
		"v1.2.3/../x":  "write one as v1.2.3",
		"v0.0.0-never": "git tag v0.0.0-never",
	} {
		said, err := exec.Command("../release", version, folder).CombinedOutput()
		if err == nil || !strings.Contains(string(said), want) {
			t.Errorf("%s: it is refused with %v and %q, not with %q", version, err, said, want)
		}
	}
	if left := filesOf(t, folder); len(left) > 0 {
		t.Errorf("there is %v", left)
	}
}
