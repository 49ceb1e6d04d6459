package compare_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/fake/internal/compare"
)

// campaignsWith returns an answer with three campaigns, whose ids have a digit for %d.
func campaignsWith(id string, dates ...string) http.HandlerFunc {
	var list []string
	for i := range 3 {
		id := strings.ReplaceAll(id, "%d", fmt.Sprint(i+1))
		date := dates[i%len(dates)]
		list = append(list,
			fmt.Sprintf(`{"id":%q,"name":"N","created_at":%q,"updated_at":%q,"status":"active"}`,
				id, date, date))
	}
	return lists(list...)
}

func TestTimestamps(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		want string // "" if no setting can say it
		date []string
	}{
		{"as the fake", "rfc3339", []string{"2025-01-25T09:30:00Z"}},
		{"milliseconds", "rfc3339_millis", []string{"2025-01-25T09:30:00.120Z"}},
		{"microseconds", "rfc3339_micros", []string{"2025-01-25T09:30:00.123456Z"}},
		{
			name: "zeros cut off",
			want: "rfc3339_micros",
			date: []string{"2025-01-25T09:30:00.12Z", "2025-01-25T09:30:00.123456Z"},
		},
		{
			name: "no fraction once",
			want: "rfc3339_millis",
			date: []string{"2025-01-25T09:30:00Z", "2025-01-25T09:30:00.123Z"},
		},
		{"as many digits as it takes", "2006-01-02T15:04:05.999999999Z07:00",
			[]string{"2025-01-25T09:30:00.12Z", "2025-01-25T09:30:00.1Z", "2025-01-25T09:30:00Z"}},
		{"a zone", "2006-01-02T15:04:05-07:00", []string{"2025-01-25T09:30:00+02:00"}},
		{"a zone of digits", "2006-01-02T15:04:05-0700", []string{"2025-01-25T09:30:00+0000"}},
		{
			name: "UTC as a zone",
			want: "2006-01-02T15:04:05.000-07:00",
			date: []string{"2025-01-25T09:30:00.120+00:00"},
		},
		{"Z and a zone", "rfc3339", []string{"2025-01-25T09:30:00Z", "2025-01-25T09:30:00+02:00"}},
		{"Z and a zone, with as many digits as it takes", "2006-01-02T15:04:05.999999999Z07:00",
			[]string{"2025-01-25T09:30:00.12341+02:00", "0001-01-01T00:00:00Z"}},
		{"SQL", "sql", []string{"2025-01-25 09:30:00"}},
		{"SQL in UTC", "2006-01-02 15:04:05 UTC", []string{"2025-01-25 09:30:00 UTC"}},
		{
			name: "seven digits",
			want: "2006-01-02T15:04:05.0000000Z07:00",
			date: []string{"2025-01-25T09:30:00.1234567Z"},
		},
		{
			name: "no zone",
			want: "2006-01-02T15:04:05.000000",
			date: []string{"2025-01-25T09:30:00.123456", "2025-01-25T09:30:00"},
		},
		{"seconds", "unix", []string{"1737797400"}},
		{"milliseconds alone", "unix_millis", []string{"1737797400000"}},
		{"a number of eleven digits", "", []string{"17377974000"}},
		{"a day", "2006-01-02", []string{"2025-01-25"}},
		{"a German day", "02.01.2006 15:04", []string{"25.01.2025 09:30"}},
		{"a day of the U.S.", "01/02/2006", []string{"01/25/2025"}},
		{"a British day", "02/01/2006", []string{"25/01/2025"}},
		{"that of HTTP", http.TimeFormat, []string{"Sat, 25 Jan 2025 09:30:00 GMT"}},
		{"words", "", []string{"3 days ago"}},
		{"no such day", "", []string{"2025-13-45T09:30:00Z"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, comparison(), service{list: campaignsWith("%d", tt.date...)})
			f := r.called(t, "timestamps")
			switch {
			case tt.want == "rfc3339":
				if f.Verdict != compare.Same {
					t.Errorf("found %+v", f)
				}
			case f.Verdict != compare.Differs || r.settings.Timestamps != tt.want:
				t.Errorf("the format is %q, want %q; found %+v", r.settings.Timestamps, tt.want, f)
			case tt.want == "" && !strings.HasSuffix(f.Service, "as in "+tt.date[0]):
				t.Errorf("the service is said to have %q", f.Service)
			}
		})
	}
}

// The format in force is kept where dates fit it, though others would fit, too.
func TestTimestampsOfTheFakeComeFirst(t *testing.T) {
	t.Parallel()
	c := comparison()
	c.InForce.Timestamps = "01/02/2006"
	f := run(t, c, service{list: campaignsWith("%d", "05/06/2025")}).called(t, "timestamps")
	if f.Service != "01/02/2006" {
		t.Errorf("found %+v", f)
	}
}

// A format in force that writes as many digits as it takes writes no zeros at the end.
func TestTimestampsWithZerosAtTheEnd(t *testing.T) {
	t.Parallel()
	c := comparison()
	c.InForce.Timestamps = time.RFC3339Nano
	dates := []string{"2025-01-25T09:30:00.120000000Z", "2025-01-25T09:30:00.5Z"}
	f := run(t, c, service{list: campaignsWith("%d", dates...)}).called(t, "timestamps")
	if f.Service != "2006-01-02T15:04:05.000000000Z07:00" {
		t.Errorf("found %+v", f)
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	const digits18 = "12345678901234567"
	for _, tt := range []struct {
		name, id string
		want     string // "" if no setting can say it
	}{
		{"UUID", "0b7b6c1e-9f0a-4e55-8c1d-5d0f7c0e4a1%d", "uuid"},
		{"UUID in capitals", "0B7B6C1E-9f0a-4e55-8c1d-5d0f7c0e4a1%d", ""},
		{"numbers", "%d", "sequence"},
		{"numbers of 15 digits", "%d23456789012345", "sequence"},
		{"numbers of 16 digits", "%d234567890123456", "################"},
		{"zeros before", "0%d", "##"},
		{"a prefix", "cmp_0000%d", "cmp_#####"},
		{"a prefix of 8 letters", "customer-%d", "customer-#"},
		{"a prefix of 9 letters", "customers-%d", ""},
		{"a prefix of two words", "a-b-%d", ""},
		{"a prefix with a sign", "c#%d", ""},
		{"18 digits", digits18 + "%d", "##################"},
		{"19 digits", digits18 + "0%d", ""},
		{"18 digits behind a prefix", "c" + digits18 + "%d", "c##################"},
		{"19 digits behind a prefix", "c" + digits18 + "0%d", ""},
		{"hexadecimal", "65f1c0ffee1234567890abc%d", ""},
		{"the name of a customer", "spring-sale-of-acme-%d", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, comparison(), service{list: campaignsWith(tt.id, "2025-01-25T09:30:00Z")})
			f := r.called(t, "ids")
			switch {
			case tt.want == "uuid":
				if f.Verdict != compare.Same {
					t.Errorf("found %+v", f)
				}
			case tt.want == "":
				if f.Verdict != compare.Note || f.Service != "a format that no setting has" ||
					f.Remedy.Action != compare.NoSetting {
					t.Errorf("found %+v", f)
				}
			case f.Verdict != compare.Differs || r.settings.IDs != tt.want:
				t.Errorf("the format is %q, want %q; found %+v", r.settings.IDs, tt.want, f)
			}
		})
	}
}

// A pattern in force is kept where ids fit it, and one that was read from the first id alone has
// to fit all.
func TestIDsFitAll(t *testing.T) {
	t.Parallel()
	c := comparison()
	c.InForce.IDs = "####"
	f := run(t, c, service{list: campaignsWith("123%d", "2025-01-25T09:30:00Z")}).called(t, "ids")
	if f.Service != "####" {
		t.Errorf("found %+v", f)
	}
	mixed := lists(`{"id":"cmp_1"}`, `{"id":"cmp_10"}`)
	f = run(t, comparison(), service{list: mixed}).called(t, "ids")
	if f.Remedy.Action != compare.NoSetting || f.Verdict != compare.Note {
		t.Errorf("found %+v", f)
	}
}
