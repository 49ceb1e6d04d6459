package serve_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fixtures"
)

// The headers of CORS say who may read an answer, and the reason of a preflight says the same.
func TestCORS(t *testing.T) {
	t.Parallel()
	const other = "http://other.test"
	type answer struct {
		status                     int
		allowed, credentials, vary string
	}
	preflight := func(origin, method string) http.Header {
		header := http.Header{"Access-Control-Request-Method": {method}}
		if origin != "" {
			header.Set("Origin", origin)
		}
		return header
	}
	ofPage := func(origin string) http.Header {
		header := bearer("alice")
		header.Set("Origin", origin)
		return header
	}
	const varyOfPreflight = "Origin, Access-Control-Request-Method, " +
		"Access-Control-Request-Headers, Access-Control-Request-Private-Network"
	for name, tt := range map[string]struct {
		cors   string
		method string
		header http.Header
		want   answer
		reason string
	}{
		"any, of a page": {
			cors:   "any",
			method: "GET",
			header: ofPage(page),
			want:   answer{200, "*", "", "Origin"},
			reason: "0 campaigns",
		},
		"any, of a program": {
			cors:   "any",
			method: "GET",
			header: bearer("alice"),
			want:   answer{200, "", "", "Origin"},
			reason: "0 campaigns",
		},
		"any, without a token": {
			"any", "GET", http.Header{"Origin": {page}},
			answer{401, "*", "", "Origin"},
			"there is no Authorization header",
		},
		"listed, of a page": {
			cors:   page,
			method: "GET",
			header: ofPage(page),
			want:   answer{200, page, "true", "Origin"},
			reason: "0 campaigns",
		},
		"listed, of another": {
			cors:   page,
			method: "GET",
			header: ofPage(other),
			want:   answer{200, "", "", "Origin"},
			reason: "0 campaigns",
		},
		"listed, of programs": {
			cors:   page,
			method: "GET",
			header: bearer("alice"),
			want:   answer{200, "", "", "Origin"},
			reason: "0 campaigns",
		},
		"off, of a page": {"off", "GET", ofPage(page), answer{200, "", "", ""}, "0 campaigns"},
		"any, a preflight": {
			"any", "OPTIONS", preflight(page, "GET"),
			answer{204, "*", "", varyOfPreflight},
			"preflight: the browser may send the request for origin " + page +
				", without cookies " +
				`(for credentials: "include", service.cors has to list the origin)`,
		},
		"listed, a preflight": {
			page, "OPTIONS", preflight(page, "POST"),
			answer{204, page, "true", varyOfPreflight},
			"preflight: the browser may send the request for origin " + page,
		},
		"listed, a preflight of another": {
			page, "OPTIONS", preflight(other, "GET"),
			answer{204, "", "", varyOfPreflight},
			"preflight refused: service.cors does not list the origin " + other,
		},
		"any, a preflight of nobody": {
			"any", "OPTIONS", preflight("", "GET"),
			answer{204, "", "", varyOfPreflight},
			"preflight refused: it has no Origin, which every browser sends",
		},
		"any, a preflight of a method": {
			"any", "OPTIONS", preflight(page, "PURGE"),
			answer{204, "", "", varyOfPreflight},
			"preflight refused: browsers cannot be allowed the method PURGE",
		},
		"off, a preflight": {
			"off", "OPTIONS", preflight(page, "GET"),
			answer{405, "", "", ""},
			"preflight refused: service.cors is off",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHandler(t,
				withUser("alice", fixtures.User{}),
				withService(fixtures.Service{CORS: []string{tt.cors}}),
			)
			w := ask(h, tt.method, listPath, tt.header)
			header := w.Header()
			got := answer{
				status:      w.Code,
				allowed:     header.Get("Access-Control-Allow-Origin"),
				credentials: header.Get("Access-Control-Allow-Credentials"),
				vary:        joined(header["Vary"]),
			}
			if got != tt.want {
				t.Errorf("it is answered %+v, want %+v", got, tt.want)
			}
			if reasonOf(h) != tt.reason {
				t.Errorf("the reason is\n%s\nwant\n%s", reasonOf(h), tt.reason)
			}
		})
	}
}

func joined(values []string) string {
	return strings.Join(values, ", ")
}

// The settings can add a header Vary. It does not replace the Vary of CORS.
func TestVaryOfSettings(t *testing.T) {
	t.Parallel()
	success := fixtures.Response{Headers: http.Header{"vary": {"Accept"}}}
	h := newHandler(t,
		withUser("alice", fixtures.User{}),
		withService(fixtures.Service{Success: success}),
	)
	for range 2 {
		w := ask(h, "GET", listPath, bearer("alice"))
		if got := joined(w.Header()["Vary"]); got != "Origin, Accept" {
			t.Errorf("Vary is %q", got)
		}
	}
}

// A page that sends cookies may read the headers that settings and replies add, which the asterisk
// does not expose then. What a reply says of this itself stays as it is.
func TestExposedHeaders(t *testing.T) {
	t.Parallel()
	const byDefault = "Www-Authenticate, Retry-After, Allow, Date, *"
	headers := http.Header{
		"X-Own":                        {"1"},
		"Set-Cookie":                   {"a=b"},
		"Retry-After":                  {"2"},
		"Access-Control-Max-Age":       {"3"},
		"Access-Control-Allow-Methods": {"GET"},
	}
	own := http.Header{
		"X-Own":                         {"1"},
		"Access-Control-Expose-Headers": {"X-Other"},
	}
	tests := map[string]struct {
		cors  string
		reply fixtures.Reply
		want  string
	}{
		"with cookies": {
			cors:  page,
			reply: fixtures.Reply{Headers: headers},
			want:  byDefault + ", Content-Type, X-Own",
		},
		"with cookies, and an error": {
			cors:  page,
			reply: fixtures.Reply{Status: 503, Headers: headers},
			want:  byDefault + ", Content-Type, X-Own",
		},
		"said by the reply": {
			cors:  page,
			reply: fixtures.Reply{Headers: own},
			want:  "X-Other",
		},
		"without cookies": {
			cors:  "any",
			reply: fixtures.Reply{Headers: headers},
			want:  byDefault,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHandler(t,
				withUser("alice", fixtures.User{Replies: []fixtures.Reply{tt.reply}}),
				withService(fixtures.Service{CORS: []string{tt.cors}}),
			)
			header := bearer("alice")
			header.Set("Origin", page)
			w := ask(h, "GET", listPath, header)
			got := joined(w.Header()["Access-Control-Expose-Headers"])
			if got != tt.want {
				t.Errorf("a page may read %s, want %s", got, tt.want)
			}
		})
	}
}
