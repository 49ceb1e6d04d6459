package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A framework is a service in the habits of one.
type framework struct {
	list, missing, invalid, notFound, preflight http.HandlerFunc
}

func (f framework) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, isGiven := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case r.URL.Path != "/api/user/campaigns":
		f.notFound(w, r)
	case r.Method == http.MethodOptions:
		f.preflight(w, r)
	case !isGiven:
		f.missing(w, r)
	case token != secretToken:
		f.invalid(w, r)
	default:
		f.list(w, r)
	}
}

// with returns an answer that has a header, too.
func with(name, value string, answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(name, value)
		answer(w, r)
	}
}

// nineCampaigns returns a list of campaigns, with the number of each for #.
func nineCampaigns(campaign string) string {
	var list []string
	for i := range 9 {
		list = append(list, strings.ReplaceAll(campaign, "#", fmt.Sprint(i+1)))
	}
	return `{"campaigns":[` + strings.Join(list, ",") + `]}`
}

// laravel is in debug mode, and shows where it failed.
func laravel() framework {
	unauthenticated := sent(401, "application/json", `{"message":"Unauthenticated."}`)
	const at = `{"file":"/var/www/vendor/laravel/framework/src/Illuminate/Pipeline/Pipeline.php",` +
		`"line":180}`
	trace := `[` + at + strings.Repeat(`,`+at, 40) + `]`
	list := sent(200, "application/json",
		nineCampaigns(`{"id":"#","name":"Campaign #","status":"ACTIVE",
		"budget":"1200.00","deleted_at":null,
		"created_at":"2025-01-05T09:30:0#.000000Z","updated_at":"2025-01-05T09:30:0#.000000Z"}`))
	return framework{
		list:    with("Access-Control-Allow-Origin", "*", list),
		missing: unauthenticated,
		invalid: unauthenticated,
		notFound: func(w http.ResponseWriter, r *http.Request) {
			body := fmt.Sprintf(`{"message":"The route %s could not be found.",
				"exception":"Symfony\\Component\\HttpKernel\\Exception\\NotFoundHttpException",
				"line":44,"trace":%s}`, strings.TrimPrefix(r.URL.Path, "/"), trace)
			sent(404, "application/json", body)(w, r)
		},
		preflight: with("Access-Control-Allow-Origin", "*",
			with("Access-Control-Allow-Headers", "authorization", sent(204, "", ""))),
	}
}

// django is Django with its REST framework and simple JWT.
func django() framework {
	notProvided := sent(401, "application/json",
		`{"detail":"Authentication credentials were not provided."}`)
	notValid := sent(401, "application/json", `{
		"detail": "Given token not valid for any token type",
		"code": "token_not_valid",
		"messages": [{"token_class": "AccessToken", "message": "Token is invalid"}]
	}`)
	return framework{
		list: sent(200, "application/json",
			nineCampaigns(`{"id":"0b7b6c1e-9f0a-4e55-8c1d-5d0f7c0e4a1#",
			"name":"Campaign #","status":"running","owner":{"id":7},"tags":["a"],"is_public":true,
			"created_at":"2025-01-05T09:3#:00.123456Z","updated_at":null}`)),
		missing: with("WWW-Authenticate", `Bearer realm="api"`, notProvided),
		invalid: with("WWW-Authenticate", `Bearer realm="api"`, notValid),
		notFound: sent(404, "text/html; charset=utf-8", "\n<!doctype html>\n<html lang=\"en\">\n"+
			"<head>\n  <title>Not Found</title>\n</head>\n<body>\n"+
			"  <h1>Not Found</h1></body>\n</html>\n"),
		preflight: sent(200, "text/html; charset=utf-8", ""),
	}
}

// rails has numbers with a prefix, a local time, and a page for what is not found.
func rails() framework {
	var count atomic.Int64
	denied := sent(401, "text/plain; charset=utf-8", "HTTP Token: Access denied.\n")
	return framework{
		list: sent(200, "application/json; charset=utf-8",
			nineCampaigns(`{"id":"cmp_0000#","name":"N","status":"draft",
			"created_at":"2025-01-05T09:30:00.12#+02:00",
			"updated_at":"2025-01-05T09:30:00.12#+02:00"}`)),
		missing: with("WWW-Authenticate", `Token realm="Application"`, denied),
		invalid: func(w http.ResponseWriter, r *http.Request) {
			body := `{"errors":[{"status":"401","title":"Unauthorized","id":"%x"}]}`
			sent(401, "application/json; charset=utf-8", fmt.Sprintf(body, count.Add(1)))(w, r)
		},
		notFound: sent(404, "text/html; charset=UTF-8", "<!DOCTYPE html><title>(404)</title>"+
			strings.Repeat("<p>The page you were looking for doesn't exist.</p>\n", 80)),
		preflight: sent(404, "text/html; charset=UTF-8", ""),
	}
}

// express has the ids of MongoDB, and repeats the path.
func express() framework {
	const jsonType = "application/json; charset=utf-8"
	list := sent(200, jsonType,
		nineCampaigns(`{"id":"65f1c0ffee1234567890abc#","name":"N","status":"live",
		"created_at":"2025-01-05T09:30:00.12#Z","updated_at":"2025-01-05T09:30:00.12#Z","__v":0}`))
	return framework{
		list:    with("Access-Control-Allow-Origin", "*", list),
		missing: sent(401, jsonType, `{"error":"No token provided"}`),
		invalid: sent(403, jsonType, `{"error":"jwt malformed"}`),
		notFound: func(w http.ResponseWriter, r *http.Request) {
			page := "<!DOCTYPE html>\n<html lang=\"en\">\n<body>\n<pre>Cannot GET " + r.URL.Path +
				"</pre>\n</body>\n"
			sent(404, "text/html; charset=utf-8", page)(w, r)
		},
		preflight: with("Access-Control-Allow-Origin", "*",
			with("Access-Control-Allow-Headers", "authorization", sent(204, "", ""))),
	}
}

// spring has a time, a path and the id of the request in each refusal.
func spring() framework {
	var count atomic.Int64
	refused := func(status int, reason string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			number := int(count.Add(1))
			at := time.Date(2025, 1, 5, 9, 30, 0, number*1e6, time.UTC)
			body, err := json.Marshal(map[string]any{
				"timestamp": at.Format("2006-01-02T15:04:05.000-07:00"),
				"status":    status,
				"error":     reason,
				"path":      r.URL.Path,
				"requestId": fmt.Sprintf("%x-1", number),
			})
			if err != nil {
				panic(err)
			}
			sent(status, "application/json", string(body))(w, r)
		}
	}
	return framework{
		list: sent(200, "application/json",
			nineCampaigns(`{"id":"#","name":"N","status":"IN_REVIEW",
			"created_at":"2025-01-05T09:30:00.12#+00:00",
			"updated_at":"2025-01-05T09:30:00.12#+00:00"}`)),
		missing:   refused(401, "Unauthorized"),
		invalid:   refused(401, "Unauthorized"),
		notFound:  refused(404, "Not Found"),
		preflight: refused(403, "Forbidden"),
	}
}

// What the services of frameworks differ in is found and written, and then the fake agrees.
func TestCompareKnowsTheHabitsOfFrameworks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		framework framework
		page      []string // some lines of it
		written   string
	}{
		{"Laravel", laravel(), []string{
			"- a value of extra is empty where that of the service is its customers' own; " +
				"write yours there, or a",
			"- not compared in responses.not_found.body: message (repeats the request), " +
				"trace (is long)",
		}, `service:
  extra:
    budget: ""
    deleted_at: null
  ids: sequence
  timestamps: rfc3339_micros
  statuses:
    - ACTIVE
  responses:
    missing_token:
      headers:
        Content-Type: application/json
      body:
        message: Unauthenticated.
    invalid_token:
      headers:
        Content-Type: application/json
      body:
        message: Unauthenticated.
    not_found:
      headers:
        Content-Type: application/json
      body:
        exception: Symfony\Component\HttpKernel\Exception\NotFoundHttpException
        line: 44
`},
		{"Django", django(), []string{
			"null                             updated_at is null                as documented",
		}, `service:
  extra:
    is_public: false
    owner: {}
    tags: []
    updated_at: null
  timestamps: rfc3339_micros
  statuses:
    - running
  cors:
    - off
  responses:
    missing_token:
      headers:
        Content-Type: application/json
        WWW-Authenticate: Bearer realm="api"
      body:
        detail: Authentication credentials were not provided.
    invalid_token:
      headers:
        Content-Type: application/json
        WWW-Authenticate: Bearer realm="api"
      body:
        code: token_not_valid
        detail: Given token not valid for any token type
        messages:
          - message: Token is invalid
            token_class: AccessToken
    not_found:
      headers:
        Content-Type: text/html; charset=utf-8
      body: "\n<!doctype html>\n<html lang=\"en\">\n<head>\n` +
			`  <title>Not Found</title>\n</head>\n<body>\n  <h1>Not Found</h1></body>\n</html>\n"
`},
		{"Rails", rails(), []string{
			"- not compared in responses.invalid_token.body: errors[0].id (changes)",
			"- not compared in responses.not_found.body: all but its type (has more than 2 KiB)",
		}, `service:
  ids: cmp_#####
  timestamps: 2006-01-02T15:04:05.000-07:00
  cors:
    - off
  success:
    headers:
      Content-Type: application/json; charset=utf-8
  responses:
    missing_token:
      headers:
        Content-Type: text/plain; charset=utf-8
        WWW-Authenticate: Token realm="Application"
      body: "HTTP Token: Access denied.\n"
    invalid_token:
      headers:
        Content-Type: application/json; charset=utf-8
      body:
        errors:
          - status: "401"
            title: Unauthorized
    not_found:
      headers:
        Content-Type: text/html; charset=UTF-8
      body: ""
`},
		{"Express", express(), []string{
			"ids                              a format that no setting has      uuid",
			"- not compared in responses.not_found.body: all but its type (repeats the request)",
		}, `service:
  extra:
    __v: 0
  timestamps: rfc3339_millis
  statuses:
    - live
  success:
    headers:
      Content-Type: application/json; charset=utf-8
  responses:
    missing_token:
      headers:
        Content-Type: application/json; charset=utf-8
      body:
        error: No token provided
    invalid_token:
      status: 403
      headers:
        Content-Type: application/json; charset=utf-8
      body:
        error: jwt malformed
    not_found:
      headers:
        Content-Type: text/html; charset=utf-8
      body: ""
`},
		{"Spring", spring(), []string{
			"- not compared in responses.missing_token.body, responses.invalid_token.body: " +
				"requestId (changes),",
			"- not compared in responses.not_found.body: path (repeats the request), requestId " +
				"(changes),",
		}, `service:
  ids: sequence
  timestamps: 2006-01-02T15:04:05.000-07:00
  statuses:
    - IN_REVIEW
  cors:
    - off
  responses:
    missing_token:
      headers:
        Content-Type: application/json
      body:
        error: Unauthorized
        path: /api/user/campaigns
        status: 401
    invalid_token:
      headers:
        Content-Type: application/json
      body:
        error: Unauthorized
        path: /api/user/campaigns
        status: 401
    not_found:
      headers:
        Content-Type: application/json
      body:
        error: Not Found
        status: 404
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(tt.framework)
			defer server.Close()
			written := filepath.Join(t.TempDir(), "service.yaml")
			args := []string{
				server.URL + "/api", "--token-env", "SERVICE_TOKEN", "--origin",
				"http://localhost:5173",
			}
			first := compared(t, 4, append(args, "--write", written)...)
			for _, line := range tt.page {
				if !strings.Contains(first.stdout, "\n"+line+"\n") {
					t.Errorf("there is no line %q in\n%s", line, first.stdout)
				}
			}
			text, err := os.ReadFile(written)
			if err != nil || string(text) != tt.written {
				t.Errorf("written is %v\n%s\nwant\n%s", err, text, tt.written)
			}
			compared(t, 0, append(args, written)...)
		})
	}
}
