package process

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Clone copies what is committed or about to be into a folder, as whoever clones the
// repository has it. It is for tests in a folder of .ci.
func Clone(folder string) error {
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = "../.."
	names, err := list.Output()
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		from, to := filepath.Join("../..", name), filepath.Join(folder, name)
		info, err := os.Stat(from)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		text, err := os.ReadFile(from)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, 0o644|info.Mode()&0o111))
		if err != nil {
			return err
		}
	}
	return nil
}
