package control

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestRefuseOrigin(t *testing.T) {
	t.Parallel()
	const (
		app       = "http://localhost:5173" // this origin is listed
		refused   = "The control plane refuses pages of other origins"
		elsewhere = "cross-site"
	)
	for name, tt := range map[string]struct {
		path   string
		header http.Header
		want   string // the start of the refusal; "" for no refusal
	}{
		"a program": {},
		"the page itself": {
			header: http.Header{
				"Origin":         {"http://campaigns:8642"},
				"Sec-Fetch-Site": {"same-origin"},
			},
		},
		"the page itself over HTTPS": {header: http.Header{"Origin": {"https://CAMPAIGNS:8642"}}},
		"the address bar":            {header: http.Header{"Sec-Fetch-Site": {"none"}}},
		"a listed page": {
			header: http.Header{"Origin": {app}, "Sec-Fetch-Site": {elsewhere}},
		},

		"another page": {
			header: http.Header{"Origin": {"http://evil.example"}},
			want:   refused + `, as "http://evil.example". `,
		},
		"a page without an origin": {
			header: http.Header{"Origin": {"null"}},
			want:   refused + `, as "null". `,
		},
		"an origin that is no URL": {
			header: http.Header{"Origin": {"http://campaigns:8642\x7f"}},
			want:   refused + `, as "http://campaigns:8642\x7f". `,
		},
		"a listed origin twice": {
			header: http.Header{"Origin": {app, app}},
			want:   refused + `, as "http://localhost:5173, http://localhost:5173". `,
		},
		"an image": {
			header: http.Header{"Sec-Fetch-Site": {elsewhere}, "Sec-Fetch-Mode": {"no-cors"}},
			want:   refused + ". ",
		},
		"a page of the same site": {
			header: http.Header{"Sec-Fetch-Site": {"same-site"}},
			want:   refused + ". ",
		},

		"a link to the page": {path: "/_fake/", header: following("document")},
		"a frame with the page": {
			path:   "/_fake/",
			header: following("iframe"),
			want:   refused + ". ",
		},
		"a link to data": {
			path:   "/_fake/users",
			header: following("document"),
			want:   refused + ". ",
		},
		"a form to the page": {
			path: "/_fake/",
			header: http.Header{
				"Origin":         {"http://evil.example"},
				"Sec-Fetch-Site": {elsewhere},
				"Sec-Fetch-Mode": {"navigate"},
				"Sec-Fetch-Dest": {"document"},
			},
			want: refused + `, as "http://evil.example". `,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := tt.path
			if path == "" {
				path = "/_fake/users"
			}
			r := httptest.NewRequest("GET", "http://campaigns:8642"+path, nil)
			r.Header = tt.header
			refusal := refuseOrigin(r, []string{app})
			isWanted := tt.want != ""
			if isWanted != (refusal != "") || !strings.HasPrefix(refusal, tt.want) {
				t.Errorf("the refusal is %q, want %q", refusal, tt.want)
			}
		})
	}
}

// following returns the header with which a browser follows a link from a page of another site.
func following(destination string) http.Header {
	return http.Header{
		"Sec-Fetch-Site": {"cross-site"},
		"Sec-Fetch-Mode": {"navigate"},
		"Sec-Fetch-Dest": {destination},
	}
}
