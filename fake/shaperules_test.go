package fake_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fake"
)

// deepShape has each placeholder alone and in a longer text, in objects and lists, on
// three levels.
const deepShape = `{
	"id": "fixed", "{nothing}": {"$value": "{id}"},
	"one": {
		"key": "{id}",
		"two": {"name": "{name}", "budget": 7, "three": {"at": "{created_at}", "list": ["{status}", ["{updated_at}"], "{name}"], "text": "{id}: {name} <{status}>", "asText": {"$text": "{id}", "$type": "string"}}},
		"never": {"$text": "{name}", "$absent": 1}, "nil": {"$text": "{name}", "$null": 1},
		"empty": {"gone": {"$value": 1, "$absent": 1}, "list": [{"$text": "{status}", "$absent": 1}]}
	},
	"status": "{status}"
}`

// A shapeModel writes a campaign as the rules have it, in another way than the server.
type shapeModel struct{ fake.Campaign }

var fieldInText = regexp.MustCompile(`\{(id|name|created_at|updated_at|status)\}`)

func (m shapeModel) field(name string) string {
	return map[string]string{"id": m.ID, "name": m.Name, "created_at": m.CreatedAt, "updated_at": m.UpdatedAt, "status": m.Status}[name]
}

// value returns what is sent in place of a part of the shape, and whether anything is.
func (m shapeModel) value(shape any) (value any, sent bool) {
	switch shape := shape.(type) {
	case string:
		return m.text(shape)
	case []any:
		list := []any{}
		for _, item := range shape {
			if value, sent := m.value(item); sent {
				list = append(list, value)
			}
		}
		return list, true
	case map[string]any:
		if literal, is := shape["$value"]; is && shape["$absent"] == nil {
			return literal, true
		}
		if shape["$absent"] != nil || shape["$null"] != nil {
			return nil, shape["$absent"] == nil
		}
		if text, is := shape["$text"]; is {
			value, sent := m.text(text.(string))
			if number, is := value.(json.Number); is {
				value = number.String()
			}
			return value, sent
		}
		object := map[string]any{}
		for key, inner := range shape {
			if value, sent := m.value(inner); sent {
				object[key] = value
			}
		}
		return object, true
	}
	return shape, true
}

func (m shapeModel) text(text string) (value any, sent bool) {
	found := fieldInText.FindStringSubmatch(text)
	if found == nil || found[0] != text {
		return fieldInText.ReplaceAllStringFunc(text, func(word string) string { return m.field(strings.Trim(word, "{}")) }), true
	}
	name := found[1]
	if value, replaced := m.Extra[name]; replaced {
		return value, true
	}
	if slices.Contains(m.Omit, name) {
		return nil, false
	}
	canBeNumber := name == "id" || name == "created_at" || name == "updated_at"
	if digits := regexp.MustCompile(`^(0|-?[1-9]\d*)$`); canBeNumber && digits.MatchString(m.field(name)) {
		return json.Number(m.field(name)), true
	}
	return m.field(name), true
}

// lay returns a value with another laid over it.
func lay(over, under any) any {
	above, isObject := over.(map[string]any)
	below, areObjects := under.(map[string]any)
	if !isObject || !areObjects {
		return over
	}
	for key, value := range above {
		below[key] = lay(value, below[key])
	}
	return below
}

// want returns the campaign as it is sent.
func (m shapeModel) want(t *testing.T) any {
	value, _ := m.value(decodedJSON(t, deepShape))
	further := map[string]any{}
	for key, extra := range m.Extra {
		if !fieldInText.MatchString("{" + key + "}") {
			further[key] = decodedJSON(t, encodedJSON(t, extra))
		}
	}
	return decodedJSON(t, encodedJSON(t, lay(further, value)))
}

func encodedJSON(t *testing.T, value any) string {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

func decodedJSON(t *testing.T, text string) (value any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// ruledCampaigns has a campaign for each rule, and for pairs of them.
func ruledCampaigns() (list []fake.Campaign) {
	extras := []map[string]any{
		nil, {"id": nil}, {"name": ""}, {"name": map[string]any{"en": "x"}}, {"created_at": 7, "updated_at": []any{}}, {"status": true},
		{"one": 5}, {"one": nil}, {"one": map[string]any{}}, {"one": map[string]any{"key": "k", "new": 1}},
		{"one": map[string]any{"two": map[string]any{"name": nil, "three": map[string]any{"list": "l", "text": map[string]any{"a": 1}}}}},
		{"one": map[string]any{"two": map[string]any{"three": 3}, "never": 1, "nil": 2, "empty": map[string]any{"gone": false}}},
		{"one": struct {
			Key string `json:"key"`
		}{"{id}"}},
		{"new": "{id}", "": nil, "title": map[string]any{"a": []any{1, "{name}"}}, "{nothing}": 1},
		{"name": "both", "one": map[string]any{"two": map[string]any{"name": "above"}}},
	}
	for _, extra := range extras {
		for _, omit := range [][]string{nil, {"id"}, {"status"}, {"created_at", "updated_at"}, {"id", "name", "created_at", "updated_at", "status"}} {
			if slices.ContainsFunc(omit, func(name string) bool { _, replaced := extra[name]; return replaced }) {
				continue // which is a mistake
			}
			c := fake.Campaign{ID: fmt.Sprint(len(list)), Name: "n", CreatedAt: "2026-01-05T09:30:00Z", UpdatedAt: "1767605400", Status: "live", Extra: extra, Omit: omit}
			for _, name := range omit { // what is omitted is not given
				*map[string]*string{"id": &c.ID, "name": &c.Name, "created_at": &c.CreatedAt, "updated_at": &c.UpdatedAt, "status": &c.Status}[name] = ""
			}
			list = append(list, c)
		}
	}
	return append(list, fake.Campaign{}, fake.Campaign{ID: "007", Extra: map[string]any{"name": nil}})
}

// Each rule of extra, omit, null and $absent holds for a shape of three levels and for every
// edge case, and in YAML, Go and HTTP alike.
func TestRulesOfShapes(t *testing.T) {
	t.Parallel()
	service := fake.Service{IDs: "integers", Timestamps: "unix", Campaign: json.RawMessage(deepShape), Success: fake.Response{Body: "{campaigns}"}}
	for name, user := range map[string]fake.User{
		"rules": {Campaigns: ruledCampaigns()}, "edge cases": {Generate: &fake.Generate{Count: 3, EdgeCases: "all"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := encodedJSON(t, user)
			file := `{"service": {"ids": "integers", "timestamps": "unix", "campaign": ` + deepShape + `, "success": {"body": "{campaigns}"}}, "users": {"alice": ` + text + `}}`
			put := fake.NewTestServer(t, fake.WithLenient(), fake.WithService(service))
			if status, answer := steer(t, put, "PUT", "users?token=alice", text); status != 201 {
				t.Fatal(answer)
			}
			var first string
			for door, srv := range map[string]*fake.Server{
				"Go": fake.NewTestServer(t, fake.WithService(service), fake.WithUser("alice", user)), "HTTP": put,
				"YAML": fake.NewTestServer(t, fake.WithFixtures(fstest.MapFS{"a.yaml": {Data: []byte(file)}})),
			} {
				body := bodyOf(t, srv, "alice")
				if first == "" {
					first = body
				}
				if body != first {
					t.Errorf("%s: the answer is\n%s\nwant\n%s", door, body, first)
				}
			}
			sent, isList := decodedJSON(t, first).([]any)
			campaigns := srvCampaigns(service, user)
			if !isList || len(sent) != len(campaigns) {
				t.Fatalf("%d campaigns are sent, want %d", len(sent), len(campaigns))
			}
			for i, c := range campaigns {
				if want := (shapeModel{c}).want(t); !reflect.DeepEqual(sent[i], want) {
					t.Errorf("campaign %d, with the extra %v and without %q, is\n%s\nwant\n%s", i, c.Extra, c.Omit, encodedJSON(t, sent[i]), encodedJSON(t, want))
				}
			}
			if !bytes.Contains([]byte(first), []byte(`"empty":{"list":[]}`)) {
				t.Error("no object was emptied")
			}
		})
	}
}

// srvCampaigns returns the user's campaigns with all of their fields.
func srvCampaigns(s fake.Service, u fake.User) []fake.Campaign {
	list := s.Campaigns("alice", u)
	if u.Generate != nil {
		return list
	}
	for i := range list { // a longer text has fields that are omitted or replaced
		full := u.Campaigns[i]
		full.Omit, full.Extra = nil, nil
		complete := s.Campaigns("alice", fake.User{Campaigns: append(make([]fake.Campaign, i, i+1), full)})[i]
		complete.Omit, complete.Extra = list[i].Omit, list[i].Extra
		list[i] = complete
	}
	return list
}
