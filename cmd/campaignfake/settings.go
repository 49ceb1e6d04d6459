package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// settingsYAML returns settings as a file of fixtures, as people write YAML: each key on a line of
// its own, with quotes only where they are needed.
func settingsYAML(settings fixtures.Service) (string, error) {
	encoded, err := json.Marshal(settings)
	if err != nil {
		return "", err
	}
	decoder := json.NewDecoder(bytes.NewReader(encoded)) // by tokens, which keep the order of keys
	decoder.UseNumber()
	value, err := yamlValue(decoder, "  ")
	return "service:" + value, err
}

// yamlValue returns the next value of JSON as it stands behind a colon or a dash in YAML, to the
// end of its last line.
func yamlValue(decoder *json.Decoder, indent string) (string, error) {
	token, err := decoder.Token()
	if err != nil {
		return "", err
	}
	switch token := token.(type) {
	case json.Delim:
		return yamlLines(decoder, token == '{', indent)
	case string:
		return " " + yamlText(token) + "\n", nil
	case nil:
		return " null\n", nil
	}
	return fmt.Sprintf(" %v\n", token), nil
}

// yamlLines returns the rest of a list, or of an object, with a line for each of its values. The
// first line of one that has several stands behind its dash.
func yamlLines(decoder *json.Decoder, isObject bool, indent string) (string, error) {
	if !decoder.More() {
		end, err := decoder.Token()
		empty := map[json.Delim]string{']': " []\n", '}': " {}\n"}
		return empty[end.(json.Delim)], err
	}
	lines := "\n"
	inner := indent + "  "
	for decoder.More() {
		lead := "-"
		if isObject {
			key, err := decoder.Token()
			if err != nil {
				return "", err
			}
			lead = yamlText(key.(string)) + ":"
		}
		value, err := yamlValue(decoder, inner)
		if err != nil {
			return "", err
		}
		first, isBlock := strings.CutPrefix(value, "\n"+inner)
		if isBlock && !isObject {
			value = " " + first
		}
		lines += indent + lead + value
	}
	_, err := decoder.Token() // the end
	return lines, err
}

var (
	// startsPlain matches what can begin a text without quotes.
	startsPlain = text.Pattern(`^[\pL\d_/<(]`)

	// needsQuotes matches what is something else without quotes: a key, a comment, a number, or a
	// word that is no text.
	needsQuotes = text.Pattern(`(?i): |:$| #|\s$|^[\d._][\d._:+exaobcdf-]*$|^(true|false|null|<<)$`)
)

// yamlText returns a text without quotes if YAML reads it as the same text then.
func yamlText(value string) string {
	isHidden := func(r rune) bool { return !strconv.IsPrint(r) }
	canBePlain := startsPlain().MatchString(value) && !needsQuotes().MatchString(value)
	if canBePlain && !strings.ContainsFunc(value, isHidden) {
		return value
	}
	return strconv.Quote(value) // whose escapes YAML has, too
}
