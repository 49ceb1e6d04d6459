package fake_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
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
	case token != realToken:
		f.invalid(w, r)
	default:
		f.list(w, r)
	}
}

// sent returns an answer with a body of a type.
func sent(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// with returns an answer that has a header, too.
func with(name, value string, answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(name, value)
		answer(w, r)
	}
}

// threeCampaigns returns a list of campaigns, with the number of each for #.
func threeCampaigns(contentType, campaign string) http.HandlerFunc {
	var list []string
	for i := range 3 {
		list = append(list, strings.ReplaceAll(campaign, "#", fmt.Sprint(i+1)))
	}
	return sent(200, contentType, `{"campaigns":[`+strings.Join(list, ",")+`]}`)
}

// laravel is in debug mode, and shows where it failed.
func laravel() framework {
	unauthenticated := sent(401, "application/json", `{"message":"Unauthenticated."}`)
	const at = `{"file":"\/var\/www\/vendor\/laravel\/Pipeline.php","line":180}`
	trace := `[` + at + strings.Repeat(`,`+at, 40) + `]`
	list := threeCampaigns("application/json", `{"id":"#","name":"Campaign #","status":"ACTIVE",
		"budget":"1200.00","deleted_at":null,
		"created_at":"2025-01-05T09:30:0#.000000Z","updated_at":"2025-01-05T09:30:0#.000000Z"}`)
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
	const jsonType = "application/json"
	notProvided := sent(401, jsonType,
		`{"detail":"Authentication credentials were not provided."}`)
	notValid := sent(401, jsonType, `{"detail":"Given token not valid for any token type",
		"code":"token_not_valid","messages":[{"message":"Token is invalid"}]}`)
	return framework{
		list: threeCampaigns(jsonType, `{"id":"0b7b6c1e-9f0a-4e55-8c1d-5d0f7c0e4a1#",
			"name":"Campaign #","status":"running","owner":{"id":7},"tags":["a"],"is_public":true,
			"created_at":"2025-01-05T09:3#:00.123456Z","updated_at":null}`),
		missing:   with("WWW-Authenticate", `Bearer realm="api"`, notProvided),
		invalid:   with("WWW-Authenticate", `Bearer realm="api"`, notValid),
		notFound:  sent(404, "text/html; charset=utf-8", "\n<!doctype html>\n<h1>Not Found</h1>\n"),
		preflight: sent(200, "text/html; charset=utf-8", ""),
	}
}

// rails redirects to a login, and has a page with a nonce for what is not found.
func rails() framework {
	var count atomic.Int64
	login := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/users/sign_in", http.StatusFound)
	}
	return framework{
		list: threeCampaigns("application/json; charset=utf-8",
			`{"id":"cmp_0000#","name":"N","status":"draft",
			"created_at":"2025-01-05T09:30:00.12#+02:00",
			"updated_at":"2025-01-05T09:30:00.12#+02:00"}`),
		missing: login,
		invalid: func(w http.ResponseWriter, r *http.Request) {
			body := fmt.Sprintf(`{"errors":[{"status":"401","id":"%x"}]}`, count.Add(1))
			sent(401, "application/json; charset=utf-8", body)(w, r)
		},
		notFound: func(w http.ResponseWriter, r *http.Request) {
			page := fmt.Sprintf(`<!DOCTYPE html><script nonce="%x"></script>`, count.Add(1))
			sent(404, "text/html; charset=UTF-8", page)(w, r)
		},
		preflight: sent(404, "text/html; charset=UTF-8", ""),
	}
}

// express has numbers for ids, repeats the path, and has a key beside the campaigns.
func express() framework {
	const jsonType = "application/json; charset=utf-8"
	return framework{
		list: sent(200, jsonType, `{"campaigns":[{"id":7,"name":"N","status":"live","__v":0,
			"created_at":"2025-01-05T09:30:00.121Z","updated_at":"2025-01-05T09:30:00.121Z"}],
			"next":null}`),
		missing: sent(401, jsonType, `{"error":"No token provided"}`),
		invalid: sent(403, jsonType, `{"error":"jwt malformed"}`),
		notFound: func(w http.ResponseWriter, r *http.Request) {
			sent(404, "text/html; charset=utf-8", "<pre>Cannot GET "+r.URL.Path+"</pre>")(w, r)
		},
		preflight: sent(404, "text/html; charset=utf-8", ""),
	}
}

// springSecurity has a time, a path and the id of the request in each refusal. It refuses a token
// before it looks for the path.
func springSecurity() framework {
	var count atomic.Int64
	refused := func(status int, reason string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			number := count.Add(1)
			body, err := json.Marshal(map[string]any{
				"timestamp": 1736069400000 + number,
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
		list: threeCampaigns("application/json", `{"id":"#","name":"N","status":"IN_REVIEW",
			"created_at":"2025-01-05T09:30:00.12#+00:00",
			"updated_at":"2025-01-05T09:30:00.12#+00:00"}`),
		missing: with("WWW-Authenticate", "Bearer", sent(401, "", "")),
		invalid: refused(401, "Unauthorized"),
		notFound: func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") == "Bearer "+realToken {
				refused(404, "Not Found")(w, r)
				return
			}
			refused(401, "Unauthorized")(w, r)
		},
		preflight: refused(403, "Forbidden"),
	}
}

// settingsJSON returns the settings in a file of fixtures as JSON.
func settingsJSON(t *testing.T, file string) string {
	t.Helper()
	set, err := fixtures.LoadText("service.yaml", file)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.MarshalIndent(set.Service, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

// What is observed of the services of frameworks. With it, a fake differs in facts alone.
func TestObserveFrameworks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		framework framework
		facts     string // that differ
		want      string
	}{
		{"Laravel", laravel(), "", `service:
  extra: {"budget": "", "deleted_at": null}
  ids: "sequence"
  timestamps: "rfc3339_micros"
  statuses: ["ACTIVE"]
  cors: ["https://app.example"]
  success:
    status: 200
    headers: {"Content-Type": "application/json"}
  responses:
    missing_token:
      status: 401
      headers: {"Content-Type": "application/json"}
      body: {"message": "Unauthenticated."}
    invalid_token:
      status: 401
      headers: {"Content-Type": "application/json"}
      body: {"message": "Unauthenticated."}
    not_found:
      status: 404
      headers: {"Content-Type": "application/json"}
      body:
        "exception": "Symfony\\Component\\HttpKernel\\Exception\\NotFoundHttpException"
        "line": 44
        "message": "…"
        "trace": []
`},
		{"Django", django(), "", `service:
  extra: {"is_public": false, "owner": {}, "tags": [], "updated_at": null}
  ids: "uuid"
  timestamps: "rfc3339_micros"
  statuses: ["running"]
  cors: ["off"]
  success:
    status: 200
    headers: {"Content-Type": "application/json"}
  responses:
    missing_token:
      status: 401
      headers: {"Content-Type": "application/json", "WWW-Authenticate": "Bearer realm=\"api\""}
      body: {"detail": "Authentication credentials were not provided."}
    invalid_token:
      status: 401
      headers: {"Content-Type": "application/json", "WWW-Authenticate": "Bearer realm=\"api\""}
      body:
        "code": "token_not_valid"
        "detail": "Given token not valid for any token type"
        "messages": [{"message": "Token is invalid"}]
    not_found:
      status: 404
      headers: {"Content-Type": "text/html; charset=utf-8"}
      body: "\n<!doctype html>\n<h1>Not Found</h1>\n"
`},
		{"Rails", rails(), "", `service:
  ids: "cmp_#####"
  timestamps: "2006-01-02T15:04:05.000-07:00"
  statuses: ["draft"]
  cors: ["off"]
  success:
    status: 200
    headers: {"Content-Type": "application/json; charset=utf-8"}
  responses:
    missing_token:
      status: 302
      headers: {"Content-Type": "text/html; charset=utf-8", "Location": "/users/sign_in"}
      body: "<a href=\"/users/sign_in\">Found</a>.\n\n"
    invalid_token:
      status: 401
      headers: {"Content-Type": "application/json; charset=utf-8"}
      body: {"errors": [{"id": "…", "status": "401"}]}
    not_found:
      status: 404
      headers: {"Content-Type": "text/html; charset=UTF-8"}
      body: "…"
`},
		{"Express", express(), "answer types", `service:
  extra: {"__v": 0}
  timestamps: "rfc3339_millis"
  statuses: ["live"]
  cors: ["off"]
  success:
    status: 200
    headers: {"Content-Type": "application/json; charset=utf-8"}
  responses:
    missing_token:
      status: 401
      headers: {"Content-Type": "application/json; charset=utf-8"}
      body: {"error": "No token provided"}
    invalid_token:
      status: 403
      headers: {"Content-Type": "application/json; charset=utf-8"}
      body: {"error": "jwt malformed"}
    not_found:
      status: 404
      headers: {"Content-Type": "text/html; charset=utf-8"}
      body: "…"
`},
		{"Spring", springSecurity(), "", `service:
  ids: "sequence"
  timestamps: "2006-01-02T15:04:05.000-07:00"
  statuses: ["IN_REVIEW"]
  cors: ["off"]
  success:
    status: 200
    headers: {"Content-Type": "application/json"}
  responses:
    missing_token:
      status: 401
      headers: {"WWW-Authenticate": "Bearer"}
      body: ""
    invalid_token:
      status: 401
      headers: {"Content-Type": "application/json"}
      body:
        "error": "Unauthorized"
        "path": "/api/user/campaigns"
        "requestId": "…"
        "status": 401
        "timestamp": 0
    not_found:
      status: 404
      headers: {"Content-Type": "application/json"}
      body: {"error": "…", "path": "…", "requestId": "…", "status": 0, "timestamp": 0}
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(tt.framework)
			defer server.Close()
			base := server.URL + "/api"
			observed, err := fake.Observe(t.Context(), targetAt(base))
			if err != nil {
				t.Fatal(err)
			}
			if got := settingsJSON(t, observed.YAML); got != settingsJSON(t, tt.want) {
				t.Errorf("observed is\n%s\nwant\n%s", got, settingsJSON(t, tt.want))
			}
			d := compareWith(t, withFile(t, observed.YAML), base)
			if got := strings.Join(d.Names, " "); got != tt.facts {
				t.Errorf("with what was observed, it differs in %q:\n%s", got, d.YAML)
			}
		})
	}
}
