package observe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/campaignfake/fixtures/text"
)

// valueOfSetting returns the value of the setting, as JSON; "" if the settings do not have it. It
// fails if no file of fixtures can have it.
func (f finding) valueOfSetting() (string, error) {
	value, err := text.AppendJSON(nil, f.settings)
	if err != nil {
		return "", err
	}
	for _, key := range strings.Split(f.name, ".") {
		var object map[string]json.RawMessage
		err := json.Unmarshal(value, &object)
		if err != nil {
			return "", err
		}
		value = object[key]
		if value == nil {
			return "", nil
		}
	}
	return string(value), nil
}

// A file is settings and facts in YAML, line by line.
type file struct {
	text    strings.Builder
	margin  string   // before a line that has no mark
	parents []string // the keys that the last setting stands under
}

// lineWidth bounds a line, in characters, where its value can be written on several.
const lineWidth = 100

// fact writes a fact as a comment behind a mark.
func (f *file) fact(mark string, found finding) {
	fmt.Fprintf(&f.text, "%s# %s: %s\n", mark, found.name, visible(found.fact))
}

// setting writes a setting behind a mark, and the keys that it stands under, unless they are there.
func (f *file) setting(mark string, found finding) {
	keys := append([]string{"service"}, strings.Split(found.name, ".")...)
	parents := keys[:len(keys)-1]
	isThere := true
	for depth, key := range parents {
		isThere = isThere && depth < len(f.parents) && f.parents[depth] == key
		if !isThere {
			f.line(f.margin, depth, key+":")
		}
	}
	f.parents = parents
	f.value(mark, len(parents), keys[len(parents)]+":", []byte(found.value))
}

// value writes a value of JSON behind its key: on one line if that fits.
func (f *file) value(mark string, depth int, key string, value []byte) {
	line := key + " " + visible(spaced(value))
	isShort := 2*depth+utf8.RuneCountInString(line) < lineWidth
	var object map[string]json.RawMessage
	isObject := json.Unmarshal(value, &object) == nil && len(object) > 0
	var list []json.RawMessage
	isList := json.Unmarshal(value, &list) == nil && len(list) > 0
	switch {
	case isShort || !isObject && !isList:
		f.line(mark, depth, line)
	case isObject:
		f.line(mark, depth, key)
		for _, name := range slices.Sorted(maps.Keys(object)) {
			f.value(mark, depth+1, visible(string(text.AppendString(nil, name)))+":", object[name])
		}
	default:
		f.line(mark, depth, key)
		for _, element := range list {
			f.value(mark, depth+1, "-", element)
		}
	}
}

func (f *file) line(mark string, depth int, text string) {
	f.text.WriteString(mark + strings.Repeat("  ", depth) + text + "\n")
}

// visible returns a text with escapes of YAML for all characters that cannot be seen.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case strconv.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// lineBreaks are those that json.Indent writes. A text of JSON has none.
var lineBreaks = strings.NewReplacer(",\n", ", ", "\n", "")

// spaced returns JSON on one line, with a space behind colons and commas between values.
func spaced(value []byte) string {
	var b bytes.Buffer
	json.Indent(&b, value, "", "") // the value is JSON
	return lineBreaks.Replace(b.String())
}

// YAML returns the settings as a file of fixtures, which has the facts as comments.
func (o *Observation) YAML() string {
	var f file
	all := o.findings()
	for _, name := range names {
		if all[name].fact != "" {
			f.fact("", all[name])
		}
	}
	for _, name := range names {
		if all[name].value != "" {
			f.setting("", all[name])
		}
	}
	return f.text.String()
}
