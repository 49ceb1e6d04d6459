package observe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"
)

// documented are the fields of a campaign that the document has.
var documented = []string{"id", "name", "created_at", "updated_at", "status"}

// A listing is the body of an answer with campaigns.
type listing struct {
	envelope  string         // the field that holds the list, "none" if none does
	inside    string         // the field that holds the object with the envelope, "" if none does
	beside    map[string]any // the other fields of that object, nil without one
	campaigns []map[string]any
}

// maxFields bounds how many fields a campaign can have: where there are more, their
// names are data.
const maxFields = 200

// readListing reads the body of an answer. The error says why it holds no list.
func readListing(body []byte) (*listing, error) {
	value, err := decode(body)
	if err != nil {
		return nil, err
	}
	l := &listing{}
	items, ok := value.([]any)
	if ok {
		l.envelope = "none"
	} else if items, ok = l.search(value); !ok {
		return nil, fmt.Errorf("its JSON has no list of campaigns")
	}
	for _, item := range items {
		campaign, ok := item.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("its list holds something else than objects")
		}
		if len(campaign) > maxFields {
			return nil, fmt.Errorf("its campaigns have more than %d fields", maxFields)
		}
		l.campaigns = append(l.campaigns, campaign)
	}
	return l, nil
}

// decode reads JSON. Its numbers keep their digits.
func decode(body []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		if isHTML(body) {
			return nil, fmt.Errorf("it answers with a page of HTML where JSON should be")
		}
		return nil, fmt.Errorf("its answer is not JSON")
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("its answer is not one JSON value")
	}
	return value, nil
}

func isHTML(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n\ufeff"), []byte("<"))
}

// search looks for the list in an object, and in the objects that this holds.
func (l *listing) search(value any) (items []any, ok bool) {
	object, _ := value.(map[string]any)
	if items, ok = l.open(object); ok {
		return items, true
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		inner, _ := object[name].(map[string]any)
		if items, ok = l.open(inner); ok {
			l.inside = name
			return items, true
		}
	}
	return nil, false
}

// open takes the list out of an object that holds it.
func (l *listing) open(object map[string]any) (items []any, ok bool) {
	if l.envelope = envelopeOf(object); l.envelope == "" {
		return nil, false
	}
	l.beside = maps.Clone(object)
	delete(l.beside, l.envelope)
	return object[l.envelope].([]any), true
}

// envelopeOf returns the field of an object that holds the campaigns, "" if none does.
// Of several lists it is the one with a usual name, or else the only one of objects.
func envelopeOf(object map[string]any) string {
	var lists, ofObjects []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		items, isList := object[name].([]any)
		if !isList {
			continue
		}
		lists = append(lists, name)
		if len(items) > 0 {
			if _, isObject := items[0].(map[string]any); isObject {
				ofObjects = append(ofObjects, name)
			}
		}
	}
	for _, usual := range []string{"campaigns", "data", "items", "results"} {
		if slices.Contains(lists, usual) {
			return usual
		}
	}
	for _, candidates := range [][]string{ofObjects, lists} {
		if len(candidates) == 1 {
			return candidates[0]
		}
	}
	return ""
}

// traits returns what the list shows.
func (l *listing) traits() Traits {
	t := make(Traits)
	if l.inside != "" {
		t.set("nested", l.inside+"."+l.envelope)
	} else if l.envelope == "none" && l.beside != nil {
		t.set("nested", "none") // a field, where the setting stands for no field
	} else {
		t.set("envelope", l.envelope)
		t.set("beside", shapeOf(l.beside, 0))
	}
	if len(l.campaigns) == 0 {
		return t
	}
	fields := l.fields()
	t.set("omit", slices.DeleteFunc(slices.Clone(documented), func(name string) bool {
		_, ok := fields[name]
		return ok
	}))
	odd := 0
	for name, field := range fields {
		switch {
		case slices.Contains(documented, name):
			t.set("campaign."+name, field)
		case isName(name):
			t.set("fields."+name, field)
		default:
			odd++
		}
	}
	if odd > 0 {
		t.set("fields", odd)
	}
	l.setIDs(t)
	l.setTimestamps(t)
	l.setStatuses(t)
	return t
}

// fields returns what is known of each field.
func (l *listing) fields() map[string]Field {
	values := make(map[string][]any)
	for _, campaign := range l.campaigns {
		for name, value := range campaign {
			values[name] = append(values[name], value)
		}
	}
	fields := make(map[string]Field)
	for name, seen := range values {
		fields[name] = fieldOf(seen, len(l.campaigns))
	}
	return fields
}

// strings returns the texts of a field, without those that are empty, and whether all
// values are texts or null.
func (l *listing) strings(name string) (texts []string, all bool) {
	for _, campaign := range l.campaigns {
		switch value := campaign[name].(type) {
		case nil:
		case string:
			if value != "" {
				texts = append(texts, value)
			}
		default:
			return nil, false
		}
	}
	return texts, true
}

func (l *listing) setIDs(t Traits) {
	if id, _ := t["campaign.id"].Value.(Field); id.Type == "integer" && id.Null == 0 && id.Missing == 0 {
		t.set("ids", "integers")
		delete(t, "campaign.id") // whose type is that of a string otherwise
		return
	}
	texts, ok := l.strings("id")
	if !ok || len(texts) == 0 {
		return
	}
	t.withoutKind("campaign.id") // which ids has
	if ids := idsOf(texts); ids != "" || len(texts) > 1 {
		t.set("ids", ids)
	}
}

func (l *listing) setTimestamps(t Traits) {
	var dates []string
	for _, name := range []string{"created_at", "updated_at"} {
		if texts, ok := l.strings(name); ok {
			dates = append(dates, texts...)
			t.withoutKind("campaign." + name) // which timestamps has
		}
	}
	if len(dates) > 0 {
		t.set("timestamps", layoutOf(dates))
	}
}

// withoutKind drops what kind of texts a field has.
func (t Traits) withoutKind(name string) {
	if field, ok := t[name].Value.(Field); ok {
		field.Kind = ""
		t.set(name, field)
	}
}

// maxStatuses and maxStatus are how many statuses there are at most, and how long one
// is. What has more, or is longer, is no status.
const maxStatuses, maxStatus = 12, 30

func (l *listing) setStatuses(t Traits) {
	texts, ok := l.strings("status")
	texts = distinct(texts)
	if ok && len(texts) > 0 && len(texts) <= maxStatuses && all(texts, func(s string) bool { return utf8.RuneCountInString(s) <= maxStatus }) {
		t.set("statuses", texts)
	}
}
