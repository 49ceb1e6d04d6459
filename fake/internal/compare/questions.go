package compare

import (
	"cmp"
	"net/http"
	"strings"
)

const campaignsPath = "/user/campaigns"

// A question is sent once with each of its tokens.
type question struct {
	name     string
	method   string
	path     string
	tokens   []string // "" is none
	fromPage bool     // with an Origin, as a page sends it
}

const (
	theToken = "(the token of the sight)"

	// madeUp is in all that is made up, so that an answer which repeats it is found.
	madeUp = "campaignfake-made-up"
)

// The names of the questions, and one for a list that has campaigns.
const (
	askList         = "list"
	askCampaigns    = "campaigns"
	askFromPage     = "list for a page"
	askWithoutToken = "no token"
	askMadeUpToken  = "made-up token"
	askOtherPath    = "other path"
	askPreflight    = "preflight"
)

// questions are asked in this order. The made-up tokens differ, so that answers which
// repeat them differ, too.
var questions = []question{
	{name: askList, method: "GET", path: campaignsPath, tokens: []string{theToken}},
	{name: askFromPage, method: "GET", path: campaignsPath, tokens: []string{theToken}, fromPage: true},
	{name: askWithoutToken, method: "GET", path: campaignsPath, tokens: []string{"", ""}},
	{name: askMadeUpToken, method: "GET", path: campaignsPath, tokens: []string{madeUp + "-1", madeUp + "-2"}},
	{name: askOtherPath, method: "GET", path: "/" + madeUp, tokens: []string{theToken}},
	{name: askPreflight, method: "OPTIONS", path: campaignsPath, tokens: []string{""}, fromPage: true},
}

// request returns the request of a question.
func (s *Sight) request(q question, token string) *http.Request {
	if token == theToken {
		token = s.Token
	}
	header := http.Header{"Accept": {"application/json"}, "User-Agent": {"campaignfake-compare"}}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	if q.fromPage {
		header.Set("Origin", cmp.Or(s.Origin, "http://localhost:5173")) // is not judged if no origin is given
	}
	if q.method == http.MethodOptions {
		header.Set("Access-Control-Request-Method", http.MethodGet)
		header.Set("Access-Control-Request-Headers", "authorization")
	}
	to := *s.Base
	to.Path = strings.TrimSuffix(to.Path, "/") + q.path
	return &http.Request{Method: q.method, URL: &to, Header: header}
}
