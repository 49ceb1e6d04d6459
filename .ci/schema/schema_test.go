// Package schema asks schema.json about files of fixtures. It is in this module so that the library
// that validates stays out of the main one.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fixtures"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// An editor marks no line of a file that the loader takes.
func TestSchemaTakesWhatTheLoaderTakes(t *testing.T) {
	t.Parallel()
	schema := compiled(t)
	for _, f := range corpus(t) {
		_, refused := fixtures.LoadFS(fstest.MapFS{f.name: {Data: f.text}}, f.name)
		err := validate(schema, f.text)
		if refused == nil && err != nil {
			t.Errorf("%s is loaded, but the schema refuses it: %v", f.name, err)
		}
	}
}

// An editor marks unknown keys, wrong types, numbers out of range and unknown words.
func TestSchemaRefusesSlips(t *testing.T) {
	t.Parallel()
	schema := compiled(t)
	for _, user := range []string{
		"{generat: {count: 3}}",
		"{generate: {count: many}}",
		"{generate: {count: 10001}}",
		"{replies: [{fault: rest}]}",
		"{delay: 2 seconds}",
	} {
		if validate(schema, []byte("users: {a: "+user+"}")) == nil {
			t.Errorf("the schema accepts the user %s", user)
		}
	}
}

// compiled returns the schema in the form that the library validates with.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(fixtures.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", value); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// A file is one of the corpus: of an archive of package fixtures.
type file struct {
	name string
	text []byte
}

var header = regexp.MustCompile(`(?m)^-- (\S+\.ya?ml) --\n`)

// corpus returns the files of YAML in the archives of package fixtures, whose format
// archive_test.go there describes, but for those that stand there as quoted texts.
func corpus(t *testing.T) (files []file) {
	t.Helper()
	archives, err := filepath.Glob("../../fixtures/testdata/*/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("there are no archives: %v", err)
	}
	for _, archive := range archives {
		if filepath.Base(archive) == "json.txtar" {
			continue // which the library of this test does not parse
		}
		text, err := os.ReadFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range header.FindAllSubmatchIndex(text, -1) {
			part, _, _ := bytes.Cut(text[h[1]:], []byte("\n-- "))
			files = append(files, file{string(text[h[2]:h[3]]), append(part, '\n')})
		}
	}
	if len(files) < 300 {
		t.Errorf("the corpus has only %d files", len(files))
	}
	return files
}

// validate returns what an editor says of a file: it reads each document, and asks the schema.
func validate(schema *jsonschema.Schema, text []byte) (err error) {
	defer func() {
		if p := recover(); p != nil { // of the library
			err = fmt.Errorf("yaml: %v", p)
		}
	}()
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document yaml.Node
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var value any
		plain(&document)
		if err := document.Decode(&value); err != nil {
			return err
		}
		if value == nil {
			continue // an editor takes a document with nothing in it for valid
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			return err
		}
		if value, err = jsonschema.UnmarshalJSON(bytes.NewReader(encoded)); err != nil {
			return err
		}
		if err := schema.Validate(value); err != nil {
			return err
		}
	}
}

// plain makes of scalars what they are in YAML 1.2 and in JSON: dates are text, and so are the
// keys of mappings; infinity is some number.
func plain(n *yaml.Node) {
	for i, child := range n.Content {
		isKey := n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.ScalarNode &&
			child.Tag != "!!merge"
		switch {
		case isKey && child.Tag == "!!null":
			child.Tag, child.Value = "!!str", ""
		case isKey, child.Tag == "!!timestamp" && child.Style == 0:
			child.Tag = "!!str"
		case child.Tag == "!!float" && infinite.MatchString(child.Value):
			child.Value = "0.5"
		}
		plain(child)
	}
}

var infinite = regexp.MustCompile(`(?i)^[-+]?\.(inf|nan)$`)
