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

// sent returns an answer with a body of a type.
func sent(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// rails returns a service that behaves like Rails: it redirects to a login, has an id in each
// refusal, and answers unknown paths with a page that has a nonce.
func rails() http.HandlerFunc {
	const jsonType = "application/json; charset=utf-8"
	var count atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		number := count.Add(1)
		token := r.Header.Get("Authorization")
		switch {
		case r.URL.Path != "/api/user/campaigns" || r.Method == http.MethodOptions:
			page := fmt.Sprintf(`<!DOCTYPE html><script nonce="%x"></script>`, number)
			sent(404, "text/html; charset=UTF-8", page)(w, r)
		case token == "":
			http.Redirect(w, r, "/users/sign_in", http.StatusFound)
		case token != "Bearer "+realToken:
			sent(401, jsonType, fmt.Sprintf(`{"errors":[{"id":"%x"}]}`, number))(w, r)
		default:
			sent(200, jsonType, `{"campaigns":[{"id":"cmp_00007","name":"N","status":"draft",
				"created_at":"2025-01-05T09:30:00.120+02:00",
				"updated_at":"2025-01-05T09:30:00.120+02:00"}]}`)(w, r)
		}
	}
}

// An observation is printed as a file of fixtures. A fake with this file does not differ from the
// service.
func TestObserve(t *testing.T) {
	t.Parallel()
	const want = `service:
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
      body: {"errors": [{"id": "…"}]}
    not_found:
      status: 404
      headers: {"Content-Type": "text/html; charset=UTF-8"}
      body: "…"
`
	server := httptest.NewServer(rails())
	defer server.Close()
	base := server.URL + "/api"
	observed, err := fake.Observe(t.Context(), targetAt(base))
	if err != nil {
		t.Fatal(err)
	}
	if got := settingsJSON(t, observed.YAML); got != settingsJSON(t, want) {
		t.Errorf("observed is\n%s\nwant\n%s", observed.YAML, want)
	}
	d := compareWith(t, withFile(t, observed.YAML), base)
	if len(d.Names) > 0 {
		t.Errorf("with what was observed, it differs in %q:\n%s", d.Names, d.YAML)
	}
}

// settingsJSON returns the settings in a file of fixtures as JSON.
func settingsJSON(t *testing.T, file string) string {
	t.Helper()
	set, err := fixtures.LoadText("service.yaml", file)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(set.Service)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(encoded))
}
