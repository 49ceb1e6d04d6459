// Package schema holds schema.json and the loader of fixtures to agree. It is a
// module of its own so that its libraries stay out of the main one.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fixtures"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// beyond are the documents that the loader refuses and the schema cannot: a
// file of the archives in testdata/bad, or the number of a document in one, with what keeps a
// schema from seeing the mistake.
var beyond = map[string]string{
	// A schema is asked about a value, after all of these are gone from it.
	"count-in-another-notation.yaml#1":   notation,
	"count-in-another-notation.yaml#2":   notation,
	"count-in-another-notation.yaml#3":   notation,
	"count-in-another-notation.yaml#5":   notation,
	"count-in-another-notation.yaml#6":   notation,
	"count-in-another-notation.yaml#7":   notation,
	"service-seed-hex.yaml":              notation,
	"status-hex.yaml":                    notation,
	"numbers-json-cannot-carry.yaml":     notation,
	"reply-times-not-a-number.yaml#12":   notation,
	"empty-value-of-a-field.yaml":        empty,
	"empty-value-in-extra.yaml":          empty,
	"placeholders-without-quotes.yaml#1": empty,
	"tags.yaml#1":                        tag,
	"tags.yaml#2":                        tag,
	"tags.yaml#4":                        tag,
	"tags.yaml#6":                        tag,
	"tags.yaml#8":                        tag,
	"tags.yaml#12":                       tag,
	"utf-16-le.yaml":                     encoding,
	"utf-16-be.yaml":                     encoding,
	"bom-twice.yaml":                     encoding,
	"line-breaks-beside-escapes.yaml":    encoding,
	"line-breaks-of-yaml-1-1.yaml":       encoding,
	"empty-file.yaml":                    nothing,
	"blank-file.yaml":                    nothing,
	"bom-only.yaml":                      nothing,
	"comment-only.yaml":                  nothing,
	"document-marker-only.yaml":          nothing,
	"documents-all-empty.yaml":           nothing,

	// A schema sees one document, and does not compare one value with another.
	"duplicate-token-in-two-documents.yaml#2":   elsewhere,
	"duplicate-token-in-two-files/b.yml":        elsewhere,
	"second-service-in-another-document.yaml#2": elsewhere,
	"second-service-in-another-document.yaml#3": elsewhere,
	"second-service-in-another-file/b.yaml":     elsewhere,
	"ids-without-room-across-documents.yaml#1":  elsewhere,
	"ids-without-room-across-documents.yaml#3":  elsewhere,
	"ids-without-room.yaml":                     comparison,
	"header-twice.yaml":                         comparison,
	"reply-headers.yaml#3":                      comparison,
	"delay-range.yaml#1":                        comparison,
	"delay-range.yaml#2":                        comparison,

	// A schema does not count what these count.
	"ago-too-long.yaml":                 units,
	"delay-out-of-range.yaml#11":        units,
	"reply-always-before-the-last.yaml": "the last of a list cannot be told from the others",
	"deep-extra.yaml":                   depth,
	"deep-extra-of-mappings.yaml":       depth,
}

const (
	notation   = "how a number was written cannot be told from the number"
	empty      = "nothing after a colon is null to an editor"
	tag        = "a tag of YAML's own is gone from the value"
	encoding   = "an editor reads the encoding, and drops its marks"
	nothing    = "there is no value to ask about"
	elsewhere  = "the other half of the mistake is in another document"
	comparison = "two values would have to be compared"
	units      = "the units of a length of time cannot be added up"
	depth      = "levels cannot be counted"
)

// Every document that the loader accepts is accepted by the schema, and every
// one that it refuses is refused by the schema, save those listed in beyond.
func TestSchemaAgreesWithLoader(t *testing.T) {
	t.Parallel()
	schema := compile(t)
	stale := make(map[string]bool)
	for name := range beyond {
		stale[name] = true
	}
	asked := 0
	for folder, files := range corpora(t) {
		for _, set := range sets(t, files) {
			for _, document := range documents(t, files, set) {
				asked++
				name := document.name
				refusal := document.broken
				if refusal == nil {
					refusal = schema.Validate(document.value)
				}
				entry := name
				if _, numbered := beyond[name]; !numbered {
					entry, _, _ = strings.Cut(name, "#")
				}
				reason, listed := beyond[entry]
				delete(stale, entry)
				switch {
				case len(document.mistakes) == 0 && refusal != nil:
					t.Errorf("%s/%s is loaded, but the schema refuses it: %v", folder, name, refusal)
				case len(document.mistakes) > 0 && refusal == nil && !listed:
					t.Errorf("%s/%s is accepted by the schema, but the loader refuses it: %s", folder, name, document.mistakes[0])
				case refusal != nil && listed:
					t.Errorf("%s/%s is listed as beyond a schema (%s), but it is refused: take it off the list", folder, name, reason)
				}
			}
		}
	}
	t.Logf("asked about %d documents", asked)
	for name := range stale {
		t.Errorf("%s is listed as beyond a schema, but there is no such document", name)
	}
}

func compile(t *testing.T) *jsonschema.Schema {
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

// corpora returns the fixtures of the main module: those that are built in, and
// those of testdata, whose archives are described in archive_test.go there.
func corpora(t *testing.T) map[string]fs.FS {
	t.Helper()
	all := map[string]fs.FS{"gallery": fixtures.Gallery()}
	for _, folder := range []string{"good", "bad"} {
		archives, err := filepath.Glob("../../fixtures/testdata/" + folder + "/*.txtar")
		if err != nil || len(archives) == 0 {
			t.Fatalf("testdata/%s has no archives: %v", folder, err)
		}
		files := make(fstest.MapFS)
		for _, archive := range archives {
			unpack(t, archive, files)
		}
		all[folder] = files
	}
	return all
}

var header = regexp.MustCompile(`(?m)^-- (\S+)( quoted)? --\n`)

// unpack puts the files of an archive beside others.
func unpack(t *testing.T, archive string, files fstest.MapFS) {
	t.Helper()
	text, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	headers := header.FindAllSubmatchIndex(text, -1)
	for i, h := range headers {
		end := len(text)
		if i+1 < len(headers) {
			end = headers[i+1][0]
		}
		data := text[h[1]:end]
		if h[4] >= 0 { // quoted
			data = unquote(t, string(data))
		}
		files[string(text[h[2]:h[3]])] = &fstest.MapFile{Data: data}
	}
}

// unquote returns what lines like "text" or "text" * 3 stand for.
func unquote(t *testing.T, lines string) (data []byte) {
	t.Helper()
	for line := range strings.Lines(lines) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			t.Fatalf("%q is no quoted text", line)
		}
		text, _ := strconv.Unquote(quoted)
		times := 1
		fmt.Sscanf(line[len(quoted):], " * %d", &times)
		data = append(data, strings.Repeat(text, times)...)
	}
	return data
}

// sets returns the sets of fixtures in a folder: its files and its folders.
func sets(t *testing.T, folder fs.FS) []string {
	t.Helper()
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() || isFixture(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names
}

func isFixture(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// A document is one document of a file, as the loader and as an editor see it.
type document struct {
	name     string // of the file, # and the number of the document
	value    any    // what the schema is asked about
	broken   error  // an editor has no value, and says so
	mistakes []fixtures.Mistake
}

// documents returns the documents of a set that hold anything. Of a file that
// holds nothing at all it returns one, with the value null left out: an editor
// has nothing to ask a schema about, and takes it for valid.
func documents(t *testing.T, fsys fs.FS, set string) []document {
	t.Helper()
	var mistakes []fixtures.Mistake
	var refused *fixtures.Mistakes
	if _, err := fixtures.LoadFS(fsys, set); errors.As(err, &refused) {
		mistakes = refused.List
	} else if err != nil {
		t.Fatal(err)
	}
	files := []string{set}
	if !isFixture(set) {
		files = nil
		entries, err := fs.ReadDir(fsys, set)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if isFixture(entry.Name()) && !entry.IsDir() {
				files = append(files, path.Join(set, entry.Name()))
			}
		}
	}
	var all []document
	for _, file := range files {
		text, err := fs.ReadFile(fsys, file)
		if err != nil {
			t.Fatal(err)
		}
		list := parse(text)
		for _, mistake := range mistakes {
			if mistake.File != file {
				continue
			}
			at := len(list) - 1
			for at > 0 && list[at].line > mistake.Line {
				at--
			}
			list[at].mistakes = append(list[at].mistakes, mistake)
		}
		for i, d := range list {
			if d.empty && len(d.mistakes) == 0 {
				continue
			}
			d.document.name = fmt.Sprintf("%s#%d", file, i+1)
			if d.empty {
				d.document.value = map[string]any{}
			}
			all = append(all, d.document)
		}
	}
	return all
}

// parsed is a document with the line on which it starts.
type parsed struct {
	document
	line  int
	empty bool
}

// parse reads a file as an editor does: up to the first document that does not
// parse, each on its own.
func parse(text []byte) []parsed {
	// To YAML 1.2 these are letters like any other, to the library line breaks.
	// An editor knows the version that the library refuses.
	text = []byte(strings.NewReplacer("\u0085", "·", "\u2028", "·", "\u2029", "·", "%YAML 1.2", "%YAML 1.1").Replace(string(text)))
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var list []parsed
	for {
		var node yaml.Node
		err := decode(decoder, &node)
		if err == io.EOF {
			break
		}
		if err != nil {
			line := 1
			if len(list) > 0 {
				line = nextDocument(text, list[len(list)-1].line)
			}
			return append(list, parsed{document: document{broken: err}, line: line})
		}
		content := node.Content[0]
		p := parsed{line: node.Line, empty: content.Kind == yaml.ScalarNode && content.Tag == "!!null" && content.Value == ""}
		c := converter{own: make(map[*yaml.Node]bool)}
		c.note(content)
		p.value, p.broken = c.value(content)
		list = append(list, p)
	}
	if len(list) == 0 {
		list = append(list, parsed{line: 1, empty: true})
	}
	return list
}

// decode turns the panics of the library into errors.
func decode(decoder *yaml.Decoder, node *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: %v", p)
		}
	}()
	return decoder.Decode(node)
}

// nextDocument returns the line of the first --- after a line.
func nextDocument(text []byte, after int) int {
	for i, line := range bytes.Split(text, []byte("\n")) {
		if i+1 > after && bytes.HasPrefix(line, []byte("---")) {
			return i + 1
		}
	}
	return after
}

// A converter makes the JSON value of a document that an editor validates: by
// the core schema of YAML 1.2, in which a date is text and on is no boolean,
// with aliases and merge keys resolved.
type converter struct {
	own    map[*yaml.Node]bool // nodes of this document with an anchor
	inside []*yaml.Node
	count  int
}

func (c *converter) note(n *yaml.Node) {
	if n.Anchor != "" {
		c.own[n] = true
	}
	for _, child := range n.Content {
		c.note(child)
	}
}

// editors stop at some number of aliased values, too.
const maxValues = 300_000

func (c *converter) follow(n *yaml.Node) (*yaml.Node, error) {
	if c.count++; c.count > maxValues {
		return nil, errors.New("aliases repeat too much")
	}
	if n.Kind != yaml.AliasNode {
		return n, nil
	}
	if !c.own[n.Alias] {
		return nil, fmt.Errorf("line %d: the anchor is in another document", n.Line)
	}
	if slices.Contains(c.inside, n.Alias) {
		return nil, fmt.Errorf("line %d: the alias contains itself", n.Line)
	}
	return n.Alias, nil
}

func (c *converter) value(n *yaml.Node) (any, error) {
	n, err := c.follow(n)
	if err != nil {
		return nil, err
	}
	c.inside = append(c.inside, n)
	defer func() { c.inside = c.inside[:len(c.inside)-1] }()
	switch n.Kind {
	case yaml.SequenceNode:
		if n.Tag != "!!seq" {
			return nil, fmt.Errorf("line %d: unresolved tag %s", n.Line, n.Tag)
		}
		list := []any{}
		for _, item := range n.Content {
			value, err := c.value(item)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.MappingNode:
		if n.Tag != "!!map" {
			return nil, fmt.Errorf("line %d: unresolved tag %s", n.Line, n.Tag)
		}
		object := make(map[string]any)
		if err := c.into(object, n); err != nil {
			return nil, err
		}
		return object, nil
	}
	return scalar(n)
}

// into adds the keys of a mapping that are not there yet: its own, then those
// that it merges.
func (c *converter) into(object map[string]any, n *yaml.Node) error {
	own := make(map[string]bool)
	var merged *yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, err := c.follow(n.Content[i])
		if err != nil {
			return err
		}
		if k.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: JSON has no such key", k.Line)
		}
		key := k.Value
		if value, err := scalar(k); err != nil {
			return err
		} else if value == nil {
			key = ""
		}
		if own[key] {
			return fmt.Errorf("line %d: map keys must be unique", k.Line)
		}
		own[key] = true
		if k.Tag == "!!merge" {
			merged = n.Content[i+1]
			continue
		}
		if _, ok := object[key]; ok {
			continue
		}
		value, err := c.value(n.Content[i+1])
		if err != nil {
			return err
		}
		object[key] = value
	}
	if merged == nil {
		return nil
	}
	source, err := c.follow(merged)
	if err != nil {
		return err
	}
	sources := []*yaml.Node{merged}
	if source.Kind == yaml.SequenceNode {
		sources = source.Content
	}
	for _, source := range sources {
		target, err := c.follow(source)
		if err != nil {
			return err
		}
		if target.Kind != yaml.MappingNode {
			return fmt.Errorf("line %d: only mappings can be merged", target.Line)
		}
		c.inside = append(c.inside, target)
		err = c.into(object, target)
		c.inside = c.inside[:len(c.inside)-1]
		if err != nil {
			return err
		}
	}
	return nil
}

var (
	integers = regexp.MustCompile(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	floats   = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	infinite = regexp.MustCompile(`^([-+]?\.(inf|Inf|INF)|\.nan|\.NaN|\.NAN)$`)
)

func scalar(n *yaml.Node) (any, error) {
	text := n.Value
	if n.Style&yaml.TaggedStyle != 0 {
		switch n.Tag {
		case "!!str":
			return text, nil
		case "!!int", "!!float", "!!bool", "!!null":
		default:
			return nil, fmt.Errorf("line %d: unresolved tag %s", n.Line, n.Tag)
		}
	} else if n.Style != 0 {
		return text, nil
	}
	switch text {
	case "", "~", "null", "Null", "NULL":
		return nil, nil
	case "true", "True", "TRUE":
		return true, nil
	case "false", "False", "FALSE":
		return false, nil
	}
	switch {
	case integers.MatchString(text):
		number := new(big.Int)
		switch {
		case strings.HasPrefix(text, "0o"):
			number.SetString(text[2:], 8)
		case strings.HasPrefix(text, "0x"):
			number.SetString(text[2:], 16)
		default:
			number.SetString(strings.TrimPrefix(text, "+"), 10)
		}
		return json.Number(number.String()), nil
	case floats.MatchString(text):
		digits := strings.TrimPrefix(text, "+")
		digits = regexp.MustCompile(`^(-?)0*([0-9])`).ReplaceAllString(digits, "$1$2")
		digits = regexp.MustCompile(`^(-?)\.`).ReplaceAllString(digits, "${1}0.")
		digits = regexp.MustCompile(`\.($|[eE])`).ReplaceAllString(digits, "$1")
		return json.Number(digits), nil
	case infinite.MatchString(text):
		return json.Number("1e999"), nil // a number, if none of JSON's
	}
	return text, nil
}
