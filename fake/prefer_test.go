package fake_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

func preferring(values ...string) http.Header {
	header := bearer("alice")
	header["Prefer"] = values
	return header
}

func TestPrefer(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{spring}}))
	_, normal := ask(t, srv, "GET", listPath, bearer("alice"))
	problem := func(status, title, detail string) string {
		return `{"type":"about:blank","title":"` + title + `","status":` + status + `,"detail":"` + detail + `"}`
	}
	for name, tt := range map[string]struct {
		prefer  []string
		status  int
		body    string // not looked at if ""
		applied string
	}{
		"a status":                   {[]string{"code=503"}, 503, problem("503", "Service Unavailable", "The service is not available at the moment."), "code=503"},
		"a status with campaigns":    {[]string{"code=203"}, 203, normal, "code=203"},
		"a status without a name":    {[]string{"code=599"}, 599, problem("599", "Status 599", "The service answers this request with status 599."), "code=599"},
		"a delay":                    {[]string{"delay=1ms"}, 200, normal, "delay=1ms"},
		"no delay":                   {[]string{"delay=0"}, 200, normal, "delay=0"},
		"a range":                    {[]string{"delay=1ms..2ms"}, 200, normal, "delay=1ms..2ms"},
		"a fault":                    {[]string{"fault=wrong_type"}, 200, "", "fault=wrong_type"},
		"all together":               {[]string{"code=500, delay=1ms, fault=wrong_type"}, 500, "", "code=500, delay=1ms, fault=wrong_type"},
		"several headers":            {[]string{"code=500", "delay=1ms"}, 500, "", "code=500, delay=1ms"},
		"the first of two":           {[]string{"code=500, Code=503", "CODE=404"}, 500, "", "code=500"},
		"capitals and space":         {[]string{` , CoDe = 503 ,,	`}, 503, "", "code=503"},
		"beside what is not ours":    {[]string{"return=minimal; a=b, code=503, respond-async"}, 503, "", "code=503"},
		"only what is not ours":      {[]string{"return=minimal, wait=10, respond-async"}, 200, normal, ""},
		"nothing":                    {[]string{""}, 200, normal, ""},
		"a status and a wrong value": {[]string{"code=503, delay=soon"}, 400, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			response, body := ask(t, srv, "GET", listPath, preferring(tt.prefer...))
			if response.StatusCode != tt.status || tt.body != "" && body != tt.body {
				t.Errorf("the answer is %d %s, want %d %s", response.StatusCode, body, tt.status, tt.body)
			}
			if got := response.Header.Get("Preference-Applied"); got != tt.applied {
				t.Errorf("Preference-Applied is %q, want %q", got, tt.applied)
			}
			if got := response.Header.Values("Vary"); (tt.applied != "") != strings.Contains(strings.Join(got, ","), "Prefer") {
				t.Errorf("Vary is %q", got)
			}
		})
	}
}

func TestPreferThatCannotBeHonoured(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := fake.NewTestServer(&tb, fake.WithUser("alice", fake.User{}))
	for prefer, want := range map[string]string{
		"code=700":               "Prefer: code=700 cannot be honoured: status: 700 is no final HTTP status; write a status from 200 to 599.",
		"code=0":                 "Prefer: code=0 cannot be honoured: it is not a status",
		"code=204, fault=stall":  "Prefer: code=204, fault=stall cannot be honoured: fault: cannot stand beside status 204, which has no body; leave one of the two out.",
		"code=five":              "Prefer: code=five cannot be honoured: it is not a status; send three digits, as code=503.",
		"code":                   `Prefer: code= cannot be honoured: it has no value; send code=503.`,
		"delay=":                 `it has no value; send delay=2s.`,
		"fault=":                 `it has no value; send fault=reset.`,
		"delay=2":                "Prefer: delay=2 cannot be honoured: 2 has no unit; write 2ms or 2s.",
		"delay=-1s":              "-1s is negative; write it without the minus",
		"delay=25h":              "25h is too long; write at most 24h",
		"fault=rest":             `did you mean reset?`,
		"fault=reset, code=500":  "status: cannot stand beside fault reset, which sends no answer; leave one of the two out.",
		"fault=hang, delay=1s":   "delay: cannot stand beside fault hang, which answers nothing",
		"code=503 delay=2s":      "Prefer: code=503 delay=2s cannot be honoured: it is not a status; send three digits, as code=503.",
		`code="503`:              `Prefer: code="503 cannot be honoured: it has a stray quotation mark`,
		"code=503; delay=2s":     "Prefer: code=503; delay=2s cannot be honoured: it has a semicolon; put commas between preferences, as code=503, delay=2s.",
		"delay=2s;why=test":      "it has a semicolon",
		"code=99999999999999999": "it is not a status",
		"code=+503":              "it is not a status",
		"code=0503":              "it is not a status",
		"delay=š":                "Prefer: delay=š cannot be honoured",
	} {
		response, body := ask(t, srv, "GET", listPath, preferring(prefer))
		if unquoted := strings.ReplaceAll(body, `\"`, `"`); response.StatusCode != 400 || !strings.Contains(unquoted, want) || response.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s is answered %d %s, want 400 with %s", prefer, response.StatusCode, body, want)
		}
	}
	for _, r := range srv.Requests() {
		if r.Status != 400 || !strings.HasPrefix(r.Reason, "refused: ") {
			t.Errorf("the journal has %d, %q", r.Status, r.Reason)
		}
	}
	tb.finish()
	if failures, requests := len(tb.failures), len(srv.Requests()); failures != requests {
		t.Errorf("the strict test hears of %d refusals of %d:\n%s", failures, requests, tb.text())
	}
	if want := "campaignfake: a Prefer header was refused:\n\tGET /api/user/campaigns with token \"alice\"\n"; !strings.HasPrefix(tb.text(), want) {
		t.Errorf("the strict test hears\n%s\nwant\n%s", tb.text(), want)
	}
}

// What is not honoured is remarked upon, since RFC 7240 has it go unanswered.
func TestIgnoredPreferences(t *testing.T) {
	t.Parallel()
	on := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	off := fake.NewTestServer(t, fake.WithService(fake.Service{Prefer: "off"}), fake.WithUser("alice", fake.User{}))
	for _, tt := range []struct {
		srv          *fake.Server
		prefer, want string
	}{
		{on, "status=503", `0 campaigns; Prefer: status was ignored, being none of code, delay and fault`},
		{on, "code=503, dealy=1s", `Prefer: 503; Prefer: dealy was ignored, being none of code, delay and fault`},
		{off, "code=503", `0 campaigns; Prefer was ignored, since service.prefer is off`},
	} {
		tt.srv.ClearRequests()
		ask(t, tt.srv, "GET", listPath, preferring(tt.prefer))
		if got := tt.srv.Requests()[0].Reason; got != tt.want {
			t.Errorf("the reason of Prefer: %s is %q, want %q", tt.prefer, got, tt.want)
		}
	}
}

// Prefer is for requests of users, and can be turned off.
func TestPreferOff(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithService(fake.Service{Prefer: "off"}), fake.WithUser("alice", fake.User{Replies: []fake.Reply{{Status: 500}}}))
	if response, _ := ask(t, srv, "GET", listPath, preferring("code=418")); response.StatusCode != 500 || response.Header.Get("Preference-Applied") != "" {
		t.Errorf("the answer is %d, %q", response.StatusCode, response.Header)
	}
	on := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fake.User{}))
	unknown := http.Header{"Prefer": {"code=418"}, "Authorization": {"Bearer bob"}}
	for _, step := range []struct {
		method, path string
		header       http.Header
		want         int
	}{
		{"GET", listPath, unknown, 401}, {"GET", listPath, http.Header{"Prefer": {"code=418"}}, 401},
		{"POST", listPath, preferring("code=418"), 405}, {"GET", "/elsewhere", preferring("code=418"), 404}, {"GET", "/_fake/health", preferring("code=418"), 200},
	} {
		if response, _ := ask(t, on, step.method, step.path, step.header); response.StatusCode != step.want {
			t.Errorf("%s %s is answered %d, want %d", step.method, step.path, response.StatusCode, step.want)
		}
	}
}

// What is preferred goes before the user's own delay, and without one that holds.
func TestPreferredDelays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{
			Delay: &fake.Delay{Fixed: time.Hour}, RateLimit: &fake.RateLimit{Requests: 1, Per: time.Hour}, Chaos: &fake.Chaos{Status: map[int]float64{500: 1}},
		}))
		for _, tt := range []struct {
			prefer string
			want   time.Duration
		}{{"delay=2s", 2 * time.Second}, {"delay=0s", 0}, {"code=503", time.Hour}} {
			if begin, _ := took(t, srv, "alice", tt.prefer); begin != tt.want {
				t.Errorf("%s takes %s, want %s", tt.prefer, begin, tt.want)
			}
		}
		if got := srv.Requests()[0]; got.Status != 200 || got.Reason != "Prefer: delay 2s; delayed 2s" {
			t.Errorf("the journal has %d, %q", got.Status, got.Reason)
		}
	})
}

// A page of another origin may send Prefer, and read what was applied.
func TestPreferFromAPage(t *testing.T) {
	t.Parallel()
	for _, cors := range []string{"any", "http://a.test"} {
		srv := fake.NewTestServer(t, fake.WithService(fake.Service{CORS: []string{cors}}), fake.WithUser("alice", fake.User{}))
		asked, _ := ask(t, srv, "OPTIONS", listPath, http.Header{
			"Origin": {"http://a.test"}, "Access-Control-Request-Method": {"GET"}, "Access-Control-Request-Headers": {"authorization,prefer"},
		})
		if got := asked.Header.Get("Access-Control-Allow-Headers"); !strings.Contains(got, "prefer") {
			t.Errorf("under %s, a preflight allows the headers %q", cors, got)
		}
		header := preferring("code=503")
		header["Origin"] = []string{"http://a.test"}
		response, _ := ask(t, srv, "GET", listPath, header)
		if got := response.Header.Get("Access-Control-Expose-Headers"); !strings.Contains(got, "Preference-Applied") || !strings.Contains(got, "Retry-After") {
			t.Errorf("under %s, a page may read %q", cors, got)
		}
	}
}

// Whatever a Prefer header holds, it is honoured, refused, or none of ours.
func FuzzPrefer(f *testing.F) {
	for _, seed := range []string{
		"code=503", "delay=1ms, fault=bad_json", `code="503"; a=b, respond-async`, "return=minimal;;", ",,=", "{code: 503}", "=503", "code=200;code=500",
	} {
		f.Add(seed)
	}
	handler, err := fake.New(fake.WithUser("alice", fake.User{}), fake.WithJournal(0))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, prefer string) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // so that nothing takes its time
		r := httptest.NewRequestWithContext(ctx, "GET", listPath, nil)
		r.Header = preferring(prefer)
		w := httptest.NewRecorder()
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				panic(p)
			}
		}()
		handler.ServeHTTP(w, r)
		switch applied := w.Header().Get("Preference-Applied"); {
		case w.Code == 400 && applied == "" && w.Header().Get("Content-Type") == "application/problem+json":
		case w.Code == 200 && applied == "":
		case applied != "" && w.Code >= 200 && w.Code < 600:
		default:
			t.Errorf("%q is answered %d, applied: %q", prefer, w.Code, applied)
		}
	})
}
