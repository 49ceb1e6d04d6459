package observe_test

import (
	"net/http"
	"testing"
)

// A page may read the list if the preflight is answered with success, for the origin and the
// header, and the answer is for its origin, too.
func TestCORS(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name                    string
		status                  int
		origin, headers, onList string
		want                    string
	}{
		{"any", 204, "*", "*, Authorization", "*", origin},
		{"no success", 401, "*", "authorization", "*", "off"},
		{"another origin", 204, "https://other.example", "authorization", "*", "off"},
		{"not the header", 204, "*", "*", "*", "off"},
		{"another on the list", 204, "*", "authorization", "https://other.example", "off"},
	} {
		o := seen(t, service{
			preflight: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Access-Control-Allow-Origin", tt.origin)
				w.Header().Set("Access-Control-Allow-Headers", tt.headers)
				w.WriteHeader(tt.status)
			},
			list: func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Access-Control-Allow-Origin", tt.onList)
				lists(oneCampaign)(w, r)
			},
		})
		if got := o.Settings().CORS; len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s: observed is %q, want %s", tt.name, got, tt.want)
		}
	}
}
