// Package schema holds schema.json and the loader of fixtures to agree. It is in this
// module so that the library that validates stays out of the main one.
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
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fixtures"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// beyond are the files that the loader refuses and the schema cannot.
var beyond = map[string]string{
	// A schema is asked about a value, after all of these are gone from it.
	"service-seed-hex.yaml":            notation,
	"status-hex.yaml":                  notation,
	"numbers-json-cannot-carry.yaml":   notation,
	"empty-value-of-a-field.yaml":      empty,
	"empty-value-in-extra.yaml":        empty,
	"placeholders-without-quotes.yaml": empty,
	"utf-16-le.yaml":                   encoding,
	"utf-16-be.yaml":                   encoding,
	"bom-twice.yaml":                   encoding,
	"line-breaks-beside-escapes.yaml":  encoding,
	"blank-file.yaml":                  nothing,
	"bom-only.yaml":                    nothing,
	"comment-only.yaml":                nothing,
	"document-marker-only.yaml":        nothing,
	"documents-all-empty.yaml":         nothing,

	// A schema sees one document, and does not compare one value with another.
	"alias-of-another-document.yaml":          elsewhere,
	"duplicate-token-in-two-documents.yaml":   elsewhere,
	"second-service-in-another-document.yaml": elsewhere,
	"ids-without-room-across-documents.yaml":  elsewhere,
	"ids-without-room.yaml":                   comparison,
	"header-twice.yaml":                       comparison,

	// A schema does not count what these count.
	"ago-too-long.yaml":                 units,
	"reply-always-before-the-last.yaml": "the last of a list cannot be told from the others",
	"deep-extra.yaml":                   depth,
	"deep-extra-of-mappings.yaml":       depth,
}

const (
	notation   = "how a number was written cannot be told from the number"
	empty      = "nothing after a colon is null to an editor"
	encoding   = "an editor reads the encoding, and drops its marks"
	nothing    = "there is no value to ask about"
	elsewhere  = "the other half of the mistake is in another document"
	comparison = "two values would have to be compared"
	units      = "the units of a length of time cannot be added up"
	depth      = "levels cannot be counted"
)

// Every file that the loader accepts is accepted by the schema, and every one that it
// refuses is refused by the schema, save those listed in beyond.
func TestSchemaAgreesWithLoader(t *testing.T) {
	t.Parallel()
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
	for _, f := range corpus(t) {
		_, refused := fixtures.LoadFS(fstest.MapFS{f.name: {Data: f.text}}, f.name)
		err := validate(schema, f.text)
		reason, listed := beyond[f.name]
		switch {
		case refused == nil && err != nil:
			t.Errorf("%s is loaded, but the schema refuses it: %v", f.name, err)
		case refused != nil && err == nil && !listed:
			t.Errorf("%s is accepted by the schema, but the loader refuses it: %v", f.name, refused)
		case err != nil && listed:
			t.Errorf("%s is listed as beyond a schema (%s), but it is refused: take it off the list", f.name, reason)
		}
	}
}

// A file is one of the corpus: of an archive of package fixtures, or of the gallery.
type file struct {
	name string
	text []byte
}

var header = regexp.MustCompile(`(?m)^-- (\S+\.ya?ml)( quoted)? --\n`)

// corpus returns the files of YAML in the archives of package fixtures, whose format
// archive_test.go there describes.
func corpus(t *testing.T) (files []file) {
	t.Helper()
	archives, err := filepath.Glob("../../fixtures/testdata/*/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("there are no archives: %v", err)
	}
	for _, archive := range archives {
		text, err := os.ReadFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range header.FindAllSubmatchIndex(text, -1) {
			part, _, _ := bytes.Cut(text[h[1]:], []byte("\n-- "))
			if part = append(part, '\n'); h[4] >= 0 {
				part = unquote(t, string(part))
			}
			files = append(files, file{string(text[h[2]:h[3]]), part})
		}
	}
	if len(files) < 300 {
		t.Errorf("the corpus has only %d files", len(files))
	}
	return files
}

// unquote returns what lines like "text" or "text" * 3 stand for.
func unquote(t *testing.T, lines string) (data []byte) {
	t.Helper()
	for line := range strings.Lines(lines) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			continue
		}
		text, _ := strconv.Unquote(quoted)
		times := 1
		fmt.Sscanf(line[len(quoted):], " * %d", &times)
		data = append(data, strings.Repeat(text, times)...)
	}
	return data
}

// validate returns what an editor says of a file: it reads each document, and asks the schema.
func validate(schema *jsonschema.Schema, text []byte) (err error) {
	defer func() {
		if p := recover(); p != nil { // of the library
			err = fmt.Errorf("yaml: %v", p)
		}
	}()
	text = bytes.ReplaceAll(text, []byte("%YAML 1.2"), []byte("%YAML 1.1")) // which an editor knows
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
		isKey := n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.ScalarNode && child.Tag != "!!merge"
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
