package control

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Requests that browsers send by themselves are not for the API, but a request of an app that has
// lost the path of the base URL is.
func TestIsControl(t *testing.T) {
	t.Parallel()
	withToken := http.Header{"Authorization": {"Bearer alice"}}
	for name, tt := range map[string]struct {
		path   string
		header http.Header
		want   bool
	}{
		"the page":                 {"/_fake/", nil, true},
		"the page without a slash": {"/_fake", nil, true},
		"a call":                   {"/_fake/users", nil, true},
		"the start":                {"/", nil, true},
		"the start with a token":   {"/", withToken, false},
		"an icon":                  {"/favicon.ico", nil, true},
		"what developer tools ask for": {
			path:   "/.well-known/appspecific/com.chrome.devtools.json",
			header: nil,
			want:   true,
		},
		"another well-known path":       {"/.well-known/security.txt", nil, false},
		"what begins as the page does":  {"/_fakes", nil, false},
		"the service without its token": {"/api/user/campaigns", nil, false},
	} {
		r := httptest.NewRequest("GET", "http://localhost"+tt.path, nil)
		r.Header = tt.header
		if got := IsControl(r); got != tt.want {
			t.Errorf("%s: that it is of the control plane is %t", name, got)
		}
	}
}
