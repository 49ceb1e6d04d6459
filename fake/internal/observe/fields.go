package observe

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// fieldOf concludes what a field is from its values, of so many campaigns.
func fieldOf(values []any, campaigns int) Field {
	f := Field{count: campaigns, Missing: share(campaigns-len(values), campaigns)}
	nulls, texts, shapes := 0, []string(nil), any(nil)
	for _, value := range values {
		if value == nil {
			nulls++
			continue
		}
		f.add(value)
		switch value := value.(type) {
		case string:
			if value != "" {
				texts = append(texts, value)
			}
		case map[string]any, []any:
			shapes = merge(shapes, shapeOf(value, 0))
		}
	}
	f.Null = share(nulls, campaigns)
	switch f.Type {
	case "":
		f.Type, f.Null = "null", 0
	case "string":
		f.Kind = textKind(texts)
	case "object", "array":
		f.Shape = shapes
	}
	return f
}

// share returns a part as a share, with two digits.
func share(part, of int) float64 {
	if of == 0 {
		return 0
	}
	rounded := float64((part*200+of)/(2*of)) / 100
	switch { // that something is there is not rounded away
	case part > 0 && rounded == 0:
		return 0.01
	case part < of && rounded == 1:
		return 0.99
	}
	return rounded
}

// add takes one more value into account.
func (f *Field) add(value any) {
	kind := typeOf(value)
	switch {
	case f.Type == "" || f.Type == kind:
		f.Type = kind
	case f.Type == "integer" && kind == "number" || f.Type == "number" && kind == "integer":
		f.Type = "number"
	default:
		f.Type = "mixed"
	}
	length := 0
	switch value := value.(type) {
	case string:
		length = utf8.RuneCountInString(value)
	case json.Number:
		digits := value.String()
		f.negative = f.negative || digits[0] == '-'
		whole, decimals, _ := strings.Cut(strings.TrimPrefix(digits, "-"), ".")
		length = len(whole)
		f.decimals = max(f.decimals, len(decimals))
	}
	if f.seen++; f.seen == 1 || length < f.shortest {
		f.shortest = length
	}
	f.longest = max(f.longest, length)
}

// typeOf returns the type of a value in JSON.
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
	}
	return "object"
}

func isInteger(number string) bool {
	digits := strings.TrimPrefix(number, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}
