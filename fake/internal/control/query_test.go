package control

import (
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Each field of the parameters of a route is read from the query, and has a parameter.
func TestEveryParameterIsRead(t *testing.T) {
	t.Parallel()
	checkRead(t, readNothing, "")
	checkRead(t, readOneToken, "token=alice")
	checkRead(t, readTokenFilter, "token=alice")
	checkRead(t, readUserFilter, "token=alice&format=yaml")
	checkRead(t, readUserChange, "token=alice&anew=true")
	checkRead(t, readRequestFilter, "token=alice&status=404&since=1&limit=2&await=3&await_answers=4"+
		"&within=5s&unmatched=true&passed_on=true&advice=true&brief=true&oldest=true")
}

// checkRead reports what a function does not read of a query that has all parameters.
func checkRead[P any](t *testing.T, read func(*query) P, text string) {
	t.Helper()
	q := parsed(t, text)
	parameters := reflect.ValueOf(read(q))
	if err := q.check(); err != nil {
		t.Errorf("%s is refused: %v", text, err)
	}
	kind := parameters.Type()
	if len(q.names) != kind.NumField() {
		t.Errorf("%s has %d fields, and reads %s", kind, kind.NumField(), strings.Join(q.names, ", "))
	}
	for i := range kind.NumField() {
		if parameters.Field(i).IsZero() {
			t.Errorf("%s.%s is not read", kind, kind.Field(i).Name)
		}
	}
}

// parsed returns a query that no route has read yet.
func parsed(t *testing.T, text string) *query {
	t.Helper()
	values, err := url.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return &query{values: values, refusals: make(map[string]error)}
}

// What is not given has its default.
func TestDefaultsOfParameters(t *testing.T) {
	t.Parallel()
	got := readRequestFilter(parsed(t, ""))
	want := requestFilter{limit: 100, within: 10 * time.Second}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("without parameters, requests are filtered by %+v, want %+v", got, want)
	}
	if change := readUserChange(parsed(t, "token=alice")); !change.anew {
		t.Error("without anew, a token does not start anew")
	}
}

// A parameter is refused by name, for the first of the reasons that hold for it.
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
		"token=ab%20cd":   "The parameter token is a token with ' '" + unsendable + plus,
		"token=caf%C3%A9": "The parameter token is a token with 'é'" + unsendable,
		"token=a%0Ab":     `The parameter token is a token with '\n'` + unsendable,
		"token=Bearer%20demo": "The parameter token starts with the word Bearer, " +
			"which is no part of the token; write the token alone: demo.",
		"token=" + strings.Repeat("x", 8193): "The parameter token is a token of 8193 characters, " +
			"more than servers accept in a header; write at most 8192.",
		"number=1":                    "",
		"number=9":                    "",
		"number=%2B9":                 "", // which is +9
		"flag=true":                   "",
		"flag=false":                  "",
		"duration=1ms":                "",
		"duration=24h":                "",
		"number=0":                    `The parameter number is "0"` + wholeNumber,
		"number=10":                   `The parameter number is "10"` + wholeNumber,
		"number=":                     `The parameter number is ""` + wholeNumber,
		"number=1.5":                  `The parameter number is "1.5"` + wholeNumber,
		"number=99999999999999999999": `The parameter number is "99999999999999999999"` + wholeNumber,
		"flag=":                       `The parameter flag is ""` + trueOrFalse,
		"flag=True":                   `The parameter flag is "True"` + trueOrFalse,
		"duration=":                   `The parameter duration is ""` + duration,
		"duration=30":                 `The parameter duration is "30"` + duration,
		"duration=999us":              `The parameter duration is "999us"` + duration,
		"duration=24h1ms":             `The parameter duration is "24h1ms"` + duration,
		"other=1":                     `There is no parameter "other" here; send token, number, flag, duration.`,
		"number=x&number=y":           "The parameter number is there 2 times; send it once.",
		"token=a&token=a":             "The parameter token is there 2 times; send it once.",
		"number=0&flag=1":             `The parameter flag is "1"` + trueOrFalse,
		"other=1&number=0":            `The parameter number is "0"` + wholeNumber,
		"x=1&other=1&token=a":         `There is no parameter "other" here; send token, number, flag, duration.`,
	} {
		q := parsed(t, text)
		q.token("token")
		q.number("number", 1, 9)
		q.flag("flag")
		q.durationOr(0, "duration")
		got := ""
		if err := q.check(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: the query is refused with\n%s, want\n%s", text, got, want)
		}
	}
}

// A parameter that has to be there is missed last, and may be empty.
func TestRequiredParameter(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                "The parameter token is missing; send ?token=, percent-encoded.",
		"other=1":         `There is no parameter "other" here; send token.`,
		"token=":          "",
		"token=a&token=b": "The parameter token is there 2 times; send it once.",
	} {
		q := parsed(t, text)
		q.requiredToken("token")
		got := ""
		if err := q.check(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: the query is refused with\n%s, want\n%s", text, got, want)
		}
	}
}
