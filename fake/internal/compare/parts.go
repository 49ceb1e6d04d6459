package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"example.com/campaignfake/fixtures/text"
)

// The bounds of what is compared and written of one refusal. Whole pages and traces of errors are
// beyond them.
const (
	mostRead    = 64 << 10 // bytes of a body that is looked into
	mostWritten = 2 << 10  // bytes of a body, as JSON, that is compared
	mostInside  = 512      // bytes of a value in it
)

// A part is a value that two answers have in common, and so probably all answers.
type part struct {
	value   any
	leftOut []omission // the values inside that are not in common
	why     string     // why the part itself is left out; "" if it is not
}

// An omission is a part of an answer that is not compared.
type omission struct {
	path string // as error.details[0].id; "" is the whole
	why  string
}

// keyPath returns the path of a key of the object at a path. A key that would read like a path, as
// a.b, stands in brackets, as ["a.b"].
func keyPath(path, key string) string {
	readsLikePath := key == "" || strings.ContainsAny(key, ".[]")
	switch {
	case readsLikePath:
		return path + "[" + jsonOf(key) + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

func itemPath(path string, index int) string { return path + "[" + strconv.Itoa(index) + "]" }

// commonBody returns what two bodies have in common. If the whole body is left out, the value is
// an empty one of the same type.
func (o *observation) commonBody(first, second []byte) part {
	if len(first) > mostRead {
		return leftOutBody(emptyBody(first), fmt.Sprintf("has more than %d KiB", mostRead>>10))
	}
	value := valueOf(first)
	empty := emptyOf(kindOf(value))
	body := o.common("", value, valueOf(second))
	if body.why != "" {
		return leftOutBody(empty, body.why)
	}
	if len(jsonOf(body.value)) > mostWritten {
		return leftOutBody(empty, fmt.Sprintf("has more than %d KiB", mostWritten>>10))
	}
	return body
}

// leftOutBody returns a body of which only the type is known, as an empty value of it.
func leftOutBody(empty any, why string) part {
	return part{value: empty, leftOut: []omission{{why: why}}, why: why}
}

// valueOf returns a body as an object or a list of JSON, or else as text.
func valueOf(body []byte) any {
	var value any
	err := json.Unmarshal(body, &value)
	isTree := kindOf(value) == "an object" || kindOf(value) == "a list"
	if err != nil || !isTree {
		return string(body)
	}
	return value
}

// emptyBody returns an empty value of the type that a long body begins with.
func emptyBody(body []byte) any {
	first, _ := json.NewDecoder(bytes.NewReader(body)).Token()
	switch first {
	case json.Delim('{'):
		return map[string]any{}
	case json.Delim('['):
		return []any{}
	}
	return ""
}

// common returns what two values at a path have in common.
func (o *observation) common(path string, first, second any) part {
	switch first := first.(type) {
	case map[string]any:
		second, isObject := second.(map[string]any)
		if isObject {
			return o.commonObject(path, first, second)
		}
	case []any:
		second, isList := second.([]any)
		if isList && len(first) == len(second) {
			return o.commonList(path, first, second)
		}
	}
	return part{value: first, why: o.whyLeftOut(first, second)}
}

// commonObject returns what two objects have in common: an object, too.
func (o *observation) commonObject(path string, first, second map[string]any) part {
	common := make(map[string]any)
	var leftOut []omission
	for _, key := range slices.Sorted(maps.Keys(first)) {
		inside := keyPath(path, key)
		other, isInBoth := second[key]
		var p part
		switch {
		case !isInBoth:
			p.why = changes
		case o.token.isIn(key):
			p.why = "repeats the token"
		default:
			p = o.common(inside, first[key], other)
		}
		if p.why == "" && len(jsonOf(p.value)) > mostInside {
			p.why = "is long"
		}
		if p.why != "" {
			leftOut = append(leftOut, omission{inside, p.why})
			continue
		}
		common[key] = p.value
		leftOut = append(leftOut, p.leftOut...)
	}
	for _, key := range slices.Sorted(maps.Keys(second)) {
		_, isInBoth := first[key]
		if !isInBoth {
			leftOut = append(leftOut, omission{keyPath(path, key), changes})
		}
	}
	return part{value: common, leftOut: leftOut}
}

// commonList returns what two lists of the same length have in common. The list is left out if one
// of its elements is.
func (o *observation) commonList(path string, first, second []any) part {
	common := make([]any, len(first))
	var leftOut []omission
	for i := range first {
		p := o.common(itemPath(path, i), first[i], second[i])
		if p.why != "" {
			return p
		}
		common[i] = p.value
		leftOut = append(leftOut, p.leftOut...)
	}
	return part{value: common, leftOut: leftOut}
}

const changes = "changes"

var (
	// passing matches a time of day, a UUID or a long number. Two answers of the same second may
	// have one in common, though it changes.
	passing = text.Pattern(`(?i)\d\d:\d\d:\d\d|[0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{16}|\d{10}`)

	// placeholder matches a text that the fake would replace if it stood in settings.
	placeholder = text.Pattern(`\{(status|title|detail)\}`)
)

// whyLeftOut says why the values are left out that two answers have at the same path; "" if they
// are compared.
func (o *observation) whyLeftOut(first, second any) string {
	written := jsonOf(first)
	switch {
	case strings.Contains(written, madeUp):
		return "repeats the request"
	case o.token.isIn(written):
		return "repeats the token"
	case written != jsonOf(second):
		return changes
	case passing().MatchString(written):
		return "looks like a time or an id"
	case placeholder().MatchString(written):
		return "has " + placeholder().FindString(written) + ", which the fake would replace"
	}
	return ""
}

func pathsOf(list []omission) map[string]bool {
	paths := make(map[string]bool)
	for _, omission := range list {
		paths[omission.path] = true
	}
	return paths
}

// without returns a value at a path without the parts that are left out.
func without(leftOut map[string]bool, path string, value any) any {
	switch value := value.(type) {
	case map[string]any:
		rest := make(map[string]any)
		for key, element := range value {
			inside := keyPath(path, key)
			if !leftOut[inside] {
				rest[key] = without(leftOut, inside, element)
			}
		}
		return rest
	case []any:
		rest := make([]any, len(value))
		for i, element := range value {
			rest[i] = without(leftOut, itemPath(path, i), element)
		}
		return rest
	}
	return value
}
