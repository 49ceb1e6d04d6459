package observe

import (
	"encoding/json"
	"maps"
	"slices"
	"unicode"
)

// maxDepth and maxKeys bound what is concluded of nested objects.
const maxDepth, maxKeys = 4, 50

// shapeOf returns a value with its keys and types, but without what it says: texts are
// empty, and numbers 0, or 0.5 if they are not whole.
func shapeOf(value any, depth int) any {
	switch value := value.(type) {
	case string:
		return ""
	case bool:
		return false
	case json.Number:
		if isInteger(value.String()) {
			return json.Number("0")
		}
		return json.Number("0.5")
	case []any:
		if len(value) == 0 || depth == maxDepth {
			return []any{}
		}
		items := shapeOf(value[0], depth+1)
		for _, item := range value[1:] {
			items = merge(items, shapeOf(item, depth+1))
		}
		return []any{items}
	case map[string]any:
		shape := make(map[string]any)
		if depth == maxDepth || len(value) > maxKeys {
			return shape
		}
		for key, inner := range value {
			if isName(key) { // others are data
				shape[key] = shapeOf(inner, depth+1)
			}
		}
		return shape
	}
	return nil
}

// isName reports whether a key is a name that somebody gave, and no id or date.
func isName(key string) bool {
	digits := 0
	for _, r := range key {
		if '0' <= r && r <= '9' {
			digits++
		}
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return key != "" && len(key) <= 64 && digits < 4 && !hostName().MatchString(key)
}

// merge returns what two shapes have together.
func merge(a, b any) any {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	switch first := a.(type) {
	case map[string]any:
		second, ok := b.(map[string]any)
		if !ok {
			return nil // of any type
		}
		both := make(map[string]any)
		for key, value := range first {
			both[key] = value
		}
		for key, value := range second {
			both[key] = merge(both[key], value)
		}
		return both
	case []any:
		second, ok := b.([]any)
		switch {
		case !ok:
			return nil
		case len(second) == 0:
			return a
		case len(first) == 0:
			return b
		}
		return []any{merge(first[0], second[0])}
	case json.Number:
		if second, ok := b.(json.Number); ok && second == "0.5" {
			return b
		} else if ok {
			return a
		}
		return nil
	}
	if typeOf(a) != typeOf(b) {
		return nil
	}
	return a
}

// fits reports whether two shapes have the same types, where they have the same keys.
// What is null or empty fits everything: the next page, say, is null on the last one.
func fits(ours, theirs any) bool {
	if ours == nil || theirs == nil {
		return true
	}
	switch first := ours.(type) {
	case map[string]any:
		second, ok := theirs.(map[string]any)
		if !ok {
			return false
		}
		for key, value := range first {
			if other, there := second[key]; there && !fits(value, other) {
				return false
			}
		}
		return true
	case []any:
		second, ok := theirs.([]any)
		return ok && (len(first) == 0 || len(second) == 0 || fits(first[0], second[0]))
	case json.Number:
		return first == "0.5" && theirs == json.Number("0") || ours == theirs
	}
	return ours == theirs
}

// hasKeys reports whether two shapes have the same keys. What is null or empty fits
// everything.
func hasKeys(ours, theirs any) bool {
	switch first := ours.(type) {
	case map[string]any:
		second, ok := theirs.(map[string]any)
		if ok && !slices.Equal(slices.Sorted(maps.Keys(first)), slices.Sorted(maps.Keys(second))) {
			return false
		}
		for key, value := range first {
			if ok && !hasKeys(value, second[key]) {
				return false
			}
		}
	case []any:
		if second, ok := theirs.([]any); ok && len(first) > 0 && len(second) > 0 {
			return hasKeys(first[0], second[0])
		}
	}
	return true
}
