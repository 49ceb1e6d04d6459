package control

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// withQuery returns the answer of a route that has parameters. read makes a struct of the
// parameters, and answer gets the struct. A call with a parameter that the route does not have is
// refused before answer runs.
func withQuery[P any](read func(*query) P, answer func(*call, P) error) func(*call) error {
	return func(c *call) error {
		values, err := url.ParseQuery(c.r.URL.RawQuery)
		if err != nil {
			return refuse(http.StatusBadRequest, "The query cannot be read: %v.", err)
		}
		q := &query{values: values}
		parameters := read(q)
		if err := q.check(); err != nil {
			return err
		}
		return answer(c, parameters)
	}
}

// A query has the parameters of a call. A route asks for each parameter that it has, in the order
// in which messages name them.
type query struct {
	values  url.Values
	names   []string // the parameters that the route reads
	refusal error    // what is wrong with a parameter that the route reads; nil if nothing is
}

// check returns the refusal of the query, and nil if nothing is wrong with it. A parameter that the
// route does not read is refused first: it may be a required one, misspelt.
func (q *query) check() error {
	for _, name := range slices.Sorted(maps.Keys(q.values)) {
		if !slices.Contains(q.names, name) {
			known := cmp.Or(strings.Join(q.names, ", "), "none")
			return refuse(http.StatusBadRequest, "There is no parameter %q here; send %s.",
				words.CutInput(name), known)
		}
	}
	return q.refusal
}

// refuse refuses the query, unless it is refused already.
func (q *query) refuse(format string, args ...any) {
	if q.refusal == nil {
		q.refusal = refuse(http.StatusBadRequest, format, args...)
	}
}

// requiredToken returns a required parameter that is a bearer token. It refuses an empty value,
// which mostly comes from a shell variable that is not set.
func (q *query) requiredToken(name string) string {
	if q.values[name] == nil {
		q.refuseMissing(name)
	}
	return q.userToken(name)
}

// refuseEmpty refuses an empty token, for a call that makes no sense for requests without a token.
func (q *query) refuseEmpty(name string) {
	values := q.values[name]
	if len(values) == 1 && values[0] == "" {
		q.refuse("The parameter %s is empty; send the token.", name)
	}
}

// token returns a parameter that is a bearer token, and nil if it is not given. The empty token
// stands for requests without a token. token refuses a token that no client can send.
func (q *query) token(name string) *string {
	token := q.text(name)
	if token == nil || *token == "" {
		return token
	}
	err := fixtures.CheckToken(*token)
	if err != nil {
		q.refuse("The parameter %s %v.%s", name, err, adviceOnPlus(*token))
	}
	return token
}

// adviceOnPlus returns the advice on a token that has a space because it was sent with a +.
func adviceOnPlus(token string) string {
	first, _, hasSpace := strings.Cut(token, " ")
	if !hasSpace || strings.EqualFold(first, "bearer") {
		return ""
	}
	return " In a query + is a space; for the character + write %2B."
}

// refuseMissing refuses a call without a parameter that it needs.
func (q *query) refuseMissing(name string) {
	q.refuse("The parameter %s is missing; send ?%s=, percent-encoded.", name, name)
}

// userToken returns a parameter that is the token of a user, and "" if it is not given.
func (q *query) userToken(name string) string {
	token := q.token(name)
	if token == nil {
		return ""
	}
	q.refuseEmpty(name)
	return *token
}

// scope returns the tokens that the call is for. The parameter token is for one token, and the
// parameter run for all tokens that end in ~ and the run. Without either, the call is for all
// tokens.
func (q *query) scope() engine.Scope {
	token := q.token("token")
	run := q.token("run")
	switch {
	case token != nil && run != nil:
		q.refuse("The parameters token and run are both there; send token for one token, " +
			"or run for all tokens that end in ~ and the run.")
	case token != nil:
		return engine.OfTokens(*token)
	case run != nil && *run == "":
		q.refuse("The parameter run is empty; send what the tokens have behind their last ~.")
	case run != nil:
		return engine.OfRun(*run)
	}
	return engine.Scope{}
}

// requiredScope returns the tokens that the call is for. The call has to name them, and they cannot
// be empty.
func (q *query) requiredScope() engine.Scope {
	scope := q.scope()
	q.refuseEmpty("token")
	if scope.IsAll() {
		q.refuse("The parameter token is missing; send ?token=, percent-encoded, " +
			"or ?run= for all tokens that end in ~ and the run.")
	}
	return scope
}

// text returns a parameter, and nil if it is not given. It refuses a parameter that is given twice.
func (q *query) text(name string) *string {
	q.names = append(q.names, name)
	values := q.values[name]
	if len(values) == 0 {
		return nil
	}
	if len(values) > 1 {
		q.refuse("The parameter %s is there %d times; send it once.", name, len(values))
		return nil
	}
	return &values[0]
}

// numberOr returns a parameter that is a whole number from least to most. If it is not given, it
// returns otherwise.
func (q *query) numberOr(otherwise int, name string, least, most int) int {
	text := q.text(name)
	if text == nil {
		return otherwise
	}
	number, err := strconv.Atoi(*text)
	if err != nil || number < least || number > most {
		q.refuseValue(name, *text, fmt.Sprintf("a whole number from %d to %d", least, most))
		return otherwise
	}
	return number
}

// isTrue returns a parameter that is true or false. It is false if it is not given.
func (q *query) isTrue(name string) bool {
	flag := q.flag(name)
	return flag != nil && *flag
}

// flag returns a parameter that is true or false, and nil if it is not given.
func (q *query) flag(name string) *bool {
	text := q.text(name)
	if text == nil {
		return nil
	}
	if *text != "true" && *text != "false" {
		q.refuseValue(name, *text, "true or false")
		return nil
	}
	flag := *text == "true"
	return &flag
}

// isYAML reports whether the parameter format asks for YAML. Without the parameter the answer is
// JSON.
func (q *query) isYAML() bool {
	const name = "format"
	format := q.text(name)
	if format == nil {
		return false
	}
	switch *format {
	case formatYAML:
		return true
	case formatJSON:
		return false
	}
	q.refuseValue(name, *format, formatJSON+" or "+formatYAML)
	return false
}

// durationOr returns a parameter that is a duration of up to a day. If it is not given, it returns
// otherwise.
func (q *query) durationOr(otherwise time.Duration, name string) time.Duration {
	text := q.text(name)
	if text == nil {
		return otherwise
	}
	duration, err := time.ParseDuration(*text)
	if err != nil || duration < time.Millisecond || duration > 24*time.Hour {
		q.refuseValue(name, *text, "a duration such as 30s, up to 24h")
		return otherwise
	}
	return duration
}

// refuseValue refuses the value of a parameter. The refusal says what to send instead.
func (q *query) refuseValue(name, value, instead string) {
	q.refuse("The parameter %s is %q; send %s.", name, words.CutInput(value), instead)
}
