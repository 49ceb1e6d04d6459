package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

// typed are words that end in what is to be completed, with what becomes of them.
var typed = []struct{ words, completed string }{
	{"campaignfake req", "campaignfake requests"},
	{"campaignfake help vers", "campaignfake help version"},
	{"campaignfake --log-f", "campaignfake --log-format"},
	{"campaignfake --log-format j", "campaignfake --log-format json"},
	{"campaignfake --log-format=j", "campaignfake --log-format=json"},
	{"campaignfake check so", "campaignfake check some.yaml"},
	{"campaignfake --ready-file=so", "campaignfake --ready-file=some.yaml"},
	{"campaignfake completion z", "campaignfake completion zsh"},
}

// inShell runs a script in a folder with a file, in which campaignfake is a command.
func inShell(t *testing.T, name string, args ...string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "some.yaml"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	shell := exec.Command(name, args...)
	shell.Dir = folder
	shell.Env = append(os.Environ(), "HOME="+folder, "TERM=xterm", "PATH="+filepath.Dir(process.Program())+":"+os.Getenv("PATH"))
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%s ends with %v: %s", name, err, out)
	}
	return string(out)
}

// documented returns the line by which the page of the command has a shell complete.
func documented(t *testing.T, shell string) string {
	t.Helper()
	for line := range strings.Lines(pages.Example(t, "cmd/campaignfake/README.md", "sh shell")) {
		if command, _, _ := strings.Cut(line, "  #"); strings.Contains(command, shell) {
			return strings.TrimSpace(command)
		}
	}
	t.Fatalf("there is no line for %s", shell)
	return ""
}

// What the page of the command has in ~/.bashrc makes bash complete.
func TestCompletionInBash(t *testing.T) {
	t.Parallel()
	out := inShell(t, "bash", "-c", documented(t, "bash")+"; complete -p campaignfake")
	if !strings.Contains(out, "campaignfake") {
		t.Errorf("bash has %q", out)
	}
}

// fish is asked for its candidates.
func TestCompletionInFish(t *testing.T) {
	t.Parallel()
	script := "campaignfake completion fish | source\n"
	for _, line := range typed {
		script += "echo \"<\"(complete -C '" + line.words + "' | string replace -r '\\t.*' '' | string join '|')\">\"\n"
	}
	out := strings.Split(inShell(t, "fish", "--no-config", "-c", script), "\n")
	for i, line := range typed {
		want := line.completed[strings.LastIndex(line.completed, " ")+1:]
		if i >= len(out) || out[i] != "<"+want+">" {
			t.Errorf("fish completes %q with %q, want %s", line.words, out[min(i, len(out)-1)], want)
		}
	}
}

// zsh runs in a terminal, in which somebody types, and presses the tabulator. Then the
// line is put into quotes and printed. The marks are typed in halves, so that only what
// is printed has them whole.
func TestCompletionInZsh(t *testing.T) {
	t.Parallel()
	for name, load := range map[string]string{
		"sourced":  "autoload -U compinit; compinit -u -d $HOME/dump; " + documented(t, "zsh"),
		"in fpath": "mkdir $HOME/f; campaignfake completion zsh >$HOME/f/_campaignfake; fpath=($HOME/f $fpath); autoload -U compinit; compinit -u -d $HOME/dump",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := "zmodload zsh/zpty\nzpty z zsh -f -i\nzpty -w z 'PS1=; " + load + "; print -r \"RE\"\"ADY\"'\nzpty -r z out '*READY*'\n"
			for _, line := range typed {
				script += "zpty -n -w z $'" + line.words + "\\t\\x01print -r -- \"BE\"\"GIN<\\x05>E\"\"ND\"\\n'\nzpty -r z out '*BEGIN<*>END*'\nprint -r -- ${${out##*BEGIN<}%>END*}\n"
			}
			out := strings.Split(inShell(t, "zsh", "-f", "-c", script), "\n")
			for i, line := range typed {
				if i >= len(out) || strings.TrimRight(out[i], " ") != line.completed {
					t.Errorf("zsh completes %q to %q, want %s", line.words, out[min(i, len(out)-1)], line.completed)
				}
			}
		})
	}
}
