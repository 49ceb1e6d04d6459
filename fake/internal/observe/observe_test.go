package observe_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fake/internal/observe"
)

const (
	token  = "sesame-Zx81Qk-open-the-list" // the token of the service
	origin = "https://app.example"
)

// A service sends these answers. In place of a nil answer it sends the usual answer.
type service struct {
	list, missing, invalid, notFound, preflight http.HandlerFunc
}

// says returns an answer that has a body.
func says(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// lists returns an answer that is a list of campaigns.
func lists(campaigns ...string) http.HandlerFunc {
	return says(200, "application/json", `{"campaigns":[`+strings.Join(campaigns, ",")+`]}`)
}

const oneCampaign = `{"id":"0b7b6c1e-9f0a-4e55-8c1d-5d0f7c0e4a11","name":"N",
	"created_at":"2025-01-05T09:30:00Z","updated_at":"2025-01-05T09:30:00Z","status":"active"}`

func (s service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := func(own, usual http.HandlerFunc) {
		if own == nil {
			own = usual
		}
		own(w, r)
	}
	refuses := says(401, "application/json", `{"message":"Unauthenticated."}`)
	given := r.Header.Get("Authorization")
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Headers", "authorization")
	switch {
	case r.URL.Path != "/api/user/campaigns":
		answer(s.notFound, says(404, "application/json", `{"message":"Not found."}`))
	case r.Method == http.MethodOptions:
		answer(s.preflight, says(204, "", ""))
	case given == "":
		answer(s.missing, refuses)
	case given != "Bearer "+token:
		answer(s.invalid, refuses)
	default:
		answer(s.list, lists(oneCampaign))
	}
}

// transportTo is a transport that gives requests to a handler.
type transportTo struct{ handler http.Handler }

func (t transportTo) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	t.handler.ServeHTTP(w, r)
	return w.Result(), r.Context().Err()
}

// subject returns a subject whose requests go to a handler. Its origin has it also send requests of
// a page.
func subject(handler http.Handler) observe.Subject {
	base := &url.URL{Scheme: "https", Host: "example.com", Path: "/api"}
	return observe.Subject{
		Endpoint: ask.Endpoint{BaseURL: base, Token: token, Transport: transportTo{handler}},
		Origin:   origin,
	}
}

// seen observes a handler.
func seen(t *testing.T, handler http.Handler) *observe.Observation {
	t.Helper()
	o, err := observe.Of(t.Context(), subject(handler))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// unusual returns how an observation differs from the observation of a service with the usual
// answers: facts, each on a line, and settings as JSON.
func unusual(t *testing.T, o *observe.Observation) string {
	t.Helper()
	d := observe.Between(seen(t, service{}), o, nil)
	var lines []string
	for line := range strings.Lines(d.YAML) {
		fact, isFact := strings.CutPrefix(line, "+# ")
		if isFact {
			lines = append(lines, strings.TrimSpace(fact))
		}
	}
	encoded, err := json.Marshal(d.Service)
	if err != nil {
		t.Fatal(err)
	}
	if string(encoded) != "{}" {
		lines = append(lines, string(encoded))
	}
	return strings.Join(lines, "\n")
}

// An observation sends nine requests, each once, by GET and OPTIONS. It sends the token only for
// the list, and for one invented path.
func TestRequests(t *testing.T) {
	t.Parallel()
	var asked []string
	o := seen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		credentials := r.Header.Get("Authorization")
		given, _, _ := strings.Cut(strings.TrimPrefix(credentials, "Bearer "), "-")
		asked = append(asked, strings.TrimSpace(
			r.Method+" "+r.URL.RequestURI()+" "+given+" "+r.Header.Get("Origin")))
		service{}.ServeHTTP(w, r)
	}))
	const want = `GET /api/user/campaigns sesame
OPTIONS /api/user/campaigns  https://app.example
GET /api/user/campaigns sesame https://app.example
GET /api/user/campaigns
GET /api/user/campaigns
GET /api/user/campaigns campaignfake
GET /api/user/campaigns campaignfake
GET /api/campaignfake-made-up-1 sesame
GET /api/campaignfake-made-up-2 campaignfake`
	if got := strings.Join(asked, "\n"); got != want {
		t.Errorf("it asked\n%s\nwant\n%s", got, want)
	}
	if len(o.NotSeen(nil)) > 0 {
		t.Errorf("not seen are %q", o.NotSeen(nil))
	}
}

// Without a list in JSON nothing is observed, and nothing else is asked.
func TestNothingIsObserved(t *testing.T) {
	t.Parallel()
	for want, answer := range map[string]http.HandlerFunc{
		"answers with 200 and no JSON":          says(200, "text/html", `<html>Sign in</html>`),
		"refuses the token (403)":               says(403, "application/json", `{}`),
		"answers 404 to GET /user/campaigns":    says(404, "text/html", ``),
		"is not available (502)":                says(502, "text/html", ``),
		"redirects (308), which would take the": says(308, "text/html", ``),
		"sends more than 8 MiB":                 says(200, "", strings.Repeat(" ", 8<<20+1)),
	} {
		count := 0
		_, err := observe.Of(t.Context(), subject(http.HandlerFunc(
			func(w http.ResponseWriter, r *http.Request) {
				count++
				answer(w, r)
			})))
		if err == nil || !strings.Contains(err.Error(), want) || count != 1 {
			t.Errorf("after %d requests the error is %v, want %s", count, err, want)
		}
	}
}

// A request that hangs is not sent again, and all requests together take at most a minute.
func TestTime(t *testing.T) {
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
	for name, tt := range map[string]struct {
		service http.Handler
		took    time.Duration
		unseen  string
	}{
		"hangs without a token": {
			service: slow(time.Hour, withoutToken),
			took:    10 * time.Second,
			unseen:  "responses.missing_token",
		},
		"is slow in all": {
			service: slow(9*time.Second, always),
			took:    time.Minute,
			unseen:  "responses.invalid_token, responses.not_found, unknown_tokens",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				o, err := observe.Of(t.Context(), subject(tt.service))
				if took := time.Since(begin); took != tt.took {
					t.Errorf("it took %v, want %v", took, tt.took)
				}
				want := []string{tt.unseen + ": not seen, since the service " +
					"has not answered in time; " +
					"look in its log, or whether a firewall or a VPN is in between"}
				if err != nil || !slices.Equal(o.NotSeen(nil), want) {
					t.Errorf("the error is %v, and not seen are %q, want %q",
						err, o.NotSeen(nil), want)
				}
			})
		})
	}
}

// After a 429 no further request is sent.
func TestLimit(t *testing.T) {
	t.Parallel()
	count := 0
	o := seen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count++
		if count > 2 {
			says(429, "text/plain", "slow down")(w, r)
			return
		}
		service{}.ServeHTTP(w, r)
	}))
	want := []string{"cors, responses.invalid_token, responses.missing_token, " +
		"responses.not_found, unknown_tokens: not seen, " +
		"since the service limits how often it is asked (429)"}
	if !slices.Equal(o.NotSeen(nil), want) || count != 3 {
		t.Errorf("after %d requests not seen are %q, want %q", count, o.NotSeen(nil), want)
	}
	if got := o.NotSeen([]string{"cors", "responses", "unknown_tokens"}); got != nil {
		t.Errorf("what is skipped is missed: %q", got)
	}
}

// A service may repeat the token in any answer to a request with the token, and in an answer to an
// unknown path also in parts. Neither the observation nor a difference has any of it.
func TestTheTokenIsNeverRepeated(t *testing.T) {
	t.Parallel()
	half := len(token) / 2
	for name, tt := range map[string]struct {
		echo   string
		isPart bool
	}{
		"plain": {echo: token},
		"split": {echo: "?a=" + token[:half] + "&b=" + token[half:], isPart: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			encoded, err := json.Marshal(tt.echo)
			if err != nil {
				t.Fatal(err)
			}
			quoted := string(encoded)
			refused := service{notFound: func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") == "Bearer "+token {
					w.Header().Set("Location", tt.echo)
					says(404, "text/plain", `{"error":`+quoted+`,`+quoted+`:1}`)(w, r)
					return
				}
				says(404, "text/plain", `{"error":"no"}`)(w, r)
			}}
			all := strings.ReplaceAll(`{"campaigns":[
				{"id":T,"name":T,"created_at":T,"updated_at":T,"status":T,T:T}],T:1}`, "T", quoted)
			for _, list := range []string{all, `{"campaigns":1,` + quoted + `:1}`, quoted} {
				if !tt.isPart {
					refused.list = says(200, `application/json; token="`+tt.echo+`"`, list)
				}
				o := seen(t, refused)
				d := observe.Between(seen(t, service{}), o, nil)
				got := fmt.Sprintf("%s %q %+v", o.YAML(), o.NotSeen(nil), d)
				for _, part := range []string{tt.echo, token, token[:half], token[half:]} {
					if strings.Contains(strings.ToLower(got), strings.ToLower(part)) {
						t.Fatalf("%q is in\n%s", part, got)
					}
				}
			}
		})
	}
}

func TestCheckSkip(t *testing.T) {
	t.Parallel()
	good := []string{"responses", "responses.not_found", "responses.not_found.body", "types"}
	if err := observe.CheckSkip(good); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"statusses":     `nothing that is compared is called "statusses"; did you mean statuses?`,
		"zzzzzzzzzzzzz": `; write one of answer, types, `,
	} {
		err := observe.CheckSkip([]string{"ids", name})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %s", name, err, want)
		}
	}
}
