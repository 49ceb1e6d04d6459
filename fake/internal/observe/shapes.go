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
		if second, ok := b.(map[string]any); ok {
			both := maps.Clone(first)
			for key, value := range second {
				both[key] = merge(both[key], value)
			}
			return both
		}
	case []any:
		if second, _ := b.([]any); len(second) > 0 {
			if len(first) == 0 {
				return b
			}
			return []any{merge(first[0], second[0])}
		}
	case json.Number:
		if _, ok := b.(json.Number); ok && a != b {
			return json.Number("0.5") // one of the two is not whole
		}
	}
	if typeOf(a) != typeOf(b) {
		return nil // of any type
	}
	return a
}

// everywhere reports whether a rule holds for two values, and for what they have inside
// at the same places.
func everywhere(ours, theirs any, holds func(ours, theirs any) bool) bool {
	if !holds(ours, theirs) {
		return false
	}
	switch first := ours.(type) {
	case map[string]any:
		second, _ := theirs.(map[string]any)
		for key, value := range first {
			if other, ok := second[key]; ok && !everywhere(value, other, holds) {
				return false
			}
		}
	case []any:
		if second, _ := theirs.([]any); len(first) > 0 && len(second) > 0 {
			return everywhere(first[0], second[0], holds)
		}
	}
	return true
}

// fits reports whether two shapes have the same types, where they have the same keys.
// What is null or empty fits everything: the next page, say, is null on the last one.
func fits(ours, theirs any) bool {
	return everywhere(ours, theirs, func(ours, theirs any) bool {
		return ours == nil || theirs == nil || typeFits(typeOf(ours), typeOf(theirs))
	})
}

// typeFits reports whether a type of the fake's can be that of the service: numbers that
// have been seen may all be whole.
func typeFits(ours, theirs string) bool {
	return ours == theirs || ours == "number" && theirs == "integer"
}

// hasKeys reports whether two shapes have the same keys. What is null or empty fits
// everything.
func hasKeys(ours, theirs any) bool {
	return everywhere(ours, theirs, func(ours, theirs any) bool {
		first, ok := ours.(map[string]any)
		second, alsoOK := theirs.(map[string]any)
		return !ok || !alsoOK || slices.Equal(slices.Sorted(maps.Keys(first)), slices.Sorted(maps.Keys(second)))
	})
}

// sameTexts reports whether the texts that are known of both are the same.
func sameTexts(ours, theirs any) bool {
	return everywhere(ours, theirs, func(ours, theirs any) bool {
		first, _ := ours.(string)
		second, _ := theirs.(string)
		return first == "" || second == "" || first == second
	})
}
