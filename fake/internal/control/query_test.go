package control

import (
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/fake/internal/engine"
)

// parsed returns a query that no route has read yet.
func parsed(t *testing.T, text string) *query {
	t.Helper()
	values, err := url.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return &query{values: values}
}

// A parameter that is not given has its default.
func TestDefaultsOfParameters(t *testing.T) {
	t.Parallel()
	got := readRequestFilter(parsed(t, ""))
	want := requestFilter{limit: 100, within: 10 * time.Second}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("without parameters, requests are filtered by %+v, want %+v", got, want)
	}
	if change := readUserChange(parsed(t, "token=alice")); change.past != engine.ForgetPast {
		t.Error("without anew, a token does not start anew")
	}
}

// A parameter is refused by name, with what to send instead.
func TestParametersAreChecked(t *testing.T) {
	t.Parallel()
	const (
		wholeNumber = "; send a whole number from 1 to 9."
		trueOrFalse = "; send true or false."
		duration    = "; send a duration such as 30s, up to 24h."
		unsendable  = " in it, which no client can send reliably; " +
			"write a token of visible ASCII characters without spaces."
		plus = " In a query + is a space; for the character + write %2B."
	)
	for text, want := range map[string]string{
		"":                "",
		"token=":          "",
		"token=ab%2Bcd":   "",
		"token=ab+cd":     "The parameter token is a token with ' '" + unsendable + plus,
		"token=caf%C3%A9": "The parameter token is a token with 'é'" + unsendable,
		"token=Bearer%20demo": "The parameter token starts with the word Bearer, " +
			"which is no part of the token; write the token alone: demo.",
		"token=" +
			strings.Repeat("x", 8193): "The parameter token is a token of 8193 characters, " +
			"more than servers accept in a header; write at most 8192.",
		"number=1":        "",
		"number=9":        "",
		"flag=true":       "",
		"duration=1ms":    "",
		"duration=24h":    "",
		"number=0":        `The parameter number is "0"` + wholeNumber,
		"number=10":       `The parameter number is "10"` + wholeNumber,
		"flag=True":       `The parameter flag is "True"` + trueOrFalse,
		"duration=999us":  `The parameter duration is "999us"` + duration,
		"duration=24h1ms": `The parameter duration is "24h1ms"` + duration,
		"other=1": `There is no parameter "other" here; ` +
			`send token, number, flag, duration.`,
		"token=a&token=a": "The parameter token is there 2 times; send it once.",
	} {
		q := parsed(t, text)
		q.token("token")
		q.numberOr(1, "number", 1, 9)
		q.flag("flag")
		q.durationOr(0, "duration")
		expectProblem(t, text, q, want)
	}
}

// A call is for one token, for all tokens of a run, or for all tokens. The server never guesses
// which.
func TestScopes(t *testing.T) {
	t.Parallel()
	const missing = "The parameter token is missing; send ?token=, percent-encoded, " +
		"or ?run= for all tokens that end in ~ and the run."
	for text, tt := range map[string]struct {
		want     engine.Scope
		problem  string
		required string // the problem if the call has to name its tokens
	}{
		"":        {want: engine.Scope{}, required: missing},
		"token=a": {want: engine.OfTokens("a")},
		"token=": {
			want:     engine.OfTokens(""),
			required: "The parameter token is empty; send the token.",
		},
		"run=a": {want: engine.OfRun("a")},
		"run=": {problem: "The parameter run is empty; " +
			"send what the tokens have behind their last ~."},
		"token=a&run=b": {problem: "The parameters token and run are both there; " +
			"send token for one token, or run for all tokens that end in ~ and the run."},
	} {
		q := parsed(t, text)
		got := q.scope()
		expectProblem(t, text, q, tt.problem)
		if tt.problem == "" && !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s is the scope %+v, want %+v", text, got, tt.want)
		}
		q = parsed(t, text)
		q.requiredScope()
		expectProblem(t, text, q, tt.problem+tt.required)
	}
}

// expectProblem reports if a query is not refused as wanted.
func expectProblem(t *testing.T, text string, q *query, want string) {
	t.Helper()
	got := ""
	if err := q.check(); err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("%s: the query is refused with\n%s, want\n%s", text, got, want)
	}
}

// A required parameter may not be empty. If its name is misspelt, the misspelt name is reported.
func TestRequiredParameter(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":       "The parameter token is missing; send ?token=, percent-encoded.",
		"token=": "The parameter token is empty; send the token.",
		"tokne=": `There is no parameter "tokne" here; send token.`,
	} {
		q := parsed(t, text)
		q.requiredToken("token")
		expectProblem(t, text, q, want)
	}
}
