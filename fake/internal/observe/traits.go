package observe

import (
	"bytes"
	"encoding/json"
)

// Traits are what is known of a service, by the names of settings. Some have no
// setting: nested (a list that is not at the top), head, query, accept, headers, and
// campaign.NAME, which is about a documented field.
type Traits map[string]Trait

// A Trait is one conclusion.
type Trait struct {
	// Value can be written as JSON: a word, a number, a Field, or a value whose
	// texts and numbers are left out.
	Value any

	// Once is set if only one request has shown it.
	Once bool
}

// A Field is what is known of a field of campaigns.
type Field struct {
	Type    string  `json:"type"`              // string, integer, number, boolean, null, object or array
	Kind    string  `json:"kind,omitempty"`    // of a string: uuid, url, email, or the layout of a date
	Null    float64 `json:"null,omitempty"`    // share of campaigns
	Missing float64 `json:"missing,omitempty"` // share of campaigns
	Shape   any     `json:"shape,omitempty"`   // of an object or array: its keys and types

	count             int // of campaigns
	seen              int // values that are not null
	shortest, longest int // characters of a string, digits before the point of a number
	decimals          int // digits after the point
	negative          bool
}

// same reports whether two conclusions are the same.
func same(a, b any) bool {
	first, err := json.Marshal(a)
	second, alsoErr := json.Marshal(b)
	return err == nil && alsoErr == nil && bytes.Equal(first, second)
}

// set adds a conclusion.
func (t Traits) set(name string, value any) { t[name] = Trait{Value: value} }

// confirm sets Once where the second answer shows something else.
func (t Traits) confirm(again Traits) {
	for name, trait := range t {
		other, ok := again[name]
		trait.Once = !ok || !confirms(trait.Value, other.Value)
		t[name] = trait
	}
}

// confirms reports whether a second look shows the same. Shares change with the
// campaigns that there are.
func confirms(value, again any) bool {
	field, ok := value.(Field)
	if !ok {
		return same(value, again)
	}
	other, ok := again.(Field)
	return ok && field.Type == other.Type && field.Kind == other.Kind && same(field.Shape, other.Shape)
}
