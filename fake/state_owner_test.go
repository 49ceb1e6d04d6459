package fake_test

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The state of a server has one owner: outside of the files state*.go nobody sees its
// fields, and so nobody locks its mutex. Methods that need the lock held end in Locked,
// and only methods of the state call them, which hold it.
func TestStateHasOneOwner(t *testing.T) {
	t.Parallel()
	p := checkTypes(t)
	state := p.types.Scope().Lookup("state")
	if state == nil {
		t.Fatal("no type is called state")
	}
	fields := make(map[types.Object]bool)
	structure := state.Type().Underlying().(*types.Struct)
	for i := range structure.NumFields() {
		fields[structure.Field(i)] = true
	}
	locked := 0
	for _, file := range p.files {
		name := filepath.Base(p.set.Position(file.Pos()).Filename)
		owner := strings.HasPrefix(name, "state")
		for _, declaration := range file.Decls {
			ast.Inspect(declaration, func(n ast.Node) bool {
				if literal, ok := n.(*ast.CompositeLit); ok && !owner && p.info.TypeOf(literal) == state.Type() {
					t.Errorf("%s: a state is made outside of its files", p.set.Position(n.Pos()))
				}
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				used := p.info.Uses[id]
				if fields[used] && !owner {
					t.Errorf("%s: %s is a field of state, which only the files state*.go see", p.set.Position(id.Pos()), id.Name)
				}
				if method, ok := used.(*types.Func); ok && strings.HasSuffix(id.Name, "Locked") {
					locked++
					if of, caller := receiver(method), enclosing(p, declaration); of != state || receiver(caller) != state || !holdsLock(declaration) {
						t.Errorf("%s: %s needs the lock of state, and is called by what does not hold it", p.set.Position(id.Pos()), id.Name)
					}
				}
				return true
			})
		}
	}
	if len(fields) < 5 || locked == 0 {
		t.Errorf("the state has %d fields, and %d calls that need its lock: this test looks at the wrong type", len(fields), locked)
	}
}

// enclosing returns the function that a declaration declares, or nil.
func enclosing(p *checked, declaration ast.Decl) *types.Func {
	if f, ok := declaration.(*ast.FuncDecl); ok {
		return p.info.Defs[f.Name].(*types.Func)
	}
	return nil
}

// receiver returns the type that a method belongs to, or nil.
func receiver(f *types.Func) types.Object {
	if f == nil || f.Signature().Recv() == nil {
		return nil
	}
	of := f.Signature().Recv().Type()
	if pointer, ok := of.(*types.Pointer); ok {
		of = pointer.Elem()
	}
	return of.(*types.Named).Obj()
}

// holdsLock reports whether a method locks the mutex, or says in its name that it is
// held.
func holdsLock(declaration ast.Decl) (holds bool) {
	f := declaration.(*ast.FuncDecl)
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && types.ExprString(call) == "s.mu.Lock()" {
			holds = true
		}
		return true
	})
	return holds || strings.HasSuffix(f.Name.Name, "Locked")
}

// checked is the package fake with its types.
type checked struct {
	set   *token.FileSet
	files []*ast.File
	types *types.Package
	info  *types.Info
}

// checkTypes checks the package in this folder, with what the go command has compiled
// of those that it imports.
func checkTypes(t *testing.T) *checked {
	t.Helper()
	listed, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	compiled := make(map[string]string)
	for line := range strings.Lines(string(listed)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		compiled[path] = file
	}
	p := &checked{set: token.NewFileSet(), info: &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
	}}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(p.set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p.files = append(p.files, file)
	}
	config := types.Config{Importer: importer.ForCompiler(p.set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(compiled[path]) })}
	if p.types, err = config.Check("fake", p.set, p.files, p.info); err != nil {
		t.Fatal(err)
	}
	return p
}

// Each package imports those below it: cmd starts what fake serves, and fake serves
// what fixtures reads. No file is so long that nobody finds anything in it.
func TestHowTheModuleIsLaidOut(t *testing.T) {
	t.Parallel()
	const module, longest = "example.com/campaignfake/", 600 // lines
	order := map[string]int{"fixtures": 0, "fake": 1, "cmd": 2}
	files := make(map[string]int) // by the top folder
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != "." && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		if lines := bytes.Count(text, []byte("\n")); lines > longest {
			t.Errorf("%s has %d lines, more than %d", path, lines, longest)
		}
		top, _, _ := strings.Cut(path, "/")
		rank, known := order[top]
		if !known {
			t.Errorf("%s is in none of the folders %q", path, slices.Sorted(maps.Keys(order)))
		}
		files[top]++
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, imported := range file.Imports {
			of, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				return err
			}
			if below, own := strings.CutPrefix(of, module); own {
				if folder, _, _ := strings.Cut(below, "/"); order[folder] > rank {
					t.Errorf("%s imports %s, which stands above it", path, of)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(order) {
		t.Errorf("these folders have files: %v", files)
	}
}
