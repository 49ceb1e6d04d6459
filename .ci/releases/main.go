// Command releases builds what a release has; .ci/release calls it.
package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A release is made of what a tag names, whatever the working tree has.
type release struct {
	version  string
	revision string
	at       time.Time // of the commit, and of everything in the release
	source   string    // folder of what is committed
	folder   string    // where the release goes
}

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

func run(version, folder string) error {
	r := &release{version: version, folder: folder}
	if err := r.check(); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "campaignfake-release-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r.source = filepath.Join(work, "source")
	if err := r.checkOut(); err != nil {
		return err
	}
	binaries, err := r.build(filepath.Join(work, "binaries"))
	if err != nil {
		return err
	}
	for _, b := range binaries {
		if err := r.archive(b); err != nil {
			return err
		}
	}
	if err := r.npm(binaries); err != nil {
		return err
	}
	if err := r.images(binaries[0]); err != nil {
		return err
	}
	return r.sums()
}

// semantic is what Go accepts as the version of a module.
var semantic = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)

// check finds the commit of the version, and makes sure that nothing else gets into the
// release.
func (r *release) check() error {
	if !semantic.MatchString(r.version) {
		return fmt.Errorf("%q is not a version; write one as v1.2.3", r.version)
	}
	if there, err := os.ReadDir(r.folder); err != nil || len(there) > 0 {
		return fmt.Errorf("%s is not an empty folder; name a new one", r.folder)
	}
	commit, err := output("git", "rev-parse", "--verify", "--quiet", "refs/tags/"+r.version+"^{commit}")
	if err != nil {
		return fmt.Errorf("there is no tag %s; make it with git tag %[1]s", r.version)
	}
	r.revision = strings.TrimSpace(string(commit))
	committed, err := output("git", "show", "--no-patch", "--format=%ct", r.revision)
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(committed)), 10, 64)
	r.at = time.Unix(seconds, 0).UTC()
	return err
}

// checkOut writes what is committed to the source folder.
func (r *release) checkOut() error {
	top, err := output("git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	text, err := output("git", "-C", strings.TrimSpace(string(top)), "archive", "--format=tar", r.revision)
	if err != nil {
		return err
	}
	if err := os.Mkdir(r.source, 0o755); err != nil {
		return err
	}
	unpack := exec.Command("tar", "-x", "-C", r.source)
	unpack.Stdin = bytes.NewReader(text)
	return unpack.Run()
}

// file returns the name of a file of the release, as campaignfake-v1.2.3-linux-amd64.tar.gz.
func (r *release) file(end string) string {
	return filepath.Join(r.folder, "campaignfake-"+r.version+end)
}

// sums writes the checksums of all files, for sha256sum -c.
func (r *release) sums() error {
	files, err := os.ReadDir(r.folder)
	if err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(r.folder, file.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(text), file.Name())
	}
	return os.WriteFile(filepath.Join(r.folder, "SHA256SUMS"), sums.Bytes(), 0o644)
}

// output runs a command, and returns what it prints.
func output(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	text, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, complaint.String())
	}
	return text, err
}
