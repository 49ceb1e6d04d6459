package process

import (
	"fmt"
	"os/exec"
)

// Clone copies what is committed or about to be into a new folder, as whoever clones the
// repository has it. It is for tests in a folder of .ci.
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
