// Package limits fails when the code has become larger than one person can carry: each part
// has a number of lines that it may have.
package limits

import (
	"cmp"
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

// A part is some of the files, and what they may have together.
type part struct {
	name  string
	most  int
	has   func(file string) bool
	count func(text string) int
}

// parts are all that is limited.
var parts = []part{
	{"lines of Go in fixtures", 4000, all(code, in("fixtures")), lines},
	{"lines of Go in fake without compare", 6300, all(code, in("fake"), not(compare)), lines},
	{"lines of Go for compare", 1050, all(code, compare), lines},
	{"lines of Go in cmd without compare", 1250, all(code, in("cmd"), not(compare)), lines},
	{"lines of Go without tests", 12_600, code, lines},
	{"lines of tests", 13_000, all(tests, not(in(".ci"))), lines},
	{"lines in .ci", 2500, all(in(".ci"), not(matches(`/testdata/|lock\.json$|go\.sum$`))), lines},
	{"files of testdata", 150, matches(`/testdata/`), func(string) int { return 1 }},
	{"words in the README.md files", 6500, all(matches(`(^|/)README\.md$`), not(matches(`/testdata/`))), words},
	{"words in the README.md of the front page", 1500, matches(`^README\.md$`), words},
}

var (
	compare = matches(`compare`)
	tests   = matches(`_test\.go$`)
	code    = all(matches(`\.go$`), not(tests), not(matches(`/testdata/`)), not(in(".ci")))
)

func matches(pattern string) func(string) bool { return regexp.MustCompile(pattern).MatchString }

func in(folder string) func(string) bool {
	return func(file string) bool { return strings.HasPrefix(file, folder+"/") }
}

func not(has func(string) bool) func(string) bool {
	return func(file string) bool { return !has(file) }
}

func all(conditions ...func(string) bool) func(string) bool {
	return func(file string) bool {
		return !slices.ContainsFunc(conditions, func(has func(string) bool) bool { return !has(file) })
	}
}

func lines(text string) int { return strings.Count(text, "\n") }

func words(text string) int { return len(strings.Fields(text)) }

// files returns the text of each file that is committed or about to be.
func files(t *testing.T) map[string]string {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string)
	for name := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // it is about to be removed
		}
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	return texts
}

// Each part has at most what it may have. What has most of it is named, since something of it
// has to go.
func TestParts(t *testing.T) {
	t.Parallel()
	texts := files(t)
	for _, p := range parts {
		count, byFolder := 0, make(map[string]int)
		for name, text := range texts {
			if p.has(name) {
				count += p.count(text)
				byFolder[filepath.Dir(name)] += p.count(text)
			}
		}
		t.Logf("%d %s, of at most %d", count, p.name, p.most)
		if count > p.most {
			t.Errorf("there are %d %s, which are %d too many; most are in %s", count, p.name, count-p.most, largest(byFolder))
		}
		if count == 0 {
			t.Errorf("there are no %s: the limit is about something else now", p.name)
		}
	}
}

// largest returns the names of the three folders that have most.
func largest(byFolder map[string]int) string {
	names := make([]string, 0, len(byFolder))
	for name := range byFolder {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(byFolder[b]-byFolder[a], strings.Compare(a, b)) })
	return strings.Join(names[:min(3, len(names))], ", ")
}

// No line and no function is too long to be read at a glance. In tests tables may be.
func TestLinesAndFunctions(t *testing.T) {
	t.Parallel()
	const longest, most = 140, 60
	for name, text := range files(t) {
		if !code(name) {
			continue
		}
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
			function, ok := declared.(*ast.FuncDecl)
			if !ok {
				continue
			}
			from, to := set.Position(function.Pos()), set.Position(function.End())
			if length := to.Line - from.Line + 1; length > most {
				t.Errorf("%s:%d: the function %s has %d lines, and may have %d", name, from.Line, function.Name, length, most)
			}
		}
	}
}

// The packages that others import have few names: functions, types, methods and constants.
func TestExportedNames(t *testing.T) {
	t.Parallel()
	texts := files(t)
	for folder, most := range map[string]int{"fake": 105, "fixtures": 90} {
		var names []string
		for name, text := range texts {
			if !code(name) || filepath.Dir(name) != folder {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, exported(file)...)
		}
		t.Logf("%s exports %d names, of at most %d", folder, len(names), most)
		if len(names) > most || len(names) == 0 {
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
