package observe

import (
	"encoding/json"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fixtures/text"
)

// mostWritten bounds a value that an observation keeps, in bytes of its JSON. A larger value is
// probably a whole page or a stack trace; a placeholder replaces it (see open).
const mostWritten = 1 << 10

// openText is the placeholder that an observation writes in place of a text; see open.
const openText = "…"

// An open value is a placeholder, such as "…" for a text, 0 for a number, or [] for a list. An
// observation has it in place of a value that differs between two answers or is too large, or that
// mustNotBeWritten excludes.
type open struct{ empty any }

// MarshalJSON returns the placeholder as JSON.
func (o open) MarshalJSON() ([]byte, error) { return json.Marshal(o.empty) }

// openLike returns the placeholder for a value: "…" for a text, 0 for a number, [] for a list.
func openLike(value any) open {
	empty := emptyOf(kindOf(value))
	if empty == "" {
		empty = openText
	}
	return open{empty}
}

// shared returns what two values have in common. Probably all answers have this. The result is the
// first value, with a placeholder such as "…" wherever the second value differs. A placeholder also
// replaces a value that an observation must not keep. shared leaves out a key that only one of the
// two objects has, or that an observation must not keep.
func shared(first, second any) any {
	var all any
	switch first := first.(type) {
	case map[string]any:
		second, isObject := second.(map[string]any)
		if !isObject {
			return openLike(first)
		}
		object := make(map[string]any)
		for key, value := range first {
			other, isInBoth := second[key]
			if isInBoth && !mustNotBeWritten(key) {
				object[key] = shared(value, other)
			}
		}
		all = object
	case []any:
		second, isList := second.([]any)
		if !isList || len(first) != len(second) {
			return openLike(first)
		}
		list := make([]any, len(first))
		for i := range first {
			list[i] = shared(first[i], second[i])
		}
		all = list
	default:
		return sharedScalar(first, second)
	}
	if len(jsonOf(all)) > mostWritten {
		return openLike(first)
	}
	return all
}

// sharedScalar does what shared does, for texts, numbers, booleans and null.
func sharedScalar(first, second any) any {
	written := jsonOf(first)
	isConstant := written == jsonOf(second) && len(written) <= mostWritten
	if !isConstant || mustNotBeWritten(written) {
		return openLike(first)
	}
	return first
}

var (
	// passing matches a time of day, a UUID or a long number. Such a part changes with time, even
	// if two answers within one second have the same part.
	passing = text.Pattern(`(?i)\d\d:\d\d:\d\d|[0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{16}|\d{10}`)

	// placeholder matches a word in braces, such as {status}. In a body, the fake would replace or
	// refuse such a word.
	placeholder = text.Pattern(`\{[A-Za-z_.-]+\}`)
)

// mustNotBeWritten reports whether an observation must leave out a text, even if two answers have
// the same text. The text may have a part that changes with time, such as a UUID. Or it has a word
// in braces, such as {status}, which the fake would replace or refuse.
func mustNotBeWritten(s string) bool {
	return passing().MatchString(s) || placeholder().MatchString(s)
}

// aligned returns the argument `fake` with the placeholders of the argument `service`. Where
// `service` has a placeholder, such as "…", and `fake` has a value of the same type, the
// placeholder replaces this value. So a value that differs from answer to answer is no difference
// between fake and service. aligned changes the objects and lists of `fake`.
func aligned(fake, service any) any {
	switch service := service.(type) {
	case open:
		if kindOf(fake) == kindOf(service) {
			return service
		}
	case map[string]any:
		object, _ := fake.(map[string]any)
		for key, value := range object {
			object[key] = aligned(value, service[key])
		}
	case []any:
		list, _ := fake.([]any)
		for i := range min(len(list), len(service)) {
			list[i] = aligned(list[i], service[i])
		}
	}
	return fake
}

// valueOf returns a body as an object or a list of JSON, or else as text.
func valueOf(body []byte) any {
	value, _ := ask.DecodeJSON(body)
	switch value.(type) {
	case map[string]any, []any:
		return value
	}
	return string(body)
}

// kindOf names the type of a value of JSON, such as "text" or "a number".
func kindOf(value any) string {
	switch value := value.(type) {
	case open:
		return kindOf(value.empty)
	case nil:
		return "null"
	case string:
		return "text"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "a number"
}

// emptyOf returns the empty value of a kind that kindOf returns. An observation writes this value
// where the real value could be data of a customer.
func emptyOf(kind string) any {
	switch kind {
	case "text":
		return ""
	case "a boolean":
		return false
	case "a list":
		return []any{}
	case "an object":
		return map[string]any{}
	case "a number":
		return 0
	}
	return nil
}

// jsonOf writes a value as JSON on one line, without the escapes that are for HTML.
func jsonOf(value any) string {
	encoded, _ := text.AppendJSON(nil, value) // cannot fail: the value came from JSON
	return string(encoded)
}
