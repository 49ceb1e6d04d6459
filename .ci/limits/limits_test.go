// Package limits fails when the code has become larger than one person can carry: each part
// has a number of lines that it may have.
package limits

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// root is the folder of the repository.
const root = "../.."

// A part is some of the files, by expressions for those that are in it and those that are not,
// and what they may have together.
type part struct {
	name       string
	most       int
	has, hasNo string
	count      func(text string) int
}

const notCode = `_test\.go$|/testdata/`

var parts = []part{
	{"lines of Go in fixtures", 4000, `^fixtures/.*\.go$`, notCode, lines},
	{"lines of Go in fake without compare", 6300, `^fake/.*\.go$`, notCode + `|compare`, lines},
	{"lines of Go for compare", 1050, `^(fake|cmd)/.*compare.*\.go$`, notCode, lines},
	{"lines of Go in cmd without compare", 1250, `^cmd/.*\.go$`, notCode + `|compare`, lines},
	{"lines of Go without tests", 12_600, `^(fixtures|fake|cmd)/.*\.go$`, notCode, lines},
	{"lines of tests", 13_000, `^(fixtures|fake|cmd)/.*_test\.go$`, `/testdata/`, lines},
	{"lines in .ci", 2500, `^\.ci/`, `lock\.json$|go\.sum$`, lines},
	{"files of testdata", 150, `/testdata/`, `^$`, func(string) int { return 1 }},
	{"words in the README.md files", 6500, `(^|/)README\.md$`, `/testdata/`, words},
	{"words in the README.md of the front page", 1500, `^README\.md$`, `^$`, words},
}

func lines(text string) int { return strings.Count(text, "\n") }

func words(text string) int { return len(strings.Fields(text)) }

// files returns the text of each file that is committed or about to be, by expressions for
// those that are wanted and those that are not.
func files(t *testing.T, has, hasNo string) map[string]string {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string)
	for name := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		if !regexp.MustCompile(has).MatchString(name) || regexp.MustCompile(hasNo).MatchString(name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // it is about to be removed
		}
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	if len(texts) == 0 {
		t.Fatalf("there are no files %s: the limit is about something else now", has)
	}
	return texts
}

// Each part has at most what it may have. The folder that has most of it is named, since
// something of it has to go.
func TestParts(t *testing.T) {
	t.Parallel()
	for _, p := range parts {
		count, byFolder, largest := 0, make(map[string]int), ""
		for name, text := range files(t, p.has, p.hasNo) {
			folder, n := filepath.Dir(name), p.count(text)
			count += n
			if byFolder[folder] += n; byFolder[folder] > byFolder[largest] {
				largest = folder
			}
		}
		t.Logf("%d %s, of at most %d", count, p.name, p.most)
		if count > p.most {
			t.Errorf("there are %d %s, which are %d too many; most are in %s", count, p.name, count-p.most, largest)
		}
	}
}

// No line and no function is too long to be read at a glance. In tests tables may be.
func TestLinesAndFunctions(t *testing.T) {
	t.Parallel()
	const longest, most = 140, 60
	for name, text := range files(t, `\.go$`, notCode) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			if length := utf8.RuneCountInString(strings.TrimRight(line, "\n")); length > longest {
				t.Errorf("%s:%d: the line has %d characters, and may have %d", name, number, length, longest)
			}
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range file.Decls {
			from, to := set.Position(declared.Pos()).Line, set.Position(declared.End()).Line
			if f, ok := declared.(*ast.FuncDecl); ok && to-from+1 > most {
				t.Errorf("%s:%d: the function %s has %d lines, and may have %d", name, from, f.Name, to-from+1, most)
			}
		}
	}
}

// The packages that others import have few names: functions, types, methods and constants.
func TestExportedNames(t *testing.T) {
	t.Parallel()
	for folder, most := range map[string]int{"fake": 105, "fixtures": 90} {
		var names []string
		for name, text := range files(t, `^`+folder+`/[^/]*\.go$`, notCode) {
			file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, exported(file)...)
		}
		t.Logf("%s exports %d names, of at most %d", folder, len(names), most)
		if len(names) > most {
			slices.Sort(names)
			t.Errorf("%s exports %d names, and may export %d: %s", folder, len(names), most, strings.Join(names, ", "))
		}
	}
}

var exportedReceiver = regexp.MustCompile(`^\*?[A-Z]`)

// exported returns the names that a file exports.
func exported(file *ast.File) (names []string) {
	ast.FileExports(file) // leaves the others out, but for methods of types that are not exported
	for _, declared := range file.Decls {
		switch declared := declared.(type) {
		case *ast.FuncDecl:
			if declared.Recv == nil || exportedReceiver.MatchString(types.ExprString(declared.Recv.List[0].Type)) {
				names = append(names, declared.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range declared.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}
