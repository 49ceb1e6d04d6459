package observe_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/fake/internal/observe"
	"example.com/campaignfake/fixtures"
)

// settingsOf returns the settings that Of observes in a list, with InForce set to the given
// settings.
func settingsOf(t *testing.T, list http.HandlerFunc, inForce fixtures.Service) fixtures.Service {
	t.Helper()
	s := subject(service{list: list})
	s.InForce = inForce
	o, err := observe.Of(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return o.Settings()
}

func TestTimestamps(t *testing.T) {
	t.Parallel()
	const nanos = "2006-01-02T15:04:05.999999999Z07:00"
	for _, tt := range []struct {
		want    string // "" if no setting can say it
		inForce string
		dates   string // separated by |
	}{
		{"rfc3339", "", "2025-01-25T09:30:00Z|2025-01-25T09:30:00+02:00"},
		{"rfc3339_millis", "", "2025-01-25T09:30:00Z|2025-01-25T09:30:00.123Z"},
		{"rfc3339_micros", "", "2025-01-25T09:30:00.12Z|2025-01-25T09:30:00.123456Z"},
		{nanos, "", "2025-01-25T09:30:00.12Z|2025-01-25T09:30:00.1Z|2025-01-25T09:30:00Z"},
		{"2006-01-02T15:04:05-07:00", "", "2025-01-25T09:30:00+02:00"},
		{"2006-01-02T15:04:05.000000", "", "2025-01-25T09:30:00.123456|2025-01-25T09:30:00"},
		{"sql", "", "2025-01-25 09:30:00"},
		{"2006-01-02 15:04:05 UTC", "", "2025-01-25 09:30:00 UTC"},
		{"unix", "", "1737797400"},
		{"", "", "17377974000"},
		{"01/02/2006", "", "01/25/2025"},
		{"", "", "3 days ago"},
		// The format in force is kept where all dates fit it.
		{"01/02/2006", "01/02/2006", "05/06/2025"},
		{"02/01/2006", "01/02/2006", "05/06/2025|25/01/2025"},
		// A layout with nines writes no zeros at the end of the fraction.
		{"2006-01-02T15:04:05.000000000Z07:00", time.RFC3339Nano,
			"2025-01-25T09:30:00.120000000Z|2025-01-25T09:30:00.5Z"},
	} {
		var campaigns []string
		for date := range strings.SplitSeq(tt.dates, "|") {
			campaigns = append(campaigns, fmt.Sprintf(`{"created_at":%q,"updated_at":""}`, date))
		}
		inForce := fixtures.Service{Timestamps: tt.inForce}
		got := settingsOf(t, lists(campaigns...), inForce).Timestamps
		if got != tt.want {
			t.Errorf("%s: the format is %q, want %q", tt.dates, got, tt.want)
		}
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	const digits17 = "12345678901234567"
	for _, tt := range []struct {
		want    string // "" if no setting can say it
		inForce string
		ids     string // separated by a space
	}{
		{"uuid", "", "0b7b6c1e-9f0a-4e55-8c1d-5d0f7c0e4a11"},
		{"", "", "0B7B6C1E-9f0a-4e55-8c1d-5d0f7c0e4a11"},
		{"sequence", "", "1 20"},
		{"##", "", "01 02"},
		{"cmp_#####", "", "cmp_00001 cmp_00002"},
		{"customer-#", "", "customer-1"},
		{"", "", "customers-1"},
		{"", "", "a-b-1"},
		{"c##################", "", "c" + digits17 + "8"},
		{"", "", "c" + digits17 + "89"},
		{"cmp_##", "", "cmp_1 cmp_10"},
		{"cmp_#####", "cmp_#####", "cmp_1"},
		{"####", "####", "1231 1232"},
	} {
		var campaigns []string
		for id := range strings.SplitSeq(tt.ids, " ") {
			campaigns = append(campaigns, fmt.Sprintf(`{"id":%q}`, id))
		}
		got := settingsOf(t, lists(campaigns...), fixtures.Service{IDs: tt.inForce}).IDs
		if got != tt.want {
			t.Errorf("%s: the format is %q, want %q", tt.ids, got, tt.want)
		}
	}
}
