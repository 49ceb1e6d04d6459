package observe

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// A Question is one request.
type Question struct {
	// Name describes in a few words what is asked.
	Name string

	Method string
	Path   string // under the base URL
	Query  string // with its question mark
	Header map[string]string

	token    string // itsToken, unknownToken, or "" for none
	setting  string // what is not asked if that is skipped, "" if it is always asked
	confirms string // the name of the question that is asked once more, "" if it is a new one
}

const (
	// itsToken stands for the token of the service where a question is shown.
	itsToken = "<the token>"

	// unknownToken is sent as a token that no service knows. It explains itself to whoever
	// reads the log of the service.
	unknownToken = "campaignfake-compare-sends-an-unknown-token"
)

// The origins of which a service is asked whether their pages may read answers. No
// page has the first one.
const (
	madeUpOrigin = "https://campaignfake-compare.invalid"
	localOrigin  = "http://localhost:5173"
)

const (
	list        = "user/campaigns"
	nothingHere = "campaignfake-probe"
)

var asJSON = map[string]string{"Accept": "application/json"}

// What is asked.
var (
	askList  = Question{Name: "the list", Method: "GET", Path: list, Header: asJSON, token: itsToken}
	askAgain = Question{Name: "the list, as a browser", Method: "GET", Path: list, token: itsToken, Header: map[string]string{
		"Accept": "application/json", "Origin": madeUpOrigin, "Accept-Encoding": "gzip",
	}}
	askNoToken = Question{Name: "without a token", Method: "GET", Path: list, Header: asJSON, setting: "responses.missing_token"}
	askPlainly = Question{Name: "without a token, and without Accept", Method: "GET", Path: list, setting: "responses.missing_token"}
	askUnknown = Question{Name: "with a made-up token", Method: "GET", Path: list, Header: asJSON, token: unknownToken, setting: "responses.invalid_token"}
	askNothing = Question{Name: "another path", Method: "GET", Path: nothingHere, Header: asJSON, token: itsToken, setting: "responses.not_found"}
	askHead    = Question{Name: "HEAD", Method: "HEAD", Path: list, Header: asJSON, token: itsToken, setting: "head"}
	askBrowser = Question{Name: "a browser's preflight", Method: "OPTIONS", Path: list, setting: "cors", Header: map[string]string{
		"Origin": localOrigin, "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization",
	}}
	askQuery = Question{
		Name: "with a query", Method: "GET", Path: list, Query: "?page=2&per_page=1&limit=1", Header: asJSON, token: itsToken, setting: "query",
	}
)

// Questions that are not answered with campaigns, and the names of their answers.
var refusals = []struct {
	name     string
	question Question
}{{"missing_token", askNoToken}, {"invalid_token", askUnknown}, {"not_found", askNothing}}

// confirm returns a question that is asked once more.
func (q Question) confirm() Question {
	q.confirms = q.Name
	q.Name += ", once more"
	return q
}

// Questions returns what is asked at most, in its order, save what is skipped. What a
// service answers can make some of them needless. An origin is one whose pages should
// read answers.
func Questions(skip []string, origin string) []Question {
	all := []Question{askList, askAgain, askNoToken, askPlainly, askUnknown, askNothing, askHead, askBrowser, askQuery}
	for _, r := range refusals {
		all = append(all, r.question.confirm())
	}
	fromPage := []string{askList.Name, askNoToken.Name, askNoToken.confirm().Name, askBrowser.Name}
	for i, q := range all {
		if origin != "" && slices.Contains(fromPage, q.Name) {
			all[i].Header = maps.Clone(q.Header)
			all[i].Header["Origin"] = origin
		}
	}
	return slices.DeleteFunc(all, func(q Question) bool { return q.setting != "" && Skipped(q.setting, skip) })
}

// Skipped reports whether a setting is left out, by its name, or by what it is a part of.
// The responses can be named without the word responses.
func Skipped(setting string, skip []string) bool {
	return slices.ContainsFunc(skip, func(name string) bool {
		return isUnder(setting, name) || isUnder(strings.TrimPrefix(setting, "responses."), name)
	})
}

// isUnder reports whether a path is another one, or below it.
func isUnder(path, parent string) bool {
	rest, ok := strings.CutPrefix(path, parent)
	return ok && (rest == "" || rest[0] == '.' || strings.HasPrefix(rest, "[]"))
}

// Line returns the request to a base URL as it is sent, without a token.
func (q *Question) Line(base *url.URL) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s%s", q.Method, base.JoinPath(q.Path), q.Query)
	for _, name := range slices.Sorted(maps.Keys(q.Header)) {
		fmt.Fprintf(&b, "  %s: %s", name, q.Header[name])
	}
	if q.token != "" {
		b.WriteString("  Authorization: Bearer " + q.token)
	}
	return b.String()
}
