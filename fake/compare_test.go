package fake_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/campaignfake/fake"
)

// twoCampaigns is a list as it is documented.
const twoCampaigns = `{"campaigns":[
	{"id":"a1b2c3d4-0000-4000-8000-000000000001","name":"Spring Launch","created_at":"2026-01-05T09:30:00Z","updated_at":"2026-01-05T09:30:00Z","status":"active"},
	{"id":"a1b2c3d4-0000-4000-8000-000000000002","name":"Autumn Sale","created_at":"2026-01-06T09:30:00Z","updated_at":"2026-01-07T09:30:00Z","status":"draft"}]}`

// respond answers with JSON.
func respond(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprint(w, body)
}

// asked compares a service with the defaults, without pauses.
func asked(t *testing.T, token string, handler http.HandlerFunc) (*fake.Findings, error) {
	t.Helper()
	var requests atomic.Int32
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.Method != "GET" && r.Method != "HEAD" && r.Method != "OPTIONS" {
			t.Errorf("%s was asked", r.Method)
		}
		handler(w, r)
	}))
	defer service.Close()
	findings, err := fake.Compare(context.Background(), service.URL+"/api", token, fake.Comparison{Pause: -1})
	if n := requests.Load(); n > 12 || err == nil && int(n) != findings.Requests {
		t.Errorf("the service got %d requests; at most 12 are allowed, and as many as Findings has: %+v", n, findings)
	}
	return findings, err
}

// verdicts returns the findings by their settings.
func verdicts(f *fake.Findings) map[string]fake.Finding {
	all := make(map[string]fake.Finding)
	for _, finding := range f.List {
		all[finding.Setting] = finding
	}
	return all
}

func TestCompareHasNoVerdict(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"a refused token": {func(w http.ResponseWriter, r *http.Request) { respond(w, 401, `{}`) }, "the token is refused (401)"},
		"a page":          {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, " <!doctype html><h1>Log in</h1>") }, "a page of HTML where JSON should be"},
		"XML":             {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<?xml version='1.0'?><campaigns/>") }, "it answers with XML where JSON should be"},
		"a redirect":      {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/login", http.StatusFound) }, "redirected to another place (302)"},
		"another path":    {http.NotFound, "no list at {base URL}/user/campaigns (404)"},
		"always failing":  {func(w http.ResponseWriter, r *http.Request) { respond(w, 503, `{}`) }, "the list is answered 503"},
		"not JSON":        {func(w http.ResponseWriter, r *http.Request) { respond(w, 200, `{"campaigns":[`) }, "its answer is not JSON"},
		"two values":      {func(w http.ResponseWriter, r *http.Request) { respond(w, 200, `{"campaigns":[]} {}`) }, "not one JSON value"},
		"no list":         {func(w http.ResponseWriter, r *http.Request) { respond(w, 200, `{"ok":true}`) }, "no list of campaigns"},
		"a map": {func(w http.ResponseWriter, r *http.Request) {
			respond(w, 200, `{"campaigns":{"c1":{"id":"c1","name":"a"},"c2":{"id":"c2","name":"b"}}}`)
		}, "its campaigns are not in an array"},
		"a list of others": {func(w http.ResponseWriter, r *http.Request) { respond(w, 200, `[1,2]`) }, "no list of campaigns"},
		"errors of GraphQL": {func(w http.ResponseWriter, r *http.Request) {
			respond(w, 200, `{"data":null,"errors":[{"id":"1","title":"no","status":"401"}]}`)
		}, "no list of campaigns"},
		"too deep": {func(w http.ResponseWriter, r *http.Request) {
			respond(w, 200, strings.Repeat("[", 100000)+strings.Repeat("]", 100000))
		}, "deeper than 64 levels"},
		"brotli": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			respond(w, 200, `x`)
		}, "compressed with br"},
		"a reset": {func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, "the connection ended"},
		"a long wait": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "3600")
			respond(w, 429, `{}`)
		}, "the list is answered 429"},
		"a firewall": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cf-Mitigated", "challenge")
			w.WriteHeader(403)
			fmt.Fprint(w, "<html>")
		}, "a firewall"},
		"not gzip": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			respond(w, 200, `[]`)
		}, "not gzip"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			findings, err := asked(t, "a-secret-token", tt.handler)
			if err == nil || !strings.Contains(err.Error(), "no verdict: ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the result is %+v, %v; want no verdict with %q", findings, err, tt.want)
			}
		})
	}
}

func TestCompareChecksItsTarget(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"http://staging.example.com/api":       "write https",
		"http://10.0.0.1/api":                  "write https",
		"staging.example.com/api":              "not a URL",
		"https://user:pass@example.com/api":    "more than a host and a path",
		"https://example.com/api?token=secret": "more than a host and a path",
		"ftp://example.com":                    "not a URL",
	} {
		_, err := fake.Compare(context.Background(), url, "token", fake.Comparison{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "pass@") {
			t.Errorf("%s: the error is %v, want one with %q", url, err, want)
		}
	}
	if _, err := fake.Compare(context.Background(), "https://example.com/api", "a secret token", fake.Comparison{}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("with a token that cannot be sent, the error is %v", err)
	}
}

// A service that is as documented, and whose errors are those of RFC 6750 and 9457,
// agrees; what only one answer shows is no difference.
func TestCompareAgrees(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 30}}))
	findings, err := fake.Compare(context.Background(), srv.BaseURL(), "alice", fake.Comparison{Pause: -1})
	if err != nil || findings.Verdict != "agrees" || findings.Requests > 12 {
		t.Fatalf("the result is %+v, %v", findings, err)
	}
	for _, f := range findings.List {
		if f.Verdict != "agrees" {
			t.Errorf("there is %s", f)
		}
	}
}

// A difference counts when two requests have shown it.
func TestCompareWantsToSeeADifferenceTwice(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	findings, err := asked(t, "a-secret-token", func(w http.ResponseWriter, r *http.Request) {
		body := twoCampaigns
		if requests.Add(1) == 1 {
			body = strings.Replace(body, `"campaigns"`, `"data"`, 1)
		}
		respond(w, 200, body)
	})
	if err != nil {
		t.Fatal(err)
	}
	if f := verdicts(findings)["success.body.data"]; f.Verdict != "warning" || !strings.Contains(strings.Join(findings.Partial, ""), "at another place") {
		t.Errorf("a list that was seen once at its place is %s, and partial %q", f, findings.Partial)
	}
}

// A Retry-After of centuries is not waited for, and the service is left alone.
func TestCompareLeavesAServiceAlone(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	_, err := asked(t, "a-secret-token", func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Header().Set("Retry-After", "10000000000")
		respond(w, 429, `{}`)
	})
	if requests.Load() != 1 || err == nil || !strings.Contains(err.Error(), "the list is answered 429") {
		t.Errorf("after %d requests the error is %v; want one after a single request", requests.Load(), err)
	}
}

// No output holds a secret, however it comes back: not as a text, and not as a key.
func TestCompareKeepsSecrets(t *testing.T) {
	t.Parallel()
	const token = "tok-Ab3dEf9hIjKlMn0pQrStUv"
	for name, echo := range map[string]string{
		"as it is": token, "a part of it": token[5:14], "in base64": base64.StdEncoding.EncodeToString([]byte("Bearer " + token)), "in capitals": strings.ToUpper(token),
		"an id": "a1b2c3d4-0000-4000-8000-000000000002", "a name": "about Autumn Sale", "a slug": "autumn-sale", "a key of a name": "autumn_sale_total",
		"an address": "jane.doe@example.com", "the host": "see 127.0.0.1", "words": "Contact Jane Doe", "a password": "correct horse battery staple",
	} {
		for place, handler := range map[string]func(w http.ResponseWriter, r *http.Request){
			"in a body": func(w http.ResponseWriter, r *http.Request) {
				respond(w, 404, fmt.Sprintf(`{"message":%q,"for":{%q:1},%q:{"code":%q}}`, echo, echo, echo, echo))
			},
			"in a header": func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("WWW-Authenticate", "Bearer realm=\""+echo+"\", error=\""+echo+"\"")
				w.Header().Set("Content-Type", "application/vnd."+echo+"+json")
				w.WriteHeader(404)
				fmt.Fprint(w, `{}`)
			},
			"in a challenge": func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("WWW-Authenticate", echo)
				respond(w, 404, `{}`)
			},
			"as text": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(404); fmt.Fprint(w, echo) },
		} {
			t.Run(name+" "+place, func(t *testing.T) {
				t.Parallel()
				findings, err := asked(t, token, func(w http.ResponseWriter, r *http.Request) {
					if strings.HasSuffix(r.URL.Path, "/user/campaigns") && r.Header.Get("Authorization") == "Bearer "+token {
						own := strings.ReplaceAll(twoCampaigns, `"status"`, fmt.Sprintf(`"note":%q,"by":{%q:1,%q:2},"status"`, echo, echo, strings.ReplaceAll(echo, " ", "_")))
						respond(w, 200, own[:len(own)-1]+fmt.Sprintf(`,"for":%q,%q:{"next":%q}}`, echo, echo, echo))
						return
					}
					handler(w, r)
				})
				if err != nil {
					t.Fatal(err)
				}
				observed, err := findings.Observed(fake.Observed{})
				if err != nil {
					t.Fatal(err)
				}
				text, _ := json.Marshal([]any{findings, observed})
				if strings.Contains(strings.ToLower(string(text)), strings.ToLower(echo)) {
					t.Errorf("%s is in this: %s", echo, text)
				}
			})
		}
	}
}

// What is kept of texts: known words, codes of errors, and all texts only if that is asked
// for.
func TestCompareKeepsKnownTexts(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/user/campaigns") && r.Header.Get("Authorization") == "Bearer a-secret-token" {
			respond(w, 200, twoCampaigns)
			return
		}
		respond(w, 403, `{"error":"invalid_token","message":"Ask Bob for one","code":190,"retries":7}`)
	}))
	defer service.Close()
	for _, keep := range []bool{false, true} {
		findings, err := fake.Compare(context.Background(), service.URL, "a-secret-token", fake.Comparison{Pause: -1, KeepTexts: keep})
		if err != nil {
			t.Fatal(err)
		}
		observed, err := findings.Observed(fake.Observed{})
		want := `{"code":190,"error":"invalid_token","message":"{detail}","retries":0}`
		if keep {
			want = `{"code":190,"error":"invalid_token","message":"Ask Bob for one","retries":0}`
		}
		if body, _ := json.Marshal(observed.Service.Responses.Default.Body); err != nil || string(body) != want {
			t.Errorf("the error is %s, %v, want %s", body, err, want)
		}
		if hidden := slices.Contains(findings.NotWatched, "responses.not_found.body.message (its value)"); hidden == keep {
			t.Errorf("not watched is %q", findings.NotWatched)
		}
	}
}

// What is skipped is neither asked nor compared.
func TestCompareSkips(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithService(fake.Service{IDs: "integers"}), fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 3}}))
	findings, err := fake.Compare(context.Background(), srv.BaseURL(), "alice", fake.Comparison{Pause: -1, Skip: []string{"ids", "invalid_token", "head", "responses.not_found", "cors", "query"}})
	if err != nil || findings.Verdict != "agrees" || findings.Requests != 4 {
		t.Fatalf("the result is %+v, %v; want no difference after 4 requests", findings, err)
	}
	for _, f := range findings.List {
		if f.Setting == "ids" || f.Setting == "cors" || strings.Contains(f.Setting, "not_found") || strings.Contains(f.Setting, "invalid_token") {
			t.Errorf("%s was skipped, and is there", f.Setting)
		}
	}
	lines, err := fake.Comparison{Skip: []string{"responses"}}.Requests(srv.BaseURL())
	if text := strings.Join(lines, "\n"); err != nil || len(lines) != 5 || !strings.Contains(text, "HEAD ") || !strings.Contains(text, "OPTIONS ") {
		t.Errorf("without responses, the requests are %q, %v; want the list twice, HEAD, OPTIONS and a query", lines, err)
	}
	if _, err := fake.Compare(context.Background(), srv.BaseURL(), "alice", fake.Comparison{Skip: []string{"campaign.score", "idz"}}); err == nil || !strings.Contains(err.Error(), `"idz" is not a setting`) {
		t.Errorf("the error is %v, want one about idz", err)
	}
}

// A runner is a recorder with subtests.
type runner struct {
	*recorder
	names   []string
	skipped string
}

func (r *runner) Run(name string, f func(*runner)) bool {
	r.names = append(r.names, name)
	f(&runner{recorder: r.recorder})
	return true
}

func (r *runner) Skipf(format string, args ...any) { r.skipped = fmt.Sprintf(format, args...) }

func TestConform(t *testing.T) {
	t.Parallel()
	real := fake.NewTestServer(t, fake.WithLenient(), fake.WithService(fake.Service{Success: fake.Response{Body: map[string]any{"data": "{campaigns}"}}, Campaign: json.RawMessage(`{"id":"{id}","name":"{name}","created_at":"{created_at}","updated_at":"{updated_at}","status":"{status}","budget":7}`)}),
		fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 3}}))
	srv := fake.NewTestServer(t)

	t.Run("deviations", func(t *testing.T) {
		r := &runner{recorder: &recorder{}}
		fake.Conform(t.Context(), r, srv, real.BaseURL(), "alice", fake.Comparison{Pause: -1})
		if text := r.text(); text != `campaignfake: success.body.campaigns differs (the service does not have it)` {
			t.Errorf("the test fails with %q", text)
		}
		if log := strings.Join(r.logged, "\n"); !strings.Contains(log, `success.body.data warning: the service has the list of campaigns (it is new); write "{campaigns}" there`) {
			t.Errorf("the test logs %q", log)
		}
		if len(r.names) < 15 {
			t.Errorf("the subtests are %q", r.names)
		}
	})
	t.Run("no verdict", func(t *testing.T) {
		defer func() { recover() }()
		r := &runner{recorder: &recorder{}}
		defer func() {
			if !strings.Contains(r.text(), "the token is refused (401)") {
				t.Errorf("the test fails with %q", r.text())
			}
		}()
		fake.Conform(t.Context(), r, srv, real.BaseURL(), "nobody", fake.Comparison{Pause: -1})
	})
	t.Run("without a token", func(t *testing.T) {
		r := &runner{recorder: &recorder{}}
		fake.Conform(t.Context(), r, srv, real.BaseURL(), "", fake.Comparison{})
		if r.skipped == "" || r.text() != "" {
			t.Errorf("the test is skipped with %q, and fails with %q", r.skipped, r.text())
		}
	})
}
