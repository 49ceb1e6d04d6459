package observe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	maxDepth  = 12 // levels of a tree that are described
	maxLevels = 64 // levels of an answer that is read at all
)

var byteOrderMark = []byte("\ufeff")

// decode reads one JSON value. Its numbers keep their digits.
func decode(body []byte) (value any, err error) {
	body = bytes.TrimPrefix(body, byteOrderMark)
	if levels(body) > maxLevels {
		return nil, fmt.Errorf("its JSON is nested deeper than %d levels", maxLevels)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		if kind := markupIn(body); kind != nil {
			return nil, fmt.Errorf("it answers with %s where JSON should be", typeOf(kind))
		}
		return nil, errors.New("its answer is not JSON")
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("its answer is not one JSON value")
	}
	return pruned(value), nil
}

// pruned returns a value without most keys of objects that have so many that they are data.
func pruned(value any) any {
	switch value := value.(type) {
	case map[string]any:
		few := value
		if len(value) > 2*maxKeys {
			few = make(map[string]any)
		}
		for key, inner := range value {
			if _, isList := inner.([]any); isList || len(few) <= 2*maxKeys {
				few[key] = pruned(inner)
			}
		}
		return few
	case []any:
		for i, inner := range value {
			value[i] = pruned(inner)
		}
	}
	return value
}

// levels returns how deep a text is nested, if it is JSON.
func levels(text []byte) int {
	depth, deepest, inText := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

var hasTagsOfHTML = pattern(`(?i)<(!doctype html|html|head|body|div|p|a|pre|center|h[1-6])\b`)

// markupIn returns a page, or xml, if a body is one, and nil for all others.
func markupIn(body []byte) any {
	switch {
	case !bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n\ufeff"), []byte("<")):
		return nil
	case hasTagsOfHTML(string(body)):
		return page{}
	}
	return xml{}
}

// What an answer can have in place of JSON.
type (
	theList struct{} // stands where the list of campaigns was
	page    struct{} // HTML
	xml     struct{}
	nothing struct{} // no body
	plain   string   // text
)

const listType = "the list of campaigns"

// typeOf returns the type of a value.
func typeOf(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if isInteger(value.String()) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	case theList:
		return listType
	case page:
		return "a page of HTML"
	case xml:
		return "XML"
	case nothing:
		return "no body"
	case plain:
		return "plain text"
	}
	return "object"
}

func isInteger(number string) bool {
	digits := strings.TrimPrefix(number, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}
