package compare_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/compare"
)

func TestSuccess(t *testing.T) {
	t.Parallel()
	list := `{"campaigns":[` + oneCampaign + `]}`
	noType := func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = nil
		fmt.Fprint(w, list)
	}
	for _, tt := range []struct {
		name     string
		list     http.HandlerFunc
		finding  string
		service  string
		settings string
	}{
		{
			name:     "a status",
			list:     says(206, "application/json", list),
			finding:  "success.status",
			service:  "206",
			settings: `{"success":{"status":206}}`,
		},
		{"a type", says(200, "text/json", list), "success.headers", "Content-Type: text/json",
			`{"success":{"headers":{"Content-Type":"text/json"}}}`},
		{"no type", noType, "success.headers", "none of Content-Type, Location, WWW-Authenticate",
			`{"success":{"headers":{}}}`},
		{"further keys", says(200, "application/json", `{"next":"/page/2",`+list[1:]), "answer",
			"an object of campaigns, next", `{}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, comparison(), service{list: tt.list})
			f := r.called(t, tt.finding)
			if f.Service != tt.service || f.Verdict != compare.Differs {
				t.Errorf("found %+v, want %q", f, tt.service)
			}
			if got := written(t, r.settings); got != tt.settings {
				t.Errorf("to be written are %s, want %s", got, tt.settings)
			}
		})
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	numbered := func(count int) []string {
		var campaigns []string
		for i := range count {
			campaigns = append(campaigns, whole(fmt.Sprintf(`"status":"status %02d"`, i)))
		}
		return campaigns
	}
	live := whole(`"status":"live"`)
	for _, tt := range []struct {
		name      string
		campaigns []string
		listed    []string // by the settings of the fake; nil for the usual ones
		verdict   string   // "" if there is no finding
		service   string
		settings  string
	}{
		{"those of the fake", []string{whole(`"status":"draft"`)}, nil, "same",
			"those of draft, scheduled, active, paused, completed, archived", `{}`},
		{"others", []string{live, whole(`"status":"draft"`), live}, nil, "differs", "also live",
			`{"statuses":["draft","live"]}`},
		{
			name:      "beside those that somebody has listed",
			campaigns: []string{whole(""), live},
			listed:    []string{"live", "done"},
			verdict:   "differs",
			service:   "also active",
			settings:  `{"statuses":["live","done","active"]}`,
		},
		{"none", []string{whole(`"status":""`)}, nil, "", "", `{}`},
		{"fifty", numbered(50), nil, "differs", "…", "…"},
		{
			name:      "more, which may be texts of customers",
			campaigns: numbered(51),
			listed:    nil,
			verdict:   "differs",
			service:   "51 different ones",
			settings:  `{}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := comparison()
			if tt.listed != nil {
				c.InForce.Statuses = tt.listed
			}
			listed := service{list: lists(whole(fmt.Sprintf(`"status":%q`, c.InForce.Statuses[0])))}
			findings, settings, err := c.Run(t.Context(),
				endpoint(t, service{list: lists(tt.campaigns...)}), endpoint(t, listed))
			if err != nil {
				t.Fatal(err)
			}
			r := result{findings, settings}
			var found compare.Finding
			for _, f := range r.findings {
				if f.Name == "statuses" {
					found = f
				}
			}
			if found.Verdict != tt.verdict || found.Service != tt.service && tt.service != "…" {
				t.Errorf("found %+v, want %s: %q", found, tt.verdict, tt.service)
			}
			got := written(t, r.settings)
			if tt.settings == "…" && got == `{}` || tt.settings != "…" && got != tt.settings {
				t.Errorf("to be written are %s, want %s", got, tt.settings)
			}
		})
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	// sorted returns campaigns whose dates and names go up, or down.
	sorted := func(count int, created, updated, name func(i int) int) []string {
		var campaigns []string
		for i := range count {
			campaigns = append(campaigns, whole(fmt.Sprintf(
				`"created_at":"2025-01-%02dT09:30:00Z","updated_at":"2025-02-%02dT09:30:00Z",`+
					`"name":"N%02d"`,
				created(i), updated(i), name(i))))
		}
		return campaigns
	}
	up := func(i int) int { return i + 1 }
	down := func(i int) int { return 20 - i }
	same := func(int) int { return 7 }
	mixed := func(i int) int { return i*5%9 + 1 }
	for _, tt := range []struct {
		name      string
		campaigns []string
		want      string
	}{
		{"by the first date", sorted(8, up, mixed, mixed), "by created_at"},
		{
			name:      "by the first date, backwards",
			campaigns: sorted(8, down, mixed, mixed),
			want:      "by created_at, the last first",
		},
		{"by the second date", sorted(8, mixed, up, mixed), "by updated_at"},
		{"by the name", sorted(8, mixed, mixed, down), "by name, the last first"},
		{"by all, of which the first counts", sorted(8, up, down, up), "by created_at"},
		{"by none", sorted(9, mixed, mixed, mixed), "none that is seen"},
		{"too few", sorted(7, up, up, up), "none that is seen"},
		{"all the same", sorted(8, same, same, same), "none that is seen"},
		{"missing in one", append(sorted(8, up, mixed, mixed), `{"id":"1"}`), "none that is seen"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := run(t, comparison(), service{list: lists(tt.campaigns...)}).called(t, "order")
			isNote := f.Verdict == compare.Note
			if f.Service != tt.want || isNote != (tt.want != "none that is seen") {
				t.Errorf("found %+v, want %q", f, tt.want)
			}
		})
	}
}

// A page may read the list if the preflight is answered with success, for the origin and the
// header, and the answer is for its origin, too.
func TestCORS(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name                    string
		status                  int
		origin, headers, onList string
		may                     bool
	}{
		{"any", 204, "*", "*, Authorization", "*", true},
		{"the origin", 200, origin, "content-type,authorization", origin, true},
		{"no success", 401, "*", "authorization", "*", false},
		{"another origin", 204, "https://other.example", "authorization", "*", false},
		{"not the header", 204, "*", "*", "*", false},
		{"not on the list", 204, "*", "authorization", "", false},
		{"another on the list", 204, "*", "authorization", "https://other.example", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			real := service{
				preflight: func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Access-Control-Allow-Origin", tt.origin)
					w.Header().Set("Access-Control-Allow-Headers", tt.headers)
					w.WriteHeader(tt.status)
				},
				list: func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Access-Control-Allow-Origin", tt.onList)
					lists(oneCampaign)(w, r)
				},
			}
			r := run(t, comparison(), real)
			f := r.called(t, "cors")
			may, settings := compare.Same, `{}`
			if !tt.may {
				may, settings = compare.Differs, `{"cors":["off"]}`
			}
			if f.Verdict != may || written(t, r.settings) != settings {
				t.Errorf("found %+v, and to be written are %s", f, written(t, r.settings))
			}
		})
	}
}

// What is large is shown short, and nothing of it is written. The keys are so many that work which
// grows with their square is seen: it takes minutes with the race detector, and not seconds.
func TestLargeAnswers(t *testing.T) {
	t.Parallel()
	members := manyKeys(50_000)[1:]
	object := "{" + members + "}"
	refuses := says(401, "application/json", object)
	different := []string{object}
	for i := range 10_000 {
		different = append(different, strings.ReplaceAll(
			`{"id":"#","status":"s#","f#":1,"created_at":"3 days ago","updated_at":"now"}`, "#",
			fmt.Sprint(i)))
	}
	answer := `{"campaigns":[` + strings.Join(different, ",") + `],` + members + `}`
	for _, tt := range []struct {
		name    string
		service service
	}{
		{"in all places", service{
			list:     says(200, "application/json", answer),
			missing:  refuses,
			invalid:  refuses,
			notFound: refuses,
		}},
		{"in a field of a campaign", service{list: lists(whole(`"data":` + object))}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, comparison(), tt.service)
			for _, f := range r.findings {
				if len(f.Service) > 500 {
					t.Errorf("%s has %d bytes: %s", f.Name, len(f.Service), f.Service[:99])
				}
			}
			if got := written(t, r.settings); strings.Contains(got, "key7") {
				t.Errorf("to be written are %d bytes", len(got))
			}
		})
	}
}
