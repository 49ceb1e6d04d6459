package compare

import (
	"net/http"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fixtures/protocol"
)

// A question is what the answers to one or two requests tell.
type question string

const (
	askList         question = "list"
	askFromPage     question = "list from a page" // and its preflight
	askWithoutToken question = "without a token"
	askMadeUpToken  question = "made-up token"
	askOtherPath    question = "other path"

	// askCampaigns is no request of its own. It is missing if the list has no campaigns.
	askCampaigns question = "campaigns"
)

// madeUp is part of each token and path that is made up, so that it is found in an answer that
// repeats one.
const madeUp = "campaignfake-made-up"

// A request is sent to both sides.
type request struct {
	asks        question
	method      string
	path        string
	hasToken    bool   // it has the token of the endpoint
	madeUpToken string // it has this token instead
	isFromPage  bool   // it has an Origin, as a page sends it
}

// requests are sent in this order. A refusal is asked for twice, to find what changes between two
// answers. The two have different tokens or paths, so that a part which repeats them changes, too.
var requests = []request{
	{asks: askList, method: "GET", path: protocol.CampaignsPath, hasToken: true},
	{
		asks:       askFromPage,
		method:     "GET",
		path:       protocol.CampaignsPath,
		hasToken:   true,
		isFromPage: true,
	},
	{asks: askWithoutToken, method: "GET", path: protocol.CampaignsPath},
	{asks: askWithoutToken, method: "GET", path: protocol.CampaignsPath},
	{asks: askMadeUpToken, method: "GET", path: protocol.CampaignsPath, madeUpToken: madeUp + "-1"},
	{asks: askMadeUpToken, method: "GET", path: protocol.CampaignsPath, madeUpToken: madeUp + "-2"},
	{asks: askOtherPath, method: "GET", path: "/" + madeUp + "-1", hasToken: true},
	{asks: askOtherPath, method: "GET", path: "/" + madeUp + "-2", hasToken: true},
	{asks: askFromPage, method: "OPTIONS", path: protocol.CampaignsPath, isFromPage: true},
}

// to returns the request as it is sent to an endpoint, from a page of an origin.
func (r request) to(endpoint ask.Endpoint, origin string) *http.Request {
	request := endpoint.Request("compare", r.method, r.path)
	header := request.Header
	switch {
	case r.hasToken:
		header.Set("Authorization", "Bearer "+endpoint.Token)
	case r.madeUpToken != "":
		header.Set("Authorization", "Bearer "+r.madeUpToken)
	}
	if r.isFromPage {
		header.Set("Origin", origin)
	}
	if r.method == http.MethodOptions {
		header.Set("Access-Control-Request-Method", http.MethodGet)
		header.Set("Access-Control-Request-Headers", "authorization")
	}
	return request
}
