package compare_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/compare"
)

// whole returns a campaign that is as documented, but for some members, which replace its own.
func whole(members string) string {
	campaign := make(map[string]any)
	for _, text := range []string{oneCampaign, "{" + members + "}"} {
		err := json.Unmarshal([]byte(text), &campaign)
		if err != nil {
			panic(err)
		}
	}
	encoded, err := json.Marshal(campaign)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

func TestFields(t *testing.T) {
	t.Parallel()
	fields := func(count int) string {
		var members []string
		for i := range count {
			members = append(members, fmt.Sprintf(`"field%d":1`, i))
		}
		return strings.Join(members, ",")
	}
	for _, tt := range []struct {
		name      string
		campaigns []string
		finding   string
		verdict   string
		service   string
		settings  string // all that are written
	}{
		{"a number", []string{whole(`"id":1`)}, "types", "differs", "id is a number", `{}`},
		{
			"a number that is larger than a float64 can be",
			[]string{strings.Replace(whole(`"id":1`), `"id":1`, `"id":1e400`, 1)},
			"types",
			"differs",
			"id is a number",
			`{}`,
		},
		{"other types", []string{whole(`"id":{},"name":[],"status":true`)}, "types", "differs",
			"id is an object, name is a list, status is a boolean", `{}`},
		{
			name:      "a number in some",
			campaigns: []string{whole(`"id":1`), whole("")},
			finding:   "types",
			verdict:   "differs",
			service:   "id is a number in some",
			settings:  `{}`,
		},
		{"missing", []string{`{"id":"1","status":"active"}`}, "omit", "note",
			"name is missing, created_at is missing, updated_at is missing",
			`{"omit":["name","created_at","updated_at"],"ids":"sequence"}`},
		{"missing in some", []string{whole(""), `{"name":"N"}`}, "omit", "note",
			"id is missing in some, created_at is missing in some, updated_at is " +
				"missing in some, status is missing in some", `{}`},
		{
			name:      "null",
			campaigns: []string{whole(`"name":null`), whole(`"name":null`)},
			finding:   "null",
			verdict:   "note",
			service:   "name is null",
			settings:  `{"extra":{"name":null}}`,
		},
		{
			name:      "null in some",
			campaigns: []string{whole(`"name":null`), whole("")},
			finding:   "null",
			verdict:   "note",
			service:   "name is null in some",
			settings:  `{}`,
		},
		{
			name:      "null and further fields",
			campaigns: []string{whole(`"name":null,"budget":7`)},
			finding:   "null",
			verdict:   "note",
			service:   "name is null",
			settings:  `{"extra":{"budget":0,"name":null}}`,
		},
		{
			name:      "further fields",
			campaigns: []string{whole(`"a":1.5,"b":true,"c":[1],"d":{"e":1},"f":null,"g":"G"`)},
			finding:   "extra",
			verdict:   "differs",
			service: "a is a number, b is a boolean, c is a list, d is an object, " +
				"f is null, g is text",
			settings: `{"extra":{"a":0,"b":false,"c":[],"d":{},"f":null,"g":""}}`,
		},
		{
			name:      "a further field in some",
			campaigns: []string{whole(`"a":1`), whole(""), whole(`"a":null`)},
			finding:   "extra",
			verdict:   "differs",
			service:   "a is a number",
			settings:  `{"extra":{"a":0}}`,
		},
		{
			name:      "a further field of two types",
			campaigns: []string{whole(`"a":1`), whole(`"a":"1"`)},
			finding:   "extra",
			verdict:   "differs",
			service:   "a is a number or text",
			settings:  `{"extra":{"a":0}}`,
		},
		{"a hundred further fields", []string{whole(fields(100))}, "extra", "differs", "…", "…"},
		{
			name:      "more, whose names are ids",
			campaigns: []string{whole(fields(101))},
			finding:   "extra",
			verdict:   "differs",
			service:   "101 fields",
			settings:  `{}`,
		},
		{
			name:      "null beside them",
			campaigns: []string{whole(`"name":null,` + fields(101))},
			finding:   "null",
			verdict:   "note",
			service:   "name is null",
			settings:  `{"extra":{"name":null}}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, comparison(), service{list: lists(tt.campaigns...)})
			f := r.called(t, tt.finding)
			if f.Verdict != tt.verdict || f.Service != tt.service && tt.service != "…" {
				t.Errorf("found %+v, want %s: %q", f, tt.verdict, tt.service)
			}
			got := written(t, r.settings)
			if tt.settings == "…" && got == `{}` || tt.settings != "…" && got != tt.settings {
				t.Errorf("to be written are %s, want %s", got, tt.settings)
			}
		})
	}
}

// The value that a fake has for a further field stays, if it is of the type that the service has.
func TestExtraKeepsValues(t *testing.T) {
	t.Parallel()
	c := comparison()
	c.InForce.Extra = map[string]any{
		"budget": json.Number("1200"),
		"owner":  "{firstname}",
		"tags":   "none",
		"old":    1,
	}
	r := run(t, c,
		service{list: lists(whole(`"budget":7,"owner":"Ann","tags":[],"currency":"EUR"`))})
	want := `{"extra":{"budget":1200,"currency":"","owner":"{firstname}","tags":[]}}`
	if got := written(t, r.settings); got != want {
		t.Errorf("to be written are %s, want %s", got, want)
	}
}

// Nothing that a customer has written is in what is to be written.
func TestSettingsHaveNothingOfCustomers(t *testing.T) {
	t.Parallel()
	campaign := whole(`"name":"Acme","owner":"Acme","tags":["Acme"],"client":{"Acme":"Acme"},` +
		`"budget":4711`)
	r := run(t, comparison(), service{list: lists(campaign)})
	got := written(t, r.settings)
	if strings.Contains(got, "Acme") || strings.Contains(got, "4711") {
		t.Errorf("to be written are %s", got)
	}
	if f := r.called(t, "extra"); f.Verdict != compare.Differs {
		t.Errorf("found %+v", f)
	}
}
