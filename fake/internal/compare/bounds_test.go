package compare_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fake/internal/compare"
)

// failure returns the error of a comparison with a service.
func failure(t *testing.T, real ask.Endpoint) string {
	t.Helper()
	findings, _, err := comparison().Run(t.Context(), real, endpoint(t, service{}))
	if err == nil {
		t.Fatalf("there is no error, but %+v", findings)
	}
	return err.Error()
}

func TestRunSaysWhyThereIsNothingToCompare(t *testing.T) {
	t.Parallel()
	endless := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			_, err := w.Write([]byte(strings.Repeat(" ", 1<<16)))
			if err != nil {
				return
			}
		}
	}
	aborts := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	for want, answer := range map[string]http.HandlerFunc{
		"its keys are: data, meta": says(200, "application/json",
			`{"data":[],"meta":{}}`),
		"its keys are: campaigns": says(200, "application/json",
			`{"campaigns":null}`),
		"its keys are: campaigns, total": says(200, "application/json",
			`{"campaigns":{"id":"1"},"total":1}`),
		"has text in it":             lists(`"spring"`),
		"has a number in it":         lists(`{}`, `7`),
		"has null in it":             lists(`null`),
		"answers no JSON object":     says(200, "application/json", `[{"id":"1"}]`),
		"no JSON object with a list": says(200, "text/html", `<html>Sign in</html>`),
		"JSON object with a list under": says(200, "application/json",
			`{"campaigns":[]} {}`),
		"refuses the token (401)":               says(401, "application/json", `{}`),
		"refuses the token (403)":               says(403, "application/json", `{}`),
		"answers 404 to GET /user/campaigns":    says(404, "text/html", ``),
		"answers 500":                           says(500, "text/html", ``),
		"is not available (502)":                says(502, "text/html", ``),
		"is not available (504)":                says(504, "text/html", ``),
		"sends more than 8 MiB":                 endless,
		"breaks the connection":                 aborts,
		"the service redirects (302)":           redirect("/elsewhere"),
		"redirects (308), which would take the": says(308, "text/html", ``),
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			var asked []string
			handler := func(w http.ResponseWriter, r *http.Request) {
				asked = append(asked, r.URL.Path)
				answer(w, r)
			}
			server := httptest.NewServer(http.HandlerFunc(handler))
			base, err := url.Parse(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			got := failure(t,
				ask.Endpoint{BaseURL: base, Token: token, Transport: ask.NewTransport()})
			if !strings.Contains(got, want) {
				t.Errorf("the error is %q, without %q", got, want)
			}
			server.Close() // which waits for the handler
			if len(asked) != 1 {
				t.Errorf("it asked %q, and should have stopped after the first", asked)
			}
		})
	}
}

func TestRunSaysWhyNobodyAnswers(t *testing.T) {
	t.Parallel()
	nobody := endpoint(t, service{})
	nobody.BaseURL.Host = "127.0.0.1:1"
	if got := failure(t, nobody); !strings.Contains(got, "nothing listens at 127.0.0.1:1") {
		t.Errorf("nobody listens, and the error is %q", got)
	}
	secured := httptest.NewUnstartedServer(nil)
	secured.Config.ErrorLog = log.New(io.Discard, "", 0)
	secured.StartTLS()
	defer secured.Close()
	untrusted := endpoint(t, service{})
	untrusted.BaseURL.Scheme = "https"
	untrusted.BaseURL.Host = strings.TrimPrefix(secured.URL, "https://")
	got := failure(t, untrusted)
	if !strings.Contains(got, "no certificate that is trusted here; ") {
		t.Errorf("its certificate is not trusted, and the error is %q", got)
	}
	plain := endpoint(t, service{})
	plain.BaseURL.Scheme = "https"
	if got := failure(t,
		plain); !strings.Contains(got, "the service does not speak HTTPS at this port; ") {
		t.Errorf("it speaks HTTP, and the error is %q", got)
	}
}

// A listener is a service that notes the requests.
type listener struct {
	http.Handler
	mu       sync.Mutex
	requests []string
	remotes  map[string]bool
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	given, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), "-")
	l.requests = append(l.requests,
		strings.TrimSpace(r.Method+" "+r.URL.RequestURI()+" "+given+" "+r.Header.Get("Origin")))
	l.remotes[r.RemoteAddr] = true
	l.mu.Unlock()
	l.Handler.ServeHTTP(w, r)
}

func TestRunSendsEachRequestOnce(t *testing.T) {
	t.Parallel()
	real := &listener{Handler: service{}, remotes: make(map[string]bool)}
	run(t, comparison(), real)
	want := `GET /api/user/campaigns sesame
GET /api/user/campaigns sesame https://app.example
GET /api/user/campaigns
GET /api/user/campaigns
GET /api/user/campaigns campaignfake
GET /api/user/campaigns campaignfake
GET /api/campaignfake-made-up-1 sesame
GET /api/campaignfake-made-up-2 sesame
OPTIONS /api/user/campaigns  https://app.example`
	if got := strings.Join(real.requests, "\n"); got != want {
		t.Errorf("it asked\n%s\nwant\n%s", got, want)
	}
	if len(real.remotes) != 9 {
		t.Errorf("9 requests came by %d connections", len(real.remotes))
	}
}

// transportTo is a transport that gives requests to a handler, in a bubble without connections.
type transportTo struct{ handler http.Handler }

func (t transportTo) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	t.handler.ServeHTTP(w, r)
	return w.Result(), r.Context().Err()
}

func TestRunBoundsItsTime(t *testing.T) {
	t.Parallel()
	slow := func(delay time.Duration, isSlow func(*http.Request) bool) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isSlow(r) {
				select {
				case <-time.After(delay):
				case <-r.Context().Done():
				}
			}
			service{}.ServeHTTP(w, r)
		})
	}
	always := func(*http.Request) bool { return true }
	withoutToken := func(r *http.Request) bool {
		return r.Header.Get("Authorization") == "" && r.Method == http.MethodGet
	}
	for _, tt := range []struct {
		name    string
		service http.Handler
		took    time.Duration
		err     string
		unseen  string
		seen    string
	}{
		{
			name:    "hangs",
			service: slow(time.Hour, always),
			took:    10 * time.Second,
			err:     "has not answered to the end within 10s",
			unseen:  "",
			seen:    "",
		},
		{
			name:    "hangs twice",
			service: slow(time.Hour, withoutToken),
			took:    20 * time.Second,
			err:     "",
			unseen:  "responses.missing_token.body",
			seen:    "ids",
		},
		{"is slow in all", slow(9*time.Second, always), time.Minute, "", "responses.not_found.body",
			"responses.missing_token.body"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				at := func(handler http.Handler) ask.Endpoint {
					base := &url.URL{Scheme: "https", Host: "example.com", Path: "/api"}
					return ask.Endpoint{
						BaseURL:   base,
						Token:     token,
						Transport: transportTo{handler},
					}
				}
				begin := time.Now()
				findings, settings, err := comparison().Run(
					t.Context(),
					at(tt.service),
					at(service{}),
				)
				took := time.Since(begin)
				if took != tt.took {
					t.Errorf("it took %v, want %v", took, tt.took)
				}
				if tt.err != "" {
					if err == nil || !strings.Contains(err.Error(), tt.err) {
						t.Errorf("the error is %v, want %q", err, tt.err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				r := result{findings, settings}
				if f := r.called(t, tt.unseen); f.Verdict != compare.NotSeen {
					t.Errorf("found %+v", f)
				}
				if f := r.called(t, tt.seen); f.Verdict != compare.Same {
					t.Errorf("found %+v", f)
				}
			})
		})
	}
}

// After a 429 nothing else is asked, and what was not seen is said to be that.
func TestRunStopsAtLimits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		after  int // so many requests
		unseen string
		seen   string
	}{
		{
			name:  "at once",
			after: 0,
			unseen: "success.status ids responses.missing_token.body " +
				"responses.not_found.status cors",
			seen: "",
		},
		{"later", 4, "responses.invalid_token.status responses.not_found.status cors",
			"ids responses.missing_token.body"},
		{"at the preflight", 8, "cors", "ids responses.not_found.body"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			count := 0
			r := run(t, comparison(),
				http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					count++
					switch {
					case count <= tt.after:
						service{}.ServeHTTP(w, r)
					case count == tt.after+1:
						says(429, "text/plain", "slow down")(w, r)
					default:
						t.Errorf("%s %s was asked after a 429", r.Method, r.URL)
					}
				}))
			for _, name := range strings.Fields(tt.unseen) {
				f := r.called(t, name)
				if f.Verdict != compare.NotSeen ||
					f.Service != "the service limits how often it is asked (429)" {
					t.Errorf("found %+v", f)
				}
			}
			for _, name := range strings.Fields(tt.seen) {
				if f := r.called(t, name); f.Verdict != compare.Same {
					t.Errorf("found %+v", f)
				}
			}
		})
	}
}

// An empty list shows nothing of campaigns, and all else.
func TestRunWithAnEmptyList(t *testing.T) {
	t.Parallel()
	r := run(t, comparison(), service{list: lists()})
	for _, name := range strings.Fields("types ids timestamps statuses extra omit null order") {
		f := r.called(t, name)
		if f.Verdict != compare.NotSeen ||
			f.Service != "the service shows no campaigns to this token" {
			t.Errorf("found %+v", f)
		}
	}
	if got := len(r.differing()); got != 8 {
		t.Errorf("%d findings are not the same, want 8: %q", got, r.differing())
	}
}
