package compare

import (
	"fmt"
	"reflect"
	"strings"

	"example.com/campaignfake/fixtures"
)

// GoSyntax returns settings as Go writes them, without the fields that are zero.
func GoSyntax(settings fixtures.Service) string { return goSyntax(reflect.ValueOf(settings)) }

func goSyntax(v reflect.Value) string {
	if v.Kind() != reflect.Struct {
		text := fmt.Sprintf("%#v", v.Interface())
		return strings.ReplaceAll(text, "interface {}", "any")
	}
	var fields []string
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			name := v.Type().Field(i).Name
			fields = append(fields, name+": "+goSyntax(v.Field(i)))
		}
	}
	return "fixtures." + v.Type().Name() + "{" + strings.Join(fields, ", ") + "}"
}
