package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"example.com/campaignfake/fixtures"
)

// GoSyntax returns settings as Go writes them, without the fields that are zero.
func GoSyntax(settings fixtures.Service) string { return goStruct(reflect.ValueOf(settings)) }

func goStruct(v reflect.Value) string {
	var fields []string
	for i := range v.NumField() {
		value := v.Field(i)
		if value.IsZero() {
			continue
		}
		written := goValue(value.Interface())
		if value.Kind() == reflect.Struct {
			written = goStruct(value)
		}
		fields = append(fields, v.Type().Field(i).Name+": "+written)
	}
	return "fixtures." + v.Type().Name() + "{" + strings.Join(fields, ", ") + "}"
}

// goValue returns a value of a setting, or one of JSON.
func goValue(value any) string {
	switch value := value.(type) {
	case http.Header:
		return "http.Header" + goMap(value, func(values []string) string {
			return strings.TrimPrefix(goValue(values), "[]string")
		})
	case map[string]any:
		return "map[string]any" + goMap(value, goValue)
	case []any:
		elements := make([]string, len(value))
		for i, element := range value {
			elements[i] = goValue(element)
		}
		return "[]any{" + strings.Join(elements, ", ") + "}"
	case json.RawMessage:
		var decoded any
		decoder := json.NewDecoder(bytes.NewReader(value))
		decoder.UseNumber() // which keeps the digits
		err := decoder.Decode(&decoded)
		if err != nil {
			return fmt.Sprintf("json.RawMessage(%q)", value)
		}
		return goValue(decoded)
	case json.Number:
		return value.String()
	case nil:
		return "nil"
	}
	return fmt.Sprintf("%#v", value)
}

// goMap returns the members of a map, each value as write writes it.
func goMap[V any](m map[string]V, write func(V) string) string {
	var members []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		members = append(members, fmt.Sprintf("%q: %s", key, write(m[key])))
	}
	return "{" + strings.Join(members, ", ") + "}"
}
