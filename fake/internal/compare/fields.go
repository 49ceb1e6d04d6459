package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/campaignfake/fixtures"
)

// documented are the fields of a campaign that the document has. They are text.
var documented = fixtures.FieldNames()

// mostFields is how many further fields a service can have. If there are more, their names are ids
// of something.
const mostFields = 100

// A field is what campaigns have under one name.
type field struct {
	kinds []string // what the values are, as kindOf names it, sorted
	count int      // how many campaigns have it
}

// missing is what a field is in campaigns that do not have it.
const missing = "missing"

// fieldsOf returns the fields of campaigns by their names: the documented fields, and each field
// that a campaign has.
func fieldsOf(campaigns []map[string]any) map[string]*field {
	fields := make(map[string]*field)
	for _, name := range documented {
		fields[name] = new(field)
	}
	for _, campaign := range campaigns {
		for name, value := range campaign {
			f := fields[name]
			if f == nil {
				f = new(field)
				fields[name] = f
			}
			f.add(kindOf(value))
			f.count++
		}
	}
	for _, f := range fields {
		if f.count < len(campaigns) {
			f.add(missing)
		}
		slices.Sort(f.kinds)
	}
	return fields
}

func (f *field) add(kind string) {
	if !slices.Contains(f.kinds, kind) {
		f.kinds = append(f.kinds, kind)
	}
}

// furtherNames returns the names of fields that the document does not have, sorted.
func furtherNames(fields map[string]*field) []string {
	var names []string
	for name := range fields {
		if !slices.Contains(documented, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// kindOf names the type of a value of JSON.
func kindOf(value any) string {
	switch value.(type) {
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

// emptyOf returns the empty value of a kind. It shows no data of a customer, and makes nothing up.
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

// concludeTypes says which documented fields are something else than text, null or missing. No
// setting can say it for all campaigns.
func concludeTypes(o *observation) conclusion {
	text, _ := o.gaps("a boolean", "a list", "a number", "an object")
	return conclusion{text: text}
}

// concludeOmit says which documented fields are missing.
func concludeOmit(o *observation) conclusion {
	text, always := o.gaps(missing)
	c := conclusion{text: text, isNote: true}
	if text == asDocumented || len(always) > 0 {
		c.hasSettings = true
		c.settings.Omit = always
	}
	return c
}

// concludeNull says which documented fields are null. These nulls and the further fields are in one
// setting, extra, so that whoever changes the nulls has to write the further fields again. A
// service without nulls has settings, too: if the fake sends null, its extra is to be changed to
// the further fields alone.
func concludeNull(o *observation) conclusion {
	text, always := o.gaps("null")
	c := conclusion{text: text, isNote: true}
	isInSome := text != asDocumented && len(always) == 0
	if isInSome {
		return c // no setting can say it of some campaigns
	}
	extra := o.extra()
	for _, name := range always {
		extra[name] = nil
	}
	c.hasSettings = true
	if len(extra) > 0 {
		c.settings.Extra = extra
	}
	return c
}

const asDocumented = "as documented"

// gaps says which documented fields are of some kinds, and returns the fields that are of one kind
// in all campaigns.
func (o *observation) gaps(kinds ...string) (text string, always []string) {
	var texts []string
	for _, name := range documented {
		found := o.fields[name].kinds
		for _, kind := range kinds {
			switch {
			case !slices.Contains(found, kind):
			case len(found) > 1:
				texts = append(texts, name+" is "+kind+" in some")
			default:
				texts = append(texts, name+" is "+kind)
				always = append(always, name)
			}
		}
	}
	if len(texts) == 0 {
		return asDocumented, nil
	}
	return strings.Join(texts, ", "), always
}

// concludeExtra says which fields campaigns have that the document does not have.
func concludeExtra(o *observation) conclusion {
	names := o.further
	switch {
	case len(names) == 0:
		return conclusion{text: "none", hasSettings: true}
	case len(names) > mostFields:
		return conclusion{text: fmt.Sprintf("%d fields", len(names))}
	}
	var texts []string
	for _, name := range names {
		kinds := o.fields[name].values()
		texts = append(texts, name+" is "+cmp.Or(strings.Join(kinds, " or "), "null"))
	}
	return conclusion{
		text:        strings.Join(texts, ", "),
		hasSettings: true,
		settings:    fixtures.Service{Extra: o.extra()},
	}
}

// values returns the kinds of values that a field has where it is there, and not null.
func (f *field) values() []string {
	return slices.DeleteFunc(slices.Clone(f.kinds), func(kind string) bool {
		return kind == missing || kind == "null"
	})
}

// extra returns the setting for further fields. A value that the setting has already stays if it is
// of the right type. All other values are empty, since those of the service belong to its
// customers.
func (o *observation) extra() map[string]any {
	extra := make(map[string]any)
	if len(o.further) > mostFields {
		return extra
	}
	for _, name := range o.further {
		kinds := o.fields[name].values()
		if len(kinds) == 0 {
			kinds = []string{"null"}
		}
		present, isPresent := o.inForce.Extra[name]
		if isPresent && slices.Contains(kinds, kindOf(present)) {
			extra[name] = present
		} else {
			extra[name] = emptyOf(kinds[0])
		}
	}
	return extra
}
