package fake_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

const listOfOne = `{"campaigns":[{"id":"0b7b6c1e-9f0a-4e55-8c1d-5d0f7c0e4a11","name":"N",
	"created_at":"2025-01-05T09:30:00Z","updated_at":"2025-01-05T09:30:00Z","status":"active"}]}`

// failsToCompare returns the error of a comparison.
func failsToCompare(t *testing.T, target fake.Target) string {
	t.Helper()
	result, err := fake.Compare(t.Context(), fake.NewTestServer(t), target)
	if err == nil {
		t.Fatalf("there is no error, but %v", result.Findings)
	}
	return err.Error()
}

func TestCompareSaysWhyThereIsNothingToCompare(t *testing.T) {
	t.Parallel()
	endless := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(strings.Repeat(" ", 1<<16))); err != nil {
				return
			}
		}
	}
	for want, answer := range map[string]http.HandlerFunc{
		"its keys are: data, meta":              says(200, "application/json", `{"data":[],"meta":{}}`),
		"its keys are: campaigns":               says(200, "application/json", `{"campaigns":null}`),
		"its keys are: campaigns, total":        says(200, "application/json", `{"campaigns":{"id":"1"},"total":1}`),
		"has text in it":                        says(200, "application/json", `{"campaigns":["spring"]}`),
		"answers no JSON object":                says(200, "application/json", `[{"id":"1"}]`),
		"no JSON object with a list":            says(200, "text/html", `<html>Sign in</html>`),
		"refuses the token (401)":               says(401, "application/json", `{}`),
		"refuses the token (403)":               says(403, "application/json", `{}`),
		"answers 404 to GET /user/campaigns":    says(404, "text/html", ``),
		"answers 500":                           says(500, "text/html", ``),
		"is not available (503)":                says(503, "text/html", ``),
		"sends more than 8 MiB":                 endless,
		"breaks the connection":                 func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"the service redirects (302)":           http.RedirectHandler("/elsewhere", http.StatusFound).ServeHTTP,
		"redirects (308), which would take the": http.RedirectHandler("/elsewhere", http.StatusPermanentRedirect).ServeHTTP,
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			var asked []string
			handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = append(asked, r.URL.Path)
				answer(w, r)
			})
			server := httptest.NewServer(handler)
			defer server.Close()
			if got := failsToCompare(t, fake.Target{BaseURL: server.URL + "/api", Token: realToken}); !strings.Contains(got, want) {
				t.Errorf("the error is %q, without %q", got, want)
			}
			if server.Close(); len(asked) != 1 {
				t.Errorf("it asked %q, and should have stopped after the first", asked)
			}
		})
	}
	nobody := httptest.NewServer(nil)
	nobody.Close()
	if got := failsToCompare(t, fake.Target{BaseURL: nobody.URL, Token: realToken}); !strings.Contains(got, "cannot be reached") {
		t.Errorf("nobody listens, and the error is %q", got)
	}
	secured := httptest.NewUnstartedServer(nil)
	secured.Config.ErrorLog = log.New(io.Discard, "", 0)
	secured.StartTLS()
	defer secured.Close()
	if got := failsToCompare(t, fake.Target{BaseURL: secured.URL, Token: realToken}); !strings.Contains(got, "no certificate that is") {
		t.Errorf("its certificate is not trusted, and the error is %q", got)
	}
}

func TestCompareRefusesTargetsThatAreNotSafe(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"http://example.com/api":                  "neither HTTPS nor on this machine",
		"http://127.0.0.1.example.com/api":        "neither HTTPS nor on this machine",
		"http://10.0.0.1/api":                     "neither HTTPS nor on this machine",
		"ftp://127.0.0.1/api":                     "neither HTTPS nor on this machine",
		"https://me:hunter2hunter2@localhost/api": "without a user",
		"https://example.com/api?key=hunter2":     "without a user",
		"example.com/api":                         "cannot be used",
		"://":                                     "cannot be used",
		"":                                        "cannot be used",
	} {
		got := failsToCompare(t, fake.Target{BaseURL: base, Token: realToken})
		if !strings.Contains(got, want) || strings.Contains(got, "hunter2") {
			t.Errorf("%s: the error is %q, without %q", base, got, want)
		}
	}
	for _, token := range []string{"", "two words", "line\n"} {
		got := failsToCompare(t, fake.Target{BaseURL: "https://example.com", Token: token})
		if !strings.Contains(got, "the token cannot be sent") {
			t.Errorf("%q: the error is %q", token, got)
		}
	}
	for _, base := range []string{"https://example.com", "http://localhost:1/api/", "http://[::1]:80/api", "http://127.8.9.1"} {
		if err := (fake.Target{BaseURL: base, Token: realToken}).Check(); err != nil {
			t.Errorf("%s: %v", base, err)
		}
	}
}

// A counter is a service that notes the requests.
type counter struct {
	http.Handler
	mu       sync.Mutex
	requests []string
	remotes  map[string]bool
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	token, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), "-")
	c.requests = append(c.requests, strings.TrimSpace(r.Method+" "+r.URL.RequestURI()+" "+token+" "+r.Header.Get("Origin")))
	c.remotes[r.RemoteAddr] = true
	c.mu.Unlock()
	c.Handler.ServeHTTP(w, r)
}

func TestCompareAsksEightQuestionsOnceEach(t *testing.T) {
	t.Parallel()
	service := &counter{Handler: standIn{list: listOfOne}, remotes: make(map[string]bool)}
	compareWith(t, fake.NewTestServer(t), start(t, service))
	want := `GET /api/user/campaigns sesame
GET /api/user/campaigns sesame https://app.example
GET /api/user/campaigns
GET /api/user/campaigns
GET /api/user/campaigns campaignfake
GET /api/user/campaigns campaignfake
GET /api/campaignfake-made-up sesame
OPTIONS /api/user/campaigns  https://app.example`
	if got := strings.Join(service.requests, "\n"); got != want {
		t.Errorf("it asked\n%s\nwant\n%s", got, want)
	}
	if len(service.remotes) != 8 {
		t.Errorf("8 requests came by %d connections", len(service.remotes))
	}
}

func TestCompareBoundsItsTime(t *testing.T) {
	t.Parallel()
	compareAt := func(t *testing.T, service http.Handler) (result *fake.Comparison, took time.Duration, err error) {
		begin := time.Now()
		target := fake.Target{BaseURL: "https://example.com/api", Token: realToken, Transport: transportTo{service}}
		result, err = fake.Compare(t.Context(), fake.NewTestServer(t, fake.WithInMemory()), target)
		return result, time.Since(begin), err
	}
	slow := func(delay time.Duration, isSlow func(r *http.Request) bool) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isSlow(r) {
				select {
				case <-time.After(delay):
				case <-r.Context().Done():
				}
			}
			standIn{list: listOfOne}.ServeHTTP(w, r)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		_, took, err := compareAt(t, slow(time.Hour, func(*http.Request) bool { return true }))
		if err == nil || !strings.Contains(err.Error(), "has not answered to the end within 10s") || took != 10*time.Second {
			t.Errorf("a service that hangs: %v after %v", err, took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		hasNoToken := func(r *http.Request) bool { return r.Header.Get("Authorization") == "" && r.Method == "GET" }
		result, took, err := compareAt(t, slow(time.Hour, hasNoToken))
		if err != nil || took != 20*time.Second || verdicts(result)["responses.missing_token"] != "not seen" {
			t.Errorf("two answers that hang: %v after %v", err, took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		result, took, err := compareAt(t, slow(9*time.Second, func(*http.Request) bool { return true }))
		found := verdicts(result)
		if err != nil || took != time.Minute || found["responses.not_found"] != "not seen" || found["responses.missing_token"] == "not seen" {
			t.Errorf("a service that is slow in all: %v after %v", err, took)
		}
	})
}

// transportTo is a transport that gives requests to a handler.
type transportTo struct{ handler http.Handler }

func (t transportTo) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	t.handler.ServeHTTP(w, r)
	return w.Result(), r.Context().Err()
}

func TestCompareSaysWhatWasNotSeen(t *testing.T) {
	t.Parallel()
	limitedAfter := func(count int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if count--; count < -1 {
				t.Errorf("%s %s was asked after a 429", r.Method, r.URL)
			} else if count < 0 {
				says(429, "text/plain", "slow down")(w, r)
				return
			}
			standIn{list: listOfOne}.ServeHTTP(w, r)
		})
	}
	for name, test := range map[string]struct {
		service http.Handler
		why     string
		unseen  string
		others  bool // there are findings that were seen
	}{
		"empty list":      {standIn{list: `{"campaigns":[]}`}, "shows no campaigns", "ids timestamps statuses extra", true},
		"limited at once": {limitedAfter(0), "limits how often", "success.status ids responses.missing_token responses.not_found cors", false},
		"limited later":   {limitedAfter(4), "limits how often", "responses.invalid_token responses.not_found cors", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := compareWith(t, fake.NewTestServer(t), start(t, test.service))
			found := verdicts(result)
			for _, name := range strings.Fields(test.unseen) {
				if found[name] != "not seen" {
					t.Errorf("%s is %q", name, found[name])
				}
			}
			for _, f := range result.Findings {
				if f.Verdict == "not seen" && !strings.Contains(f.String(), test.why) {
					t.Errorf("%v: without %q", f, test.why)
				} else if f.Verdict != "not seen" && !test.others {
					t.Errorf("%v was seen", f)
				}
			}
		})
	}
}

// What a comparison says of a service: a sentence of its findings, and nothing that is secret or
// changes. A server that has the settings which were found agrees, where there are such.
func TestCompareSays(t *testing.T) {
	t.Parallel()
	campaigns := func(list ...string) standIn { return standIn{list: `{"campaigns":[` + strings.Join(list, ",") + `]}`} }
	var sorted, many []string
	for i := range 51 {
		many = append(many, fmt.Sprintf(`{"id":"%d","status":"text of customer %d"}`, i, i))
	}
	for i := range 9 {
		sorted = append(sorted, fmt.Sprintf(
			`{"id":"%d","name":"N","created_at":"2025-01-0%dT09:30:00Z","updated_at":null,"status":"active"}`, i+1, 9-i))
	}
	count := new(atomic.Int64)
	varies := func(w http.ResponseWriter, r *http.Request) {
		body := `{"error":{"code":7,"trace":"t%d","at":%[1]d,"for":"campaignfake-made-up"},"errors":[%[1]d],"since":"12:00:00"}`
		says(401, "application/json", fmt.Sprintf(body, count.Add(1)))(w, r)
	}
	odd := new(atomic.Bool)
	flips := func(w http.ResponseWriter, r *http.Request) {
		status := 403
		if odd.Swap(!odd.Load()) {
			status = 401
		}
		says(status, "application/json", "{}")(w, r)
	}
	for name, test := range map[string]struct {
		service  standIn
		has, not string // in the findings
		agrees   bool   // with what was written
	}{
		"numbers": {campaigns(`{"id":1,"name":"N","created_at":17377974000,"updated_at":"2025-01-05T09:30:00Z","status":"active"}`),
			"differs: types: id is a number, created_at is a number;", "", false},
		"null": {campaigns(`{"id":"1","name":null}`, `{"id":"2","name":"N"}`), "note: null: name is null in some;", "", false},
		"missing": {campaigns(`{"id":"1","name":"N"}`, `{"id":"2"}`),
			"note: omit: name is missing in some, created_at is missing, updated_at is missing, status is missing;", "", false},
		"objects": {campaigns(`{"id":{},"name":[],"status":true}`),
			"differs: types: id is an object, name is a list, status is a boolean;", "", false},
		"statuses":  {campaigns(many...), "differs: statuses: 51 different ones; ", "", false},
		"more keys": {standIn{list: `{"campaigns":[],"next":"/page/2"}`}, "differs: answer: an object of campaigns, next;", "", false},
		"order":     {campaigns(sorted...), "note: order: by created_at, the last first;", "", false},
		"other types": {campaigns(`{"id":"1","a":1.5,"b":true,"c":[1],"d":{"e":1},"f":null,"g":"G"}`, `{"a":null}`),
			`{"extra":{"a":1,"b":true,"c":[],"d":{},"f":null,"g":"text"}}`, "", false},
		"parts that vary": {standIn{list: listOfOne, missing: varies},
			`body {"error":{"at":null,"code":7,"for":"varies","trace":"varies"},"errors":null,"since":"varies"}`, "12:00", true},
		"another status": {standIn{list: listOfOne, missing: flips},
			"differs: responses.missing_token: 403 and 401, and so not always a refusal;", "", false},
		"no refusal": {standIn{list: listOfOne, missing: says(200, "application/json", listOfOne)},
			"differs: responses.missing_token: 200 and 200, and so not always a refusal;", "0b7b6c1e", false},
		"any token": {standIn{list: listOfOne, invalid: says(200, "application/json", listOfOne)},
			`service: {"unknown_tokens":"generate"}`, "0b7b6c1e", true},
		"a long text": {standIn{list: listOfOne, missing: says(401, "text/plain", strings.Repeat("no ", 400)+"end")},
			"…; the fake:", "", true},
		"odd status": {standIn{list: listOfOne, missing: says(699, "text/plain", "no")}, "no setting can say it", "", false},
		"a page": {standIn{list: listOfOne, missing: says(401, "text/html", strings.Repeat("no ", 4000))},
			`"Content-Type":"text/html"`, "no no", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := start(t, test.service)
			result := compareWith(t, fake.NewTestServer(t), base)
			text := fmt.Sprint(result.Findings)
			if !strings.Contains(text, test.has) || test.not != "" && strings.Contains(text, test.not) {
				t.Errorf("want %q and not %q in %s", test.has, test.not, text)
			}
			if test.agrees {
				agrees(t, base, result)
			}
		})
	}
}

// A page may read the list if the preflight is answered with success, for the origin and the
// header, and the answer is for its origin, too.
func TestCompareJudgesCORSAsBrowsersDo(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status                  int
		origin, headers, onList string
		may                     bool
	}{
		"any":             {204, "*", "*, Authorization", "*", true},
		"the origin":      {200, "https://app.example", "content-type,authorization", "https://app.example", true},
		"no success":      {401, "*", "authorization", "*", false},
		"another":         {204, "https://other.example", "authorization", "*", false},
		"no header":       {204, "*", "*", "*", false},
		"not on the list": {204, "*", "authorization", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodOptions {
					w.Header().Set("Access-Control-Allow-Origin", test.origin)
					w.Header().Set("Access-Control-Allow-Headers", test.headers)
					w.WriteHeader(test.status)
					return
				}
				w.Header().Set("Access-Control-Allow-Origin", test.onList)
				standIn{list: listOfOne}.ServeHTTP(w, r)
			}))
			result := compareWith(t, fake.NewTestServer(t), base)
			if may := verdicts(result)["cors"] == ""; may != test.may {
				t.Errorf("a page may read the list: %v", may)
			}
			agrees(t, base, result)
		})
	}
}

// A service may repeat the token in whatever it sends, whole, in parts, or encoded.
func TestCompareNeverRepeatsTheToken(t *testing.T) {
	t.Parallel()
	half := len(realToken) / 2
	for name, echo := range map[string]string{
		"plain":    realToken,
		"upper":    strings.ToUpper(realToken),
		"escaped":  url.QueryEscape(strings.ReplaceAll(realToken, "-", "%2D")),
		"split":    "https://example.com/" + realToken[:half] + "/" + realToken[half:] + "?a=b",
		"query":    "https://example.com/?a=" + realToken[:half] + "&b=" + realToken[half:],
		"base64":   base64.StdEncoding.EncodeToString([]byte("user:" + realToken)),
		"base64 2": base64.URLEncoding.EncodeToString([]byte("x" + realToken + "!")),
		"hex":      hex.EncodeToString([]byte(realToken)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			quoted, _ := json.Marshal(echo)
			for _, list := range []string{
				fmt.Sprintf(`{"campaigns":[{"id":%[1]s,"name":%[1]s,"created_at":%[1]s,"updated_at":%[1]s,"status":%[1]s,%[1]s:%[1]s}],%[1]s:1}`,
					quoted),
				fmt.Sprintf(`{"campaigns":1,%s:1}`, quoted), fmt.Sprintf(`{"campaigns":[],%s:1}`, quoted),
				string(quoted), `{"campaigns":[` + string(quoted) + `]}`,
			} {
				notFound := says(404, "text/"+echo, `{"error":`+string(quoted)+`}`)
				base := start(t, standIn{list: list, contentType: "application/json; token=\"" + echo + "\"", notFound: notFound})
				result, err := fake.Compare(t.Context(), fake.NewTestServer(t), fake.Target{BaseURL: base, Token: realToken})
				text := fmt.Sprint(err)
				if err == nil {
					text = inFile(t, result.Settings)
					for _, f := range result.Findings {
						text += f.String() + "\n"
					}
				}
				for _, part := range []string{echo, realToken, realToken[:half], realToken[half:], echo[len(echo)/2:]} {
					if strings.Contains(strings.ToLower(text), strings.ToLower(part)) {
						t.Fatalf("%q is in\n%s", part, text)
					}
				}
			}
		})
	}
	redirect := start(t, http.RedirectHandler("https://example.com/"+realToken[:half]+"/"+realToken[half:], http.StatusFound))
	if got := failsToCompare(t, fake.Target{BaseURL: redirect, Token: realToken}); strings.Contains(got, realToken[:half]) {
		t.Errorf("the error is %q", got)
	}
}

// Statuses that somebody has listed are not taken away because they are not seen.
func TestCompareAddsToListedStatuses(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithService(fixtures.Service{Statuses: []string{"live", "done"}}))
	result := compareWith(t, srv, start(t, standIn{list: listOfOne}))
	want := "differs: statuses: also active; the fake: those of live, done; " +
		`change statuses at fake.WithService, so that it is service: {"statuses":["live","done","active"]}`
	if text := fmt.Sprint(result.Findings); !strings.Contains(text, want) {
		t.Errorf("there is no %q in %s", want, text)
	}
}

// Settings that a server was given are changed where that was done. The others stand beside.
func TestCompareSaysWhereToChangeWhatIsGiven(t *testing.T) {
	t.Parallel()
	own := "service:\n  timestamps: sql\n  responses:\n    missing_token: {status: 403}\n    default: {body: no}\n  extra: {budget: text}\n"
	base := like(t, fixtures.Service{Timestamps: "unix", IDs: "sequence", Extra: map[string]any{"budget": 1}}, 5)
	result := compareWith(t, fake.NewTestServer(t, fake.WithFixtures(fstest.MapFS{"own.yaml": {Data: []byte(own)}})), base)
	remedies := make(map[string]string)
	for _, f := range result.Findings {
		remedies[f.Name] = f.Remedy
	}
	for name, want := range map[string]string{
		"timestamps":              `change timestamps at own.yaml:2:3, so that it is service: {"timestamps":"unix"}`,
		"responses.missing_token": `change responses.missing_token.status at own.yaml:4:21`,
		"extra":                   `change extra at own.yaml:6:3`,
		"ids":                     `write service: {"ids":"sequence"}`,
		"responses.not_found":     `write service: {"responses":{"not_found":{"status":404,`,
	} {
		if !strings.HasPrefix(remedies[name], want) {
			t.Errorf("%s: the remedy is %q, want %q", name, remedies[name], want)
		}
	}
	both := fstest.MapFS{"own.yaml": {Data: []byte(own)}, "found.yaml": {Data: []byte(inFile(t, result.Settings))}}
	again := compareWith(t, fake.NewTestServer(t, fake.WithFixtures(both)), base)
	expectVerdicts(t, again, map[string]string{"timestamps": "differs", "responses.missing_token": "differs", "extra": "differs"})
}

func TestConform(t *testing.T) {
	t.Parallel()
	base := like(t, fixtures.Service{Timestamps: "unix",
		Responses: fixtures.Responses{NotFound: fixtures.Response{Body: json.RawMessage(`{"error":"no"}`)}}}, 3)
	var differs recorder
	fake.Conform(&differs, fake.NewTestServer(t), base, realToken)
	for _, want := range []string{
		`campaignfake: differs: timestamps: unix; the fake: rfc3339; write fake.WithService(fixtures.Service{Timestamps: "unix"})`,
		`NotFound: fixtures.Response{Status: 404, Headers: http.Header{"Content-Type":[]string{"application/json"}}, Body: map[string]any{`,
	} {
		if !strings.Contains(differs.text(), want) {
			t.Errorf("there is no %q in\n%s", want, differs.text())
		}
	}
	if len(differs.failures) != 2 {
		t.Errorf("the test failed with %q", differs.failures)
	}
	var skips, conforms recorder
	fake.Conform(&conforms, fake.NewTestServer(t), base, realToken, "timestamps", "responses.not_found")
	if conforms.Failed() || conforms.Skipped() {
		t.Errorf("what differs is skipped, and the test failed with %q %q", conforms.text(), conforms.skipped)
	}
	fake.Conform(&skips, fake.NewTestServer(t), base, "")
	if skips.Failed() || !skips.Skipped() {
		t.Errorf("without a token, the test failed with %q, and was skipped with %q", skips.text(), skips.skipped)
	}
	told := ended(t, func(tb *recorder) { fake.Conform(tb, fake.NewTestServer(t), "http://example.com", realToken) })
	if !strings.Contains(told, "neither HTTPS nor on this machine") {
		t.Errorf("the test failed with %q", told)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fake.Compare(ctx, fake.NewTestServer(t), fake.Target{BaseURL: base, Token: realToken}); err == nil {
		t.Error("a comparison that was called off has no error")
	}
}
