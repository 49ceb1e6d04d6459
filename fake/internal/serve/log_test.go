package serve_test

import (
	"bytes"
	"net/http"
	"testing"

	"example.com/campaignfake/fixtures"
)

// A line of the log has no secret in it: neither a token that nobody has chosen, nor the values of
// a query. It is a warning if the client should change something.
func TestLog(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		method, path string
		header       http.Header
		want         string
	}{
		"known": {
			"GET", listPath, bearer("alice"),
			`level=INFO msg=request method=GET path=/api/user/campaigns ` +
				`status=200 token=alice reason="0 campaigns"`,
		},
		"a run of a known one": {
			"GET", listPath, bearer("alice~a-long-text-of-a-test"),
			`level=INFO msg=request method=GET path=/api/user/campaigns ` +
				`status=200 token=alice~a-long-text-of-a-test reason="0 campaigns"`,
		},
		"unknown": {
			"GET", listPath, bearer("s3cr3t-of-somebody"),
			`level=INFO msg=request method=GET path=/api/user/campaigns ` +
				`status=200 token=s3cr… reason="unknown token: 10 generated campaigns"`,
		},
		"unknown and short": {
			"GET", listPath, bearer("s3cr3t"),
			`level=INFO msg=request method=GET path=/api/user/campaigns ` +
				`status=200 token=… reason="unknown token: 10 generated campaigns"`,
		},
		"nearly right": {
			"GET", listPath, bearer("Alice"),
			`level=WARN msg=request method=GET path=/api/user/campaigns status=200 token=Alice ` +
				`reason="unknown token: 10 generated campaigns; did you mean alice?"`,
		},
		"no token": {
			"GET", listPath, nil,
			`level=WARN msg=request method=GET path=/api/user/campaigns ` +
				`status=401 token="" reason="there is no Authorization header"`,
		},
		"unmatched": {
			"GET", "/login?user=s3cr3t", bearer("alice"),
			`level=WARN msg=request method=GET path=/login ` +
				`ignored_query="user=…" status=404 token=alice ` +
				`reason="no route has this path: the path is /login; ` +
				`only GET /api/user/campaigns is here"`,
		},
		"a query": {
			"GET", listPath + "?s3cr3t&page=2&=x&a=b=c", bearer("alice"),
			`level=WARN msg=request method=GET path=/api/user/campaigns ` +
				`ignored_query="…&page=…&…&a=…" status=200 token=alice reason="0 campaigns"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			h := newHandler(t,
				withLog(&log),
				withUser("alice", fixtures.User{}),
				withService(fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate}),
			)
			ask(h, tt.method, tt.path, tt.header)
			if got := log.String(); got != tt.want+"\n" {
				t.Errorf("the line is\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Browsers send a preflight with each request of a page. It is in the journal, and not in the log.
func TestLogHasNoPreflights(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := newHandler(t, withLog(&log))
	ask(h, "OPTIONS", listPath, http.Header{"Access-Control-Request-Method": {"GET"}})
	if log.Len() > 0 {
		t.Errorf("the log has\n%s", &log)
	}
}
