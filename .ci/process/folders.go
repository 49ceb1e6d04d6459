package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Clone copies what is committed or about to be into a new folder, as whoever clones the
// repository has it. It is for tests in a folder of .ci, as are the other functions.
func Clone(folder string) error {
	const script = `umask 022; mkdir -p "$0"
		git ls-files -z --cached --others --exclude-standard |
			tar -c --null --ignore-failed-read -T - |
			tar -x -C "$0" --no-same-owner`
	copied := exec.Command("sh", "-ec", script, folder)
	copied.Dir = "../.."
	if said, err := copied.CombinedOutput(); err != nil {
		return fmt.Errorf("the repository cannot be copied: %w\n%s", err, said)
	}
	return nil
}

// Write writes files into a folder.
func Write(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Link makes a link in a folder to what is at a path from the root of the repository.
func Link(t *testing.T, folder, name, path string) {
	t.Helper()
	target, err := filepath.Abs(filepath.Join("../..", path))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
		t.Fatal(err)
	}
}
