package fake_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// RFC 7240 has the value of a preference as a token or in quotation marks, with space
// around the equals sign. What is answered has the shorter form.
func TestQuotedPreferences(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fake.User{}))
	for prefer, want := range map[string]struct {
		status  int
		applied string
	}{
		`code="503"`:             {503, "code=503"},
		`code = 503`:             {503, "code=503"},
		"code\t=\t\"503\"":       {503, "code=503"},
		`code="5\03"`:            {503, "code=503"},
		`delay="1ms"`:            {200, "delay=1ms"},
		`delay="1ms..2ms"`:       {200, "delay=1ms..2ms"},
		`fault="wrong_type"`:     {200, "fault=wrong_type"},
		`code="503", delay="0s"`: {503, "code=503, delay=0s"},
		`delay="{median: 1ms, p99: 2ms}", code=503`:   {503, `delay="{median: 1ms, p99: 2ms}", code=503`},
		`title="a, code=404; \", code=405", code=503`: {503, "code=503"},
		`title="never closed, code=503`:               {503, "code=503"},
	} {
		response, body := ask(t, srv, "GET", listPath, preferring(prefer))
		if got := response.Header.Get("Preference-Applied"); response.StatusCode != want.status || got != want.applied {
			t.Errorf("%s is answered %d %s, applied: %q, want %d, %q", prefer, response.StatusCode, body, got, want.status, want.applied)
		}
	}
}

// Values in quotation marks are refused for the same reasons as others.
func TestQuotedPreferencesThatCannotBeHonoured(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fake.User{}))
	for prefer, want := range map[string]string{
		`code="five"`:           `Prefer: code=five cannot be honoured: it is not a status; send three digits, as code=503.`,
		`code=""`:               `Prefer: code= cannot be honoured: it has no value; send code=503.`,
		`code="503`:             `Prefer: code="503 cannot be honoured: it has a stray quotation mark; send code=503, and a comma before the next preference.`,
		`code="503" delay="2s"`: `cannot be honoured: it has a stray quotation mark; send code=503, and a comma before the next preference.`,
		`delay="2s"; why=test`:  "it has a semicolon; put commas between preferences, as code=503, delay=2s.",
	} {
		response, body := ask(t, srv, "GET", listPath, preferring(prefer))
		if unquoted := strings.ReplaceAll(body, `\"`, `"`); response.StatusCode != 400 || !strings.Contains(unquoted, want) {
			t.Errorf("%s is answered %d %s, want 400 with %s", prefer, response.StatusCode, body, want)
		}
	}
}

// Every form of a delay that a refusal offers can be sent in the header.
func TestRefusedDelayOffersWhatCanBeSent(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fake.User{}))
	_, body := ask(t, srv, "GET", listPath, preferring("delay=soon"))
	var problem struct{ Detail string }
	if err := json.Unmarshal([]byte(body), &problem); err != nil {
		t.Fatal(err)
	}
	forms := regexp.MustCompile(`; write a length of time as (\S+), a range as (\S+), (.*), or (.*)\.$`).FindStringSubmatch(problem.Detail)
	if forms == nil {
		t.Fatalf("the refusal is %q", problem.Detail)
	}
	for _, form := range forms[1:] {
		// A fault that cannot have a delay shows that the delay was read, without waiting.
		_, body := ask(t, srv, "GET", listPath, preferring("fault=hang, delay="+form))
		if !strings.Contains(body, "delay: cannot stand beside fault hang") {
			t.Errorf("with delay=%s, the answer is %s", form, body)
		}
	}
}
