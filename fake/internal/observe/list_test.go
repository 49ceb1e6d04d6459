package observe_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fixtures"
)

// whole returns the JSON of a documented campaign. members replace members of the same name.
func whole(members string) string {
	campaign := make(map[string]json.RawMessage)
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

// times returns count copies of a text, with the number of each copy in place of #.
func times(count int, text string) []string {
	var all []string
	for i := range count {
		all = append(all, strings.ReplaceAll(text, "#", fmt.Sprintf("%02d", i)))
	}
	return all
}

// The findings about the fields of campaigns. They have no text that a customer has written.
func TestList(t *testing.T) {
	t.Parallel()
	const sorted = `"created_at":"2025-01-05T09:30:#Z"`
	const others = `"updated_at":"2025-01-05T09:30:00Z","name":"N"`
	backwards := times(8, whole(
		`"updated_at":"2025-01-05T09:#:00Z","created_at":"2025-01-05T09:30:00Z"`))
	slices.Reverse(backwards)
	hundred := strings.Join(times(100, `"f#":1`), ",")
	for _, tt := range []struct{ want, list string }{
		{``, whole(``)},
		{`types: id is a number or text`, whole(`"id":1e400`) + "," + whole(``)},
		{`types: id is an object, status is a boolean`, whole(`"id":{},"status":true`)},
		{`note on fields: name is null in some`, whole(`"name":null`) + "," + whole(``)},
		{
			want: "note on fields: a is missing in some, b is null in some, " +
				"b is missing in some\n" + `{"extra":{"a":0,"b":null}}`,
			list: whole(`"a":7`) + "," + whole(`"b":null`),
		},
		{`{"extra":{"name":null}}`, whole(`"name":null`)},
		{`{"omit":["name"]}`, strings.Replace(oneCampaign, `"name":"N",`, ``, 1)},
		{
			want: `{"extra":{"a":0,"b":false,"c":[],"d":{},"f":null,"g":""}}`,
			list: whole(`"a":1.5,"b":true,"c":[1],"d":{"e":1},"f":null,"g":"G"`),
		},
		{`extra: 106 fields, whose names may be ids`, whole(hundred + `,"one":1`)},

		{`{"statuses":["draft","live"]}`, strings.Join([]string{
			whole(`"status":"live"`), whole(`"status":"draft"`), whole(`"status":"live"`),
		}, ",")},
		{`statuses: 51 different ones`, strings.Join(times(51, whole(`"status":"s#"`)), ",")},
		{`statuses: too much to be written`, whole(`"status":"` + strings.Repeat("x", 9999) + `"`)},

		{`note on order: by created_at`, strings.Join(times(8, whole(sorted+","+others)), ",")},
		{``, strings.Join(times(7, whole(sorted+","+others)), ",")}, // seven may be by chance
		{`note on order: by updated_at, the last first`, strings.Join(backwards, ",")},
	} {
		o := seen(t, service{list: lists(tt.list)})
		if got := unusual(t, o); got != tt.want {
			t.Errorf("%.500s: observed is\n%s\nwant\n%s", tt.list, got, tt.want)
		}
	}
}

// A list of another shape than documented is a fact.
func TestOtherLists(t *testing.T) {
	t.Parallel()
	const unseen = `["extra, ids, omit, statuses, timestamps, types: not seen, ` +
		`since the service shows no campaigns to this token"]`
	const noList = "answer: it has no campaigns, but a\ufffdb\ufffd, c\n"
	const isNull = "note on null: campaigns are null where there are none, and [] in a fake\n"
	long := strings.Repeat("x", 999)
	start := ("it has no campaigns, but " + long)[:400]
	for body, want := range map[string]string{
		`{"campaigns":null}`:                           isNull + unseen,
		`{"a\nb\u202e":1,"c":1}`:                       noList + unseen,
		`{"` + long + `":1}`:                           "answer: " + start + "…\n" + unseen,
		`{"campaigns":[` + oneCampaign + `],"next":1}`: "answer: beside campaigns it has next\n[]",
	} {
		o := seen(t, service{list: says(200, "application/json", body)})
		got := strings.TrimSpace(unusual(t, o) + fmt.Sprintf("\n%q", o.NotSeen(nil)))
		if got != want {
			t.Errorf("%s: observed is\n%s\nwant\n%s", body, got, want)
		}
	}
}

// The statuses and the further fields in force stay, if the answers of the service fit them.
func TestInForce(t *testing.T) {
	t.Parallel()
	standard := fixtures.DefaultService().Statuses
	for _, tt := range []struct {
		campaign string
		inForce  fixtures.Service
		want     string
	}{
		{`{"status":"draft"}`, fixtures.Service{Statuses: standard},
			`["draft" "scheduled" "active" "paused" "completed" "archived"] map[]`},
		{`{"status":"live"}`, fixtures.Service{Statuses: standard}, `["live"] map[]`},
		{`{"status":"live"}`, fixtures.Service{Statuses: []string{"live", "done"}},
			`["live" "done"] map[]`},
		{`{"status":"gone"}`, fixtures.Service{Statuses: []string{"live", "done"}},
			`["live" "done" "gone"] map[]`},
		{
			campaign: `{"a":"x","b":"x","c":1,"d":null}`,
			inForce: fixtures.Service{Extra: map[string]any{
				"a": "{word}", "b": 7, "c": nil, "d": "{word}", "e": 1,
			}},
			want: `[] map[a:{word} b: c:0 d:<nil>]`,
		},
	} {
		got := settingsOf(t, lists(tt.campaign), tt.inForce)
		if text := fmt.Sprintf("%q %v", got.Statuses, got.Extra); text != tt.want {
			t.Errorf("%s: observed is %s, want %s", tt.campaign, text, tt.want)
		}
	}
}
