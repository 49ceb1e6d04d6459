package fake_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/fake"
)

const changesToken = "the-real-token"

// listing returns a list of so many campaigns, with further fields that a function makes.
func listing(count int, more func(i int) string) string {
	var campaigns []string
	for i := range count {
		campaigns = append(campaigns, fmt.Sprintf(`{"id":%d,"name":"Zorg number %d","status":"active"%s}`, 100+i*7, i*31, more(i)))
	}
	return `{"campaigns":[` + strings.Join(campaigns, ",") + "]}"
}

// dates returns dates of a campaign, in a layout that has its parts in this order: year,
// month, day, hour, minute, second.
func dates(layout string, i int) string {
	created := fmt.Sprintf(layout, 2020+i%5, 1+i%12, 13+i%15, 1+i%11, 10+i%50, 10+i%49)
	return fmt.Sprintf(`,"created_at":%q,"updated_at":%q`, created, created)
}

const usualDate = "%d-%02d-%02dT%02d:%02d:%02dZ"

// answersOf returns what is found of a service that answers with a body and some headers.
func answersOf(t *testing.T, body string, ours fake.Observed, change func(http.ResponseWriter, *http.Request) bool) *fake.Findings {
	t.Helper()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case change != nil && change(w, r):
		case r.URL.Path != "/api/user/campaigns":
			respond(w, 404, `{"detail":"Not found."}`)
		case r.Header.Get("Authorization") != "Bearer "+changesToken:
			respond(w, 401, `{"detail":"Invalid token."}`)
		default:
			respond(w, 200, body)
		}
	}))
	defer service.Close()
	findings, err := fake.Compare(context.Background(), service.URL+"/api", changesToken, fake.Comparison{Service: ours.Service, Accepted: ours.Accepted, Pause: -1})
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

// learn returns what is learnt of a service.
func learn(t *testing.T, body string, change func(http.ResponseWriter, *http.Request) bool) fake.Observed {
	t.Helper()
	learnt, err := answersOf(t, body, fake.Observed{}, change).Observed(fake.Observed{})
	if err != nil {
		t.Fatal(err)
	}
	return learnt
}

// What is found after a service has been learnt, and has changed.
func TestCompareFindsChanges(t *testing.T) {
	t.Parallel()
	usual := func(i int) string { return dates(usualDate, i) }
	with := func(extra func(i int) string) string {
		return listing(12, func(i int) string { return usual(i) + extra(i) })
	}
	one := func(value, other string, which int) string {
		return with(func(i int) string {
			if i == which {
				return `,"value":` + other
			}
			return `,"value":` + value
		})
	}
	owner := func(phone bool) string {
		return with(func(i int) string {
			switch {
			case i%2 == 1:
				return `,"owner":null`
			case phone && i == 4:
				return `,"owner":{"id":4,"phone":"+49 1"}`
			}
			return fmt.Sprintf(`,"owner":{"id":%d}`, i)
		})
	}
	around := func(list, rest string) string { return `{"data":` + list + `,` + rest + `}` }
	full := strings.TrimSuffix(strings.TrimPrefix(with(func(int) string { return "" }), `{"campaigns":`), "}")
	plain := with(func(int) string { return "" })
	noNames := strings.NewReplacer(`"name":"Zorg number 0"`, `"name":""`)
	custom := func(value string) string {
		return with(func(int) string { return `,"9dc80c50d78a15643bfc4ca79d76156a":1` + value })
	}
	single := func(id string) string {
		return fmt.Sprintf(`{"campaigns":[{"id":%s,"name":"Zorg","status":"active"%s}]}`, id, usual(1))
	}
	for name, tt := range map[string]struct{ before, after, path, verdict string }{
		"an empty date":              {one(`"2026-01-05"`, `"2026-01-05"`, 0), one(`"2026-01-05"`, `""`, 3), "campaign.value", "warning"},
		"empty dates":                {one(`"2026-01-05"`, `"2026-01-05"`, 0), one(`""`, `""`, 3), "campaign.value", "differs"},
		"empty decimals":             {one(`"1.25"`, `"3.75"`, 0), one(`""`, `""`, 3), "campaign.value", "differs"},
		"empty dates that were some": {one(`"2026-01-05"`, `""`, 0), one(`"2026-01-06"`, `""`, 5), "", ""},
		"empty texts":                {one(`"some text"`, `"other text"`, 0), one(`""`, `""`, 5), "", ""},
		"an empty name":              {plain, noNames.Replace(plain), "campaign.name", "warning"},
		"a fraction":                 {one("1", "2", 0), one("1", "2.5", 0), "campaign.value", "warning"},
		"fractions":                  {one("1", "2", 0), one("1.5", "2.5", 0), "campaign.value", "differs"},
		"an id that is a fraction":   {plain, strings.Replace(plain, `"id":100,`, `"id":100.5,`, 1), "campaign.id", "differs"},
		"an id of another type":      {single("7"), single(`"x"`), "ids", "differs"},
		"gone beside keys of data":   {custom(`,"value":1`), custom(""), "campaign.value", "differs"},
		"a rare key in a nullable":   {owner(true), owner(false), "", ""},
		"ends of an empty page":      {around(full, `"meta":{"from":1,"to":12,"path":"/x"}`), around("[]", `"meta":{"from":null,"to":null,"path":"/x"}`), "", ""},
		"ids of an empty page":       {around(full, `"first_id":"cmp_100","last_id":"cmp_199"`), around("[]", `"first_id":null,"last_id":null`), "", ""},
		"null beside a list":         {around(full, `"summary":"words"`), around(full, `"summary":null`), "success.body.summary", "differs"},
		"links to other pages":       {around(full, `"links":[{"rel":"self"},{"rel":"next"}]`), around(full, `"links":[{"rel":"self"},{"rel":"prev"}]`), "", ""},
		"an offset for a zone":       {one(`"Fri, 24 May 2019 17:44:46 UTC"`, `"Sat, 25 May 2019 17:44:46 UTC"`, 3), one(`"Fri, 24 May 2019 17:44:46 +0000"`, `"Sat, 25 May 2019 17:44:46 +0000"`, 3), "campaign.value", "differs"},
		"years without a date":       {one(`"2026-01-05"`, `"0000-00-00"`, 3), one(`"5 Jan 2026"`, `"0000-00-00"`, 3), "campaign.value", "differs"},
		"zeros of nanoseconds":       {one(`"2026-01-05T10:11:12.123456789Z"`, `"2026-01-06T10:11:12.123456788Z"`, 3), one(`"2026-01-05T10:11:12.12345678Z"`, `"2026-01-06T10:11:12.123456788Z"`, 3), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			learnt := learn(t, tt.before, nil)
			for _, f := range unlike(answersOf(t, tt.before, learnt, nil)) {
				t.Errorf("nothing has changed, and there is %s", f)
			}
			found := unlike(answersOf(t, tt.after, learnt, nil))
			switch {
			case tt.path == "" && len(found) > 0:
				t.Errorf("there is %s, want nothing", found)
			case tt.path != "" && (len(found) != 1 || found[0].Setting != tt.path || found[0].Verdict != tt.verdict):
				t.Errorf("there is %s, want that %s is a %s", found, tt.path, tt.verdict)
			}
		})
	}
}

// A form of dates that cannot be learnt is asked for. What is then written by hand agrees, and
// stays until the service changes.
func TestCompareKeepsWhatIsWrittenByHand(t *testing.T) {
	t.Parallel()
	usual := func(i int) string { return dates(usualDate, i) }
	for name, tt := range map[string]struct {
		form       string // of a number of seconds
		timestamps string
		created    any
		advice     string
	}{
		"in a text": {"/Date(%d000)/", "unix_millis", "/Date({created_at})/", `write "{created_at}" there, alone or within a text`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := listing(12, func(i int) string {
				return fmt.Sprintf(`,"created_at":%q,"score":%d`, fmt.Sprintf(tt.form, 1700000000+i*7654321), i)
			})
			found := verdicts(answersOf(t, body, fake.Observed{}, nil))["campaign {created_at}"]
			if found.Verdict != "warning" || !strings.Contains(found.Note, tt.advice) {
				t.Errorf("there is %s, want a warning with %q", found, tt.advice)
			}
			before := learn(t, body, nil)
			if again := answersOf(t, body, before, nil); len(unlike(again)) > 0 {
				t.Errorf("what was learnt does not agree: %s", unlike(again))
			}
			before.Service.Timestamps = tt.timestamps
			before.Service.Campaign.(tree)["created_at"], before.Accepted = tt.created, nil
			again := answersOf(t, body, before, nil)
			if len(unlike(again)) > 0 {
				t.Errorf("what was written by hand does not agree: %s", unlike(again))
			}
			kept, err := again.Observed(before)
			if created := kept.Service.Campaign.(tree)["created_at"]; err != nil || !reflect.DeepEqual(created, tt.created) || kept.Service.Timestamps != tt.timestamps || kept.Accepted != nil {
				t.Errorf("%v; what was written by hand became %+v", err, kept)
			}
			for change, other := range map[string]string{"the form": listing(12, usual), "beside it": strings.ReplaceAll(body, `"score":`, `"rank":`)} {
				after, err := answersOf(t, other, before, nil).Observed(before)
				campaign, isObject := after.Service.Campaign.(tree)
				if isKept := isObject && reflect.DeepEqual(campaign["created_at"], tt.created); err != nil || isKept != (change == "beside it") || isKept != (after.Service.Timestamps == tt.timestamps) {
					t.Errorf("%v; when %s has changed, there is %+v", err, change, after)
				}
			}
		})
	}
}

// A shape that agrees keeps the order of its keys.
func TestCompareKeepsTheOrderOfKeys(t *testing.T) {
	t.Parallel()
	body := listing(12, func(i int) string { return dates(usualDate, i) })
	before := learn(t, body, nil)
	before.Service.Campaign = json.RawMessage(`{"status":"{status}","name":"{name}","id":"{id}","updated_at":"{updated_at}","created_at":"{created_at}"}`)
	kept, err := answersOf(t, body, before, nil).Observed(before)
	if err != nil || !reflect.DeepEqual(kept.Service.Campaign, before.Service.Campaign) {
		t.Errorf("%v; the campaign became %s", err, kept.Service.Campaign)
	}
}

// Dates are learnt in the forms of other languages, and of other countries.
func TestCompareLearnsForms(t *testing.T) {
	t.Parallel()
	for _, layout := range []string{
		time.RubyDate, time.UnixDate, "01/02/2006 03:04 PM", "1/2/2006 3:04:05 PM", "2006-01-02 03:04:05 PM", http.TimeFormat, time.RFC1123, time.RFC1123Z,
		"2006-01-02T15:04:05Z-0700", "2006-01-02 15:04:05 -0700 MST", "Mon Jan 02 2006 15:04:05 GMT-0700 (Coordinated Universal Time)", "1/2/2006, 3:04:05 PM", "2006年01月02日",
		"02.01.2006 15:04:05", "02.01.2006 15:04", "02.01.2006", "2006/01/02 15:04:05", "2006-01-02 15:04:05.00", "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 MST",
		"01/02/2006", "02/01/2006 15:04:05", "20060102T150405Z", "20060102150405", "1/2/2006 3:04 PM", "2006-01-02 03:04 PM", "Jan 2, 2006 3:04 PM", time.RFC850, time.ANSIC, "January 2, 2006", "Jan 2, 2006", "2 January 2006", "02 Jan 2006",
	} {
		t.Run(layout, func(t *testing.T) {
			t.Parallel()
			body := listing(12, func(i int) string {
				date := time.Date(2025, 1, 5, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * 1234567 * time.Second).Format(layout)
				return fmt.Sprintf(`,"created_at":%q,"updated_at":%q,"ends_at":%q`, date, date, date)
			})
			learnt := learn(t, body, nil)
			if learnt.Service.Timestamps != layout {
				t.Errorf("%q is learnt", learnt.Service.Timestamps)
			}
			if again := answersOf(t, body, learnt, nil); len(unlike(again)) > 0 {
				t.Errorf("what was learnt does not agree: %s", unlike(again))
			}
			other := strings.ReplaceAll(body, `"ends_at":"`, `"ends_at":"Zorg `)
			if f := verdicts(answersOf(t, other, learnt, nil))["campaign.ends_at"]; f.Verdict != "differs" {
				t.Errorf("of words there is %s", f)
			}
		})
	}
}

// A header that is gone is written by its absence, not as a value.
func TestCompareAdvisesOnHeaders(t *testing.T) {
	t.Parallel()
	body := listing(12, func(i int) string { return dates(usualDate, i) })
	found := verdicts(answersOf(t, body, fake.Observed{}, nil))["responses.invalid_token.headers.WWW-Authenticate"]
	if found.Verdict != "differs" || found.Write != nil || !strings.Contains(found.Note, "write responses.invalid_token.headers: {}") {
		t.Errorf("there is %s, want the advice to write no headers", found)
	}
}

// What was learnt is answered as the service answers, where its own answers are odd.
func TestCompareLearnsOddAnswers(t *testing.T) {
	t.Parallel()
	body := listing(12, func(i int) string { return dates(usualDate, i) })
	refused := func(status int, kind, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Authorization") != "" {
				return false
			}
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Location", "/login?next=zorg")
			w.WriteHeader(status)
			fmt.Fprint(w, body)
			return true
		}
	}
	for name, tt := range map[string]struct {
		change func(http.ResponseWriter, *http.Request) bool
		want   fake.Response
	}{
		"XML":        {refused(401, "application/xml", `<?xml version="1.0"?><error><code>E77</code></error>`), fake.Response{Headers: http.Header{"Content-Type": {"application/xml"}}, Body: "<error/>"}},
		"XHTML":      {refused(401, "text/html", `<?xml version="1.0"?><!DOCTYPE html><html/>`), fake.Response{Headers: http.Header{"Content-Type": {"text/html"}}, Body: "<!doctype html><title>Unauthorized</title>"}},
		"a redirect": {refused(302, "text/html", `<a href="/login?next=zorg">Found</a>.`), fake.Response{Status: 302, Headers: http.Header{"Content-Type": {"text/html"}, "Location": {"/"}}, Body: "<!doctype html><title>Found</title>"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			learnt := learn(t, body, tt.change)
			if got := learnt.Service.Responses.MissingToken; !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%+v is learnt, want %+v", got, tt.want)
			}
			if again := answersOf(t, body, learnt, tt.change); len(unlike(again)) > 0 {
				t.Errorf("what was learnt does not agree: %s", unlike(again))
			}
		})
	}
}

// An object that is left out with the empty list in it is an empty list, if the fake knows
// its place and the answer is as it is known otherwise.
func TestCompareKnowsAnEmptyListThatIsLeftOut(t *testing.T) {
	t.Parallel()
	body := strings.Replace(listing(12, func(i int) string { return dates(usualDate, i) }), `{"campaigns"`, `{"page":{"size":20},"_embedded":{"campaigns"`, 1) + "}"
	learnt := learn(t, body, nil)
	if empty := answersOf(t, `{"page":{"size":20}}`, learnt, nil); empty.Verdict != "partial" || len(unlike(empty)) > 0 {
		t.Errorf("the verdict is %s, with %s, want a partial one", empty.Verdict, unlike(empty))
	}
}

// An empty list in its place is one, though another list stands beside it.
func TestCompareKnowsAnEmptyListBesideAnother(t *testing.T) {
	t.Parallel()
	body := strings.Replace(listing(12, func(i int) string { return dates(usualDate, i) }), "{", `{"tags":[{"id":1,"name":"Zork"}],`, 1)
	learnt := learn(t, body, nil)
	if empty := answersOf(t, `{"tags":[{"id":1,"name":"Zork"}],"campaigns":[]}`, learnt, nil); empty.Verdict != "partial" || len(unlike(empty)) > 0 {
		t.Errorf("the verdict is %s, with %s, want a partial one", empty.Verdict, unlike(empty))
	}
}

// Headers of the list that the fake does not have are listed as not watched.
func TestCompareListsHeaders(t *testing.T) {
	t.Parallel()
	found := answersOf(t, twoCampaigns, fake.Observed{}, func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Link", `<https://api.zorg.example>; rel="next"`)
		w.Header().Set("X-Total-Count", "12")
		return false
	})
	if got := found.NotWatched; !slices.Equal(got, []string{"success.headers.Link (its value)", "success.headers.X-Total-Count (its value)"}) {
		t.Errorf("not watched is %q", got)
	}
}

// A number beside the list that is as many as it lists is their count, by whatever name, and
// so is a total that is text, or an object with a value. One that is less is of something else.
func TestCompareLearnsCounts(t *testing.T) {
	t.Parallel()
	body := strings.Replace(listing(12, func(i int) string { return dates(usualDate, i) }), "{", `{"@odata.count":12,"zorgHere":12,"total":"31","total_page":1,"took":3,"shards":{"total":5},"hits":{"total":{"value":10000,"relation":"gte"}},`, 1)
	learnt := learn(t, body, nil)
	want := tree{"@odata.count": "{count}", "zorgHere": "{count}", "total": tree{"$text": "{count}", "$type": "string"}, "total_page": 1, "took": 0, "shards": tree{"total": 0}, "hits": tree{"total": tree{"value": "{count}", "relation": "word"}}, "campaigns": "{campaigns}"}
	if got := learnt.Service.Success.Body; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v is learnt, want %v", got, want)
	}
	if again := answersOf(t, body, learnt, nil); len(unlike(again)) > 0 {
		t.Errorf("what was learnt does not agree: %s", unlike(again))
	}
}

// The word campaign may stand before the name of a field. What has the name of a status and
// is a number as text is none, and words that are also codes of money are words.
func TestCompareLearnsOtherNames(t *testing.T) {
	t.Parallel()
	learnt := learn(t, strings.ReplaceAll(listing(12, func(i int) string {
		return fmt.Sprintf(`%s,"state":%q,"links":"all","scope":"ALL","money":%q`, dates(usualDate, i), fmt.Sprint(i%4), []string{"ALL", "USD"}[i%2])
	}), `"status":`, `"campaignState":`), nil)
	campaign, _ := json.Marshal(learnt.Service.Campaign)
	for _, want := range []string{`"campaignState":"{status}"`, `"state":{"$fake":"{number:1,9}"}`, `"links":{"$fake":"{nouncommon}"}`, `"scope":{"$fake":"{nouncommon}"}`, `"money":{"$fake":"{randomstring:[EUR,USD,GBP]}"}`} {
		if !strings.Contains(string(campaign), want) {
			t.Errorf("%s is learnt, which lacks %s", campaign, want)
		}
	}
}

// A synonym goes before one that the word campaign stands before, and so does campaign_name.
func TestCompareTellsNamesWithCampaignApart(t *testing.T) {
	t.Parallel()
	for before, behind := range map[string]string{"title": "campaign_title", "campaign_name": "campaign_label"} {
		learnt := learn(t, strings.ReplaceAll(listing(12, func(i int) string {
			return fmt.Sprintf(`%s,%q:"Zorg number %d"`, dates(usualDate, i), behind, i)
		}), `"name":`, fmt.Sprintf("%q:", before)), nil)
		if campaign, _ := learnt.Service.Campaign.(tree); campaign[before] != "{name}" {
			t.Errorf("beside %s, %s is learnt as %v, want the name", behind, before, campaign[before])
		}
	}
}

// Where most fields stand, a synonym goes before the name of a field in what a campaign has.
func TestCompareLearnsWhereFieldsStand(t *testing.T) {
	t.Parallel()
	usual := listing(12, func(i int) string {
		return fmt.Sprintf(`%s,"category":{"name":"Zork number %d"}`, dates(usualDate, i), i%3)
	})
	nested := strings.NewReplacer(`"created_at"`, `"label":"Zork","attributes":{"created_at"`, `"category"`, `"state":"active","name":"Zorg","category"`, `"}}`, `"}}}`)
	for want, body := range map[string]string{
		`"title":"{name}"`: strings.ReplaceAll(usual, `"name":"Zorg`, `"title":"Zorg`),
		`"name":"{name}"`:  nested.Replace(strings.ReplaceAll(usual, `"name":"Zorg`, `"sign":"Zorg`)),
	} {
		campaign, _ := json.Marshal(learn(t, body, nil).Service.Campaign)
		if !strings.Contains(string(campaign), want) {
			t.Errorf("%s is learnt, which lacks %s", campaign, want)
		}
	}
}

// Shares stay below 1.
func TestCompareLearnsShares(t *testing.T) {
	t.Parallel()
	body := listing(12, func(i int) string {
		return fmt.Sprintf(`%s,"share":%g,"rate":"0.%02d","price":%g`, dates(usualDate, i), float64(i*i)/123456, i, 0.25+float64(i))
	})
	learnt := learn(t, body, nil)
	campaign, _ := json.Marshal(learnt.Service.Campaign)
	for _, want := range []string{`"rate":{"$fake":"0.#{number:1,9}"}`, `"share":{"$fake":"0.#####{number:1,9}","$type":"number"}`, `"price":{"$fake":"{number:1,99}.`} {
		if !strings.Contains(string(campaign), want) {
			t.Errorf("%s is learnt, which lacks %s", campaign, want)
		}
	}
	if again := answersOf(t, body, learnt, nil); len(unlike(again)) > 0 {
		t.Errorf("what was learnt does not agree: %s", unlike(again))
	}
}

// The annotations of a field in OData are keys, if its name may be one.
func TestCompareLearnsAnnotations(t *testing.T) {
	t.Parallel()
	body := listing(12, func(i int) string {
		return fmt.Sprintf(`%s,"Lead@odata.navigationLink":"https://api.zorg.example/%d","lead_value@OData.Community.Display.V1.FormattedValue":%d,"4f1c7e2a@odata.type":1`, dates(usualDate, i), i, i)
	})
	learnt := learn(t, body, nil)
	campaign, _ := learnt.Service.Campaign.(tree)
	for key, want := range map[string]bool{"Lead@odata.navigationLink": true, "lead_value@OData.Community.Display.V1.FormattedValue": true, "4f1c7e2a@odata.type": false} {
		if (campaign[key] != nil) != want {
			t.Errorf("%v is learnt, where %s stands or not, want %t", campaign, key, want)
		}
	}
	if again := answersOf(t, body, learnt, nil); len(unlike(again)) > 0 {
		t.Errorf("what was learnt does not agree: %s", unlike(again))
	}
}

// Seconds with a fraction are dates, though the fake sends whole ones. Other units differ, and
// so do fractions where there were none.
func TestCompareLearnsFractionsOfSeconds(t *testing.T) {
	t.Parallel()
	seconds := func(unit int, fraction, end string) string {
		return listing(12, func(i int) string {
			second := (1700000000 + i*1000000) * unit
			return fmt.Sprintf(`,"created_at":%d%s,"updated_at":%d%s,"ends_at":%d%s`, second, fraction, second+1, fraction, second+2, end)
		})
	}
	learnt := learn(t, seconds(1, ".25", ".5"), nil)
	want := tree{
		"created_at": "{created_at}", "updated_at": "{updated_at}", "id": "{id}", "name": "{name}", "status": "{status}",
		"ends_at": tree{"$fake": "17{number:10000000,99999999}.{number:1,9}", "$type": "number"},
	}
	if got := learnt.Service.Campaign; fmt.Sprint(got) != fmt.Sprint(want) || learnt.Service.Timestamps != "unix" {
		t.Errorf("%v is learnt with timestamps %q, want %v", got, learnt.Service.Timestamps, want)
	}
	if again := answersOf(t, seconds(1, ".25", ".5"), learnt, nil); len(unlike(again)) > 0 {
		t.Errorf("what was learnt does not agree: %s", unlike(again))
	}
	whole := learn(t, seconds(1, "", ""), nil)
	for name, changed := range map[string]*fake.Findings{
		"milliseconds": answersOf(t, seconds(1000, ".25", ".5"), learnt, nil),
		"fractions":    answersOf(t, seconds(1, ".25", ""), whole, nil),
		"another end":  answersOf(t, seconds(1, "", ".5"), whole, nil),
	} {
		if changed.Verdict != "differs" {
			t.Errorf("with %s the verdict is %s, with %s", name, changed.Verdict, unlike(changed))
		}
	}
}

// In an object with the name of a field, its only value that can be this field is it.
func TestCompareLearnsFieldsInObjects(t *testing.T) {
	t.Parallel()
	body := listing(12, func(i int) string {
		date := fmt.Sprintf("%d-03-%02d 10:00:00", 2020+i%5, 13+i)
		german := strings.Repeat(`,"de":"Zork"`, i%2)
		return fmt.Sprintf(`,"title":{"en":"Zorg number %d"%s},"state":{"id":%d,"label":"active","href":"https://zorg.example/"},"created":{"date":%q,"timezone_type":3,"timezone":"UTC"},"updated_at":%q`, i, german, i%3, date, date)
	})
	body = strings.NewReplacer(`"name"`, `"sign"`, `,"status":"active"`, "").Replace(body)
	learnt := learn(t, body, nil)
	campaign, _ := json.Marshal(learnt.Service.Campaign)
	for _, want := range []string{`"en":"{name}"`, `"label":"{status}"`, `"date":"{created_at}"`, `"updated_at":"{updated_at}"`} {
		if !strings.Contains(string(campaign), want) {
			t.Errorf("%s is learnt, which lacks %s", campaign, want)
		}
	}
	if again := answersOf(t, body, learnt, nil); len(unlike(again)) > 0 {
		t.Errorf("what was learnt does not agree: %s", unlike(again))
	}
}

// Seconds and milliseconds that are texts are dates, too.
func TestCompareLearnsSecondsAsText(t *testing.T) {
	t.Parallel()
	seconds := func(zeros string) string {
		return listing(12, func(i int) string {
			return fmt.Sprintf(`,"created_at":"%d%s","updated_at":"%d%s","ends_at":"%d%s"`, 1700000000+i*7654321, zeros, 1700000001+i*7654321, zeros, 1700000002+i*7654321, zeros)
		})
	}
	learnt := learn(t, seconds(""), nil)
	campaign, _ := json.Marshal(learnt.Service.Campaign)
	for _, want := range []string{`"created_at":{"$text":"{created_at}","$type":"string"}`, `"ends_at":{"$fake":"17{number:10000000,99999999}"}`} {
		if !strings.Contains(string(campaign), want) || learnt.Service.Timestamps != "unix" {
			t.Errorf("%s is learnt with timestamps %q, which lacks %s", campaign, learnt.Service.Timestamps, want)
		}
	}
	if again := answersOf(t, seconds(""), learnt, nil); len(unlike(again)) > 0 {
		t.Errorf("what was learnt does not agree: %s", unlike(again))
	}
	for _, f := range unlike(answersOf(t, seconds("000"), learnt, nil)) {
		if f.Verdict != "differs" {
			t.Errorf("of milliseconds there is %s", f)
		}
	}
	if changed := answersOf(t, seconds("000"), learnt, nil); len(unlike(changed)) != 2 {
		t.Errorf("of milliseconds there is %s, want that both kinds of dates differ", unlike(changed))
	}
}

// What programs read is learnt as something that they can read.
func TestCompareLearnsWhatProgramsRead(t *testing.T) {
	t.Parallel()
	body := listing(12, func(i int) string {
		return fmt.Sprintf(`%s,"zone":"Europe/%s","opens":"0%d:30","closes":"1%d:30:59","lasts":"P%dDT12H","host":"10.0.0.%d","rings":"0%d:30:59.125","ends":"/Date(17%d0000000000+0200)/","ttl":"%d.5s","month":"2025-0%d"`, dates(usualDate, i), []string{"Kyiv", "Vaduz"}[i%2], i%9, i%9, i, i, i%9, i%9, i, 1+i%9)
	})
	learnt := learn(t, body, nil)
	campaign, _ := json.Marshal(learnt.Service.Campaign)
	for _, want := range []string{
		`"zone":{"$fake":"{randomstring:[Europe/Berlin,America/New_York,Asia/Tokyo]}"}`, `"opens":{"$fake":"1{number:0,9}:{number:10,59}"}`,
		`"closes":{"$fake":"1{number:0,9}:{number:10,59}:{number:10,59}"}`, `"lasts":{"$fake":"PT{number:1,59}M"}`, `"host":{"$fake":"192.0.2.{number:1,254}"}`,
		`"rings":{"$fake":"1{number:0,9}:{number:10,59}:{number:10,59}.{number:100,999}"}`, `"ends":{"$fake":"/Date(17{number:10000000,99999999}{number:100,999})/"}`, `"ttl":{"$fake":"{number:1,9999}s"}`, `"month":{"$fake":"202{number:0,5}-0{number:1,9}"}`,
	} {
		if !strings.Contains(string(campaign), want) {
			t.Errorf("%s is learnt, which lacks %s", campaign, want)
		}
	}
	if again := answersOf(t, body, learnt, nil); len(unlike(again)) > 0 {
		t.Errorf("what was learnt does not agree: %s", unlike(again))
	}
}

// Dates are found by what is done and a word for a date, as other services name them.
func TestCompareLearnsNamesOfDates(t *testing.T) {
	t.Parallel()
	for created, updated := range map[string]string{
		"createdDateTime": "lastModifiedDateTime", "create_time": "modify_time", "created_time": "last_edited_time", "add_time": "write_date", "sys_created_on": "sys_updated_on", "create_at": "update_at", "gmt_create": "gmtModified", "CreatedOnUtc": "dateChanged",
	} {
		rename := strings.NewReplacer("created_at", created, "updated_at", updated, `"status"`, `"operation_status"`)
		learnt := learn(t, rename.Replace(listing(12, func(i int) string { return dates(usualDate, i) })), nil)
		want := tree{"id": "{id}", "name": "{name}", created: "{created_at}", updated: "{updated_at}", "operation_status": "{status}"}
		if got := learnt.Service.Campaign; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v is learnt, want %v", got, want)
		}
	}
}

// What cannot be a field leaves its place to another one: the path of a resource is no name, and
// digits are none; a date in GMT stands beside the date; and an object says what its values are.
func TestCompareLearnsFieldsOfOddNames(t *testing.T) {
	t.Parallel()
	body := listing(12, func(i int) string {
		date := fmt.Sprintf("%d-03-%02dT10:00:00", 2020+i%5, 13+i)
		return fmt.Sprintf(`,"displayName":{"@lang":"en","#text":"Zorg number %d"},"label":"%d","date_created":%q,"date_created_gmt":%q,"modified":%q,"modified_gmt":%q`, i, i, date, date, date, date)
	})
	for i := range 12 {
		body = strings.Replace(body, fmt.Sprintf(`"name":"Zorg number %d"`, i*31), fmt.Sprintf(`"name":"projects/zorg/campaigns/%d"`, i), 1)
	}
	body = strings.NewReplacer(`"id":`, `"uuid":`, `"status"`, `"campaign_id":7,"currentStatus"`).Replace(body)
	extended := listing(12, func(i int) string {
		return fmt.Sprintf(`,"createdAt":{"$date":{"$numberLong":"17%011d"}}`, i*7654321)
	})
	extended = strings.ReplaceAll(extended, `"id":`, `"sid":`)
	summary := strings.ReplaceAll(listing(12, func(i int) string {
		return fmt.Sprintf(`%s,"priority":{"name":"Zorg number %d"}`, dates(usualDate, i), i%2)
	}), `"name":"Zorg number`, `"summary":"Zorg number`)
	summary = strings.NewReplacer(`{"summary"`, `{"name"`, `"id"`, `"sys_id"`, `"status"`, `"entity_status"`).Replace(summary)
	var few []string
	for i := range 12 {
		few = append(few, fmt.Sprintf(`{"id":"%d","attributes":{"name":"Zorg number %d","status":"active"%s}}`, 100+i*7, i%3, dates(usualDate, i)))
	}
	for body, wanted := range map[string][]string{
		`{"data":[` + strings.Join(few, ",") + `]}`: {`"name":"{name}"`},

		body:     {`"displayName":{"#text":"{name}","@lang":"en"}`, `"date_created":"{created_at}"`, `"modified":"{updated_at}"`, `"campaign_id":"{id}"`, `"currentStatus":"{status}"`},
		summary:  {`"priority":{"name":{"$fake":"{sentence}"}}`, `"entity_status":"{status}"`, `"sys_id":"{id}"`},
		extended: {`"createdAt":{"$date":{"$numberLong":{"$text":"{created_at}","$type":"string"}}}`, `"sid":"{id}"`},
	} {
		learnt := learn(t, body, nil)
		campaign, _ := json.Marshal(learnt.Service.Campaign)
		for _, want := range wanted {
			if !strings.Contains(string(campaign), want) {
				t.Errorf("%s is learnt, which lacks %s", campaign, want)
			}
		}
		if again := answersOf(t, body, learnt, nil); len(unlike(again)) > 0 {
			t.Errorf("what was learnt does not agree: %s", unlike(again))
		}
	}
}

// Arrays of as many values keep each of them, false is a value that lacks if others are none,
// and flags are no other digits.
func TestCompareLearnsOddValues(t *testing.T) {
	t.Parallel()
	body := listing(12, func(i int) string {
		return fmt.Sprintf(`%s,"stage":[%d,"Zorg stage %d"],"at":[%g,%g],"ends":%s,"owner":%s,"live":"%d","zero":0,"open":%t`, dates(usualDate, i), i, i, 10.5+float64(i), 20.5+float64(i),
			[]string{"false", "false", `"2026-01-05"`}[i%3], []string{"false", "false", `[7,"Zorg person"]`}[i%3], i%2, i%2 == 0)
	})
	learnt := learn(t, body, nil)
	campaign, _ := json.Marshal(learnt.Service.Campaign)
	for _, want := range []string{
		`"stage":[{"$fake":"{number:1,99}","$type":"integer"},{"$fake":"{sentence}"}]`, `"at":[{"$fake":"{number:1,9}#.{number:1,9}","$type":"number"},{"$fake":"{number:1,9}#.{number:1,9}","$type":"number"}]`,
		`"ends":{"$fake":"202`, `"owner":[{"$fake":"{number:1,9}","$type":"integer"},{"$fake":"{sentence}"}]`, `"live":{"$fake":"{number:0,1}"}`, `"zero":{"$fake":"{number:0,0}","$type":"integer"}`, `"open":{"$fake":"{bool}","$type":"boolean"}`,
	} {
		if !strings.Contains(string(campaign), want) {
			t.Errorf("%s is learnt, which lacks %s", campaign, want)
		}
	}
	if again := answersOf(t, body, learnt, nil); len(unlike(again)) > 0 {
		t.Errorf("what was learnt does not agree: %s", unlike(again))
	}
}

// Links are told apart by their relations, as far as these may be shown, but no link beside
// the list leads to another page.
func TestCompareLearnsLinks(t *testing.T) {
	t.Parallel()
	link := func(rel, method string) string {
		return fmt.Sprintf(`{"rel":%q,"method":%q,"href":"https://api.zorg.example/%s"}`, rel, method, rel)
	}
	body := listing(12, func(i int) string {
		return fmt.Sprintf(`%s,"links":[%s,%s,%s]`, dates(usualDate, i), link("self", "GET"), link("edit", "PATCH"), link("zorg-leads", "GET"))
	})
	learnt := learn(t, strings.Replace(body, "{", `{"links":[`+link("self", "GET")+","+link("next", "GET")+`],`, 1), nil)
	for place, want := range map[string]string{
		"campaign": `[{"href":{"$fake":"https://example.com/{uuid}"},"method":{"$fake":"{randomstring:[GET,PATCH]}"},"rel":"edit"},{"href":{"$fake":"https://example.com/{uuid}"},"method":{"$fake":"{randomstring:[GET,PATCH]}"},"rel":"self"}]`,
		"body":     `[{"href":"https://example.com/","method":"GET","rel":"self"}]`,
	} {
		shape, _ := map[string]any{"campaign": learnt.Service.Campaign, "body": learnt.Service.Success.Body}[place].(tree)
		if links, err := json.Marshal(shape["links"]); err != nil || string(links) != want {
			t.Errorf("in %s %s is learnt, %v, want %s", place, links, err, want)
		}
	}
	again := answersOf(t, body, learnt, nil)
	if !slices.Contains(again.NotWatched, "campaign.links[].rel (which values it has)") {
		t.Errorf("not watched is %q, which lacks the relation that may not be shown", again.NotWatched)
	}
	if found := unlike(again); len(found) != 1 || !strings.Contains(fmt.Sprint(found), "success.body.links") { // which is gone
		t.Errorf("there is %s, want the links of the list alone", found)
	}
	other := learn(t, body, nil)
	if again := answersOf(t, strings.Replace(body, `"rel":"edit"`, `"rel":"approve"`, 1), other, nil); len(unlike(again)) > 0 { // as of a campaign in another state
		t.Errorf("of another link there is %s", unlike(again))
	}
}

// Links of which some are null are learnt, too, and the campaign with them.
func TestCompareLearnsLinksThatCanBeNull(t *testing.T) {
	t.Parallel()
	learnt := learn(t, listing(12, func(i int) string {
		return dates(usualDate, i) + []string{`,"links":[{"rel":"self"},{"rel":"edit"}]`, `,"links":[null]`}[i%2]
	}), nil)
	campaign, _ := learnt.Service.Campaign.(tree)
	links, err := json.Marshal(campaign["links"])
	if want := `[{"$null":0.33,"$value":{"rel":"edit"}}]`; err != nil || string(links) != want {
		t.Errorf("%s is learnt, %v, want %s", links, err, want)
	}
}

// The words that are known as relations of links are not shown elsewhere, where they are data,
// and so many of them as no links have are data, too.
func TestCompareShowsRelationsOfLinksAlone(t *testing.T) {
	t.Parallel()
	words := strings.Fields(`about author canonical edit help icon index license original parent payment preview previous profile related replies search service start tag
		type up via create update cancel approve reject activate pause resume archive`)
	learnt := learn(t, listing(2*len(words), func(i int) string {
		return fmt.Sprintf(`%s,"department":%q,"rel":%q`, dates(usualDate, i), []string{"payment", "license"}[i%2], words[i%len(words)])
	}), nil)
	campaign, _ := learnt.Service.Campaign.(tree)
	for _, key := range []string{"department", "rel"} {
		if got, want := fmt.Sprint(campaign[key]), "map[$fake:{nouncommon}]"; got != want {
			t.Errorf("%s is learnt as %s, want %s", key, got, want)
		}
	}
}

// What says which error it is holds for others only if others have shown it.
func TestCompareLearnsWhatErrorsHaveInCommon(t *testing.T) {
	t.Parallel()
	body := listing(12, func(i int) string { return dates(usualDate, i) })
	learnt := learn(t, body, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") == "Bearer "+changesToken {
			return false
		}
		respond(w, 401, `{"type":"error","rpc":"2.0","error":{"code":190,"errno":"190","reason":"invalid_token","see":"https://tools.ietf.org/html/rfc7235#section-3.1","message":"Ask Bob for one"}}`)
		return true
	})
	const want = `{"error":{"code":"{status}","errno":{"$text":"{status}","$type":"string"},"message":"{detail}","reason":"{title}","see":"https://example.com/"},"rpc":"2.0","type":"error"}`
	if common, err := json.Marshal(learnt.Service.Responses.Default.Body); err != nil || string(common) != want {
		t.Errorf("%s is learnt, %v, want %s", common, err, want)
	}
	const own = `{"error":{"code":190,"errno":"190","message":"{detail}","reason":"invalid_token","see":"https://tools.ietf.org/html/rfc7235#section-3.1"},"rpc":"2.0","type":"error"}`
	if invalid, err := json.Marshal(learnt.Service.Responses.InvalidToken.Body); err != nil || string(invalid) != own {
		t.Errorf("for an invalid token %s is learnt, %v, want %s", invalid, err, own)
	}
}

// An object with documented fields is no map, though most of its keys look like data.
func TestCompareTellsRecordsFromMaps(t *testing.T) {
	t.Parallel()
	body := strings.NewReplacer(`"name"`, `"fields":{"name"`, `"Sum of it":1`, `"Sum of it":1}`).Replace(listing(12, func(i int) string {
		return fmt.Sprintf(`%s,"Start date":%d,"End date":%d,"Total cost":%d,"Other cost":%d,"Sum of it":1`, dates(usualDate, i), i, i, i, i)
	}))
	learnt := learn(t, body, nil)
	campaign, _ := json.Marshal(learnt.Service.Campaign)
	if want := `"fields":{"created_at":"{created_at}",`; !strings.Contains(string(campaign), want) {
		t.Errorf("%s is learnt, which lacks %s", campaign, want)
	}
	if again := answersOf(t, body, learnt, nil); len(unlike(again)) > 0 {
		t.Errorf("what was learnt does not agree: %s", unlike(again))
	}
}

// What leads to other pages has a meaning by whatever name, so that a client does not ask for
// them without end, and a code beside the list is kept.
func TestCompareLearnsPaging(t *testing.T) {
	t.Parallel()
	body := strings.Replace(listing(12, func(i int) string { return dates(usualDate, i) }), "{", `{"code":200,"status":"1","related":[{"code":4711}],"bookmark":"Zk9","scroll_id":"Zk9","next_page_uri":"/zorg","nextStart":"Zk9","more_records":true,"hasMoreItems":true,"page":"1","pages":"3","perpage":"12","offset":"0",`, 1)
	learnt := learn(t, body, nil)
	got, err := json.Marshal(learnt.Service.Success.Body)
	const want = `{"bookmark":null,"campaigns":"{campaigns}","code":200,"hasMoreItems":false,"more_records":false,"nextStart":null,"next_page_uri":null,"offset":null,"page":"1","pages":"1","perpage":"1000","related":[{"code":0}],"scroll_id":null,"status":"1"}`
	if string(got) != want || err != nil {
		t.Errorf("%s is learnt, %v, want %s", got, err, want)
	}
	if again := answersOf(t, body, learnt, nil); len(unlike(again)) > 0 {
		t.Errorf("what was learnt does not agree: %s", unlike(again))
	}
	if found := unlike(answersOf(t, strings.Replace(body, `"code":200`, `"code":0`, 1), learnt, nil)); len(found) != 1 || found[0].Setting != "success.body.code" || found[0].Verdict != "warning" {
		t.Errorf("of another code there is %s", found)
	}
}

// A field whose value is an object counts as much as any other where the list is looked for, so
// that it is not one that stands beside it.
func TestCompareFindsTheListOfCampaigns(t *testing.T) {
	t.Parallel()
	body := listing(12, func(i int) string { return dates(usualDate, i) })
	body = strings.NewReplacer(`"name":"Zorg number`, `"name":{"en":"Zorg number`, `","status":"active"`, `"},"status":{"en":"active"}`).Replace(body)
	body = strings.TrimSuffix(body, "}") + `,"assets":[{"id":"7","title":"Zork","createdAt":"2026-01-05","state":"active"}]}`
	learnt := learn(t, body, nil)
	if around, _ := learnt.Service.Success.Body.(tree); around["campaigns"] != "{campaigns}" {
		t.Errorf("%v is learnt, want the list under campaigns", around)
	}
}
