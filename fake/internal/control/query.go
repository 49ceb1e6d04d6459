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

// withQuery returns the answer function of a route with parameters. The function `read` makes a
// struct of the parameters, and the function `answer` gets the struct. A call with a wrong or
// unknown parameter is refused, and `answer` is not called.
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

// A query holds the parameters of a call. A route reads all of its parameters, even if the first is
// wrong. Messages name the parameters in the order in which the route reads them.
type query struct {
	values  url.Values
	names   []string // the parameters that the route reads
	refusal error    // what is wrong with the first wrong parameter; nil if all are right
}

// check returns why the query is refused, and nil if nothing is wrong with it. It first refuses a
// parameter that the route does not read: perhaps the client misspelt a required parameter.
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

// refuse notes that the query is refused, and why. Only the first refusal counts.
func (q *query) refuse(format string, args ...any) {
	if q.refusal == nil {
		q.refusal = refuse(http.StatusBadRequest, format, args...)
	}
}

// requiredToken returns the bearer token in a parameter. It refuses a query without the parameter.
// It also refuses an empty value, which mostly comes from a shell variable that is not set.
func (q *query) requiredToken(name string) string {
	if q.values[name] == nil {
		q.refuseMissing(name)
	}
	return q.userToken(name)
}

// refuseEmpty refuses an empty parameter. An empty token stands for requests without a token, and
// some routes make no sense for these requests.
func (q *query) refuseEmpty(name string) {
	values := q.values[name]
	if len(values) == 1 && values[0] == "" {
		q.refuse("The parameter %s is empty; send the token.", name)
	}
}

// token returns the bearer token in a parameter, and nil if the query does not have the parameter.
// The empty token stands for requests without a token. A token that no client can send is refused.
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

// adviceOnPlus returns advice on a token with a space: probably the client meant a + and did not
// encode it. It returns "" for a token without a space, and for a token such as "Bearer demo".
func adviceOnPlus(token string) string {
	first, _, hasSpace := strings.Cut(token, " ")
	if !hasSpace || strings.EqualFold(first, "bearer") {
		return ""
	}
	return " In a query + is a space; for the character + write %2B."
}

// refuseMissing refuses a query without a required parameter.
func (q *query) refuseMissing(name string) {
	q.refuse("The parameter %s is missing; send ?%s=, percent-encoded.", name, name)
}

// userToken returns the token of a user in a parameter, and "" if the query does not have the
// parameter. It refuses an empty token.
func (q *query) userToken(name string) string {
	token := q.token(name)
	if token == nil {
		return ""
	}
	q.refuseEmpty(name)
	return *token
}

// scope returns the tokens that the call is for. The query token=demo selects the token demo. The
// query run=1 selects all tokens that end in ~1. A query with neither parameter selects all tokens.
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

// requiredScope returns the tokens that the call is for. It refuses a query that has neither the
// parameter token nor the parameter run. It also refuses an empty token.
func (q *query) requiredScope() engine.Scope {
	scope := q.scope()
	q.refuseEmpty("token")
	if scope.IsAll() {
		q.refuse("The parameter token is missing; send ?token=, percent-encoded, " +
			"or ?run= for all tokens that end in ~ and the run.")
	}
	return scope
}

// text returns the value of a parameter, and nil if the query does not have the parameter. It
// refuses a parameter that the query has twice.
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

// numberOr returns the whole number in a parameter, which must be from least to most. It returns
// byDefault if the query does not have the parameter.
func (q *query) numberOr(byDefault int, name string, least, most int) int {
	text := q.text(name)
	if text == nil {
		return byDefault
	}
	number, err := strconv.Atoi(*text)
	if err != nil || number < least || number > most {
		q.refuseValue(name, *text, fmt.Sprintf("a whole number from %d to %d", least, most))
		return byDefault
	}
	return number
}

// isTrue reports whether a parameter is true. It is false if the query does not have the parameter.
func (q *query) isTrue(name string) bool {
	flag := q.flag(name)
	return flag != nil && *flag
}

// flag returns a parameter that is true or false, and nil if the query does not have it.
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

// isYAML reports whether the query has format=yaml. Without the parameter the answer is JSON.
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

// durationOr returns the duration in a parameter, from 1ms to 24h. It returns byDefault if the
// query does not have the parameter.
func (q *query) durationOr(byDefault time.Duration, name string) time.Duration {
	text := q.text(name)
	if text == nil {
		return byDefault
	}
	duration, err := time.ParseDuration(*text)
	if err != nil || duration < time.Millisecond || duration > 24*time.Hour {
		q.refuseValue(name, *text, "a duration such as 30s, up to 24h")
		return byDefault
	}
	return duration
}

// refuseValue refuses the value of a parameter. The argument `instead` says what to send.
func (q *query) refuseValue(name, value, instead string) {
	q.refuse("The parameter %s is %q; send %s.", name, words.CutInput(value), instead)
}
