package fake_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "print the fields of the model into model.go")

// go doc shows nothing of what an alias stands for, so the comments of the aliases list
// its fields. -update prints them.
func TestModelListsTheFields(t *testing.T) {
	t.Parallel()
	const file = "model.go"
	was, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	structs := structsOf(t, "../fixtures")
	alias := regexp.MustCompile(`(?m)(?:^\t//\n(?:^\t//\t.*\n)+)?^\t(\w+) += fixtures\.(\w+)$`)
	printed := alias.ReplaceAllFunc(was, func(found []byte) []byte {
		name := string(alias.FindSubmatch(found)[2])
		line := "\t" + name + " = fixtures." + name
		if s := structs[name]; s != nil {
			return []byte(fieldsOf(t, s) + line)
		}
		return []byte(line)
	})
	if printed, err = format.Source(printed); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, printed, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(printed, was) {
		t.Errorf("%s does not list the fields of package fixtures as they are; run go test ./fake -run TestModel -update", file)
	}
}

// structsOf returns the structs that are declared in a folder, by their names.
func structsOf(t *testing.T, folder string) map[string]*ast.StructType {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	structs := make(map[string]*ast.StructType)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if s, ok := spec.Type.(*ast.StructType); ok {
					structs[spec.Name.Name] = s
				}
			}
			return true
		})
	}
	return structs
}

// fieldsOf lists the exported fields of a struct for a comment: each with its type, and
// the first sentence of its own comment.
func fieldsOf(t *testing.T, s *ast.StructType) string {
	var b strings.Builder
	b.WriteString("\t//\n")
	for _, field := range s.Fields.List {
		var names []string
		for _, name := range field.Names {
			if name.IsExported() {
				names = append(names, name.Name)
			}
		}
		if names == nil {
			continue
		}
		var kind bytes.Buffer
		if err := format.Node(&kind, token.NewFileSet(), field.Type); err != nil {
			t.Fatal(err)
		}
		b.WriteString("\t//\t" + strings.Join(names, ", ") + " " + kind.String() + "\n")
		text := field.Doc.Text() + field.Comment.Text()
		for _, line := range wrapped(new(doc.Package).Synopsis(text), 76) {
			b.WriteString("\t//\t    " + line + "\n")
		}
	}
	return b.String()
}

// wrapped breaks a text into lines of at most so many bytes, if its words allow it.
func wrapped(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
