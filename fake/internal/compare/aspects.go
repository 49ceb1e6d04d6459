package compare

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fixtures"
)

// An aspect is one thing in which a fake is true or not.
type aspect struct {
	name     string
	asks     question // has to be answered
	conclude func(*observation) conclusion
	setting  string // the name of its setting; "" if that is the name of the aspect
}

// A conclusion is what one side does. If its text is empty, there was nothing to conclude
// from, or another aspect says it.
type conclusion struct {
	text        string
	isNote      bool             // a difference fails nothing
	leftOut     []omission       // what is not in the text
	hasSettings bool             // settings can say it
	settings    fixtures.Service // the settings that say it; the zero ones if the defaults do
}

// corsAspect is compared if the page of an origin asks.
const corsAspect = "cors"

// aspects are judged and listed in this order. An aspect has the name of its setting.
var aspects = []aspect{
	{name: "success.status", asks: askList, conclude: concludeSuccessStatus},
	{name: "success.headers", asks: askList, conclude: concludeSuccessHeaders},
	{name: "answer", asks: askList, conclude: concludeAnswer},
	{name: "types", asks: askCampaigns, conclude: concludeTypes},
	{name: "ids", asks: askCampaigns, conclude: concludeIDs},
	{name: "timestamps", asks: askCampaigns, conclude: concludeTimestamps},
	{name: "statuses", asks: askCampaigns, conclude: concludeStatuses},
	{name: "extra", asks: askCampaigns, conclude: concludeExtra},
	{name: "omit", asks: askCampaigns, conclude: concludeOmit},
	{name: "null", asks: askCampaigns, conclude: concludeNull, setting: "extra"},
	{name: "order", asks: askCampaigns, conclude: concludeOrder},
	refusalAspect("responses.missing_token.status", askWithoutToken, refusal.concludeStatus),
	refusalAspect("responses.missing_token.headers", askWithoutToken, refusal.concludeHeaders),
	refusalAspect("responses.missing_token.body", askWithoutToken, refusal.concludeBody),
	{name: "unknown_tokens", asks: askMadeUpToken, conclude: concludeUnknownTokens},
	refusalAspect("responses.invalid_token.status", askMadeUpToken, refusal.concludeStatus),
	refusalAspect("responses.invalid_token.headers", askMadeUpToken, refusal.concludeHeaders),
	refusalAspect("responses.invalid_token.body", askMadeUpToken, refusal.concludeBody),
	refusalAspect("responses.not_found.status", askOtherPath, refusal.concludeStatus),
	refusalAspect("responses.not_found.headers", askOtherPath, refusal.concludeHeaders),
	refusalAspect("responses.not_found.body", askOtherPath, refusal.concludeBody),
	{name: corsAspect, asks: askFromPage, conclude: concludeCORS},
}

// refusalAspect returns an aspect of what the answers to a refused request have in common.
func refusalAspect(name string, asks question, conclude func(refusal) conclusion) aspect {
	return aspect{name: name, asks: asks, conclude: func(o *observation) conclusion {
		return conclude(o.refusals[asks])
	}}
}

func concludeSuccessStatus(o *observation) conclusion {
	status := o.answers[askList][0].Status
	return conclusion{
		text:        fmt.Sprint(status),
		hasSettings: true,
		settings:    fixtures.Service{Success: fixtures.Response{Status: status}},
	}
}

func concludeSuccessHeaders(o *observation) conclusion {
	headers := make(http.Header)
	contentType := o.answers[askList][0].Header.Get("Content-Type")
	if contentType != "" {
		headers.Set("Content-Type", contentType)
	}
	return conclusion{
		text:        headersText(headers),
		hasSettings: true,
		settings:    fixtures.Service{Success: fixtures.Response{Headers: headers}},
	}
}

// concludeAnswer says which keys the object has. The document has campaigns alone.
func concludeAnswer(o *observation) conclusion {
	return conclusion{text: "an object of " + strings.Join(o.keys, ", ")}
}

// mostStatuses is how many values of status a service can have. More values may be texts of
// customers.
const mostStatuses = 50

// concludeStatuses says which values of status the settings do not list. A service need not show
// all values that they list.
func concludeStatuses(o *observation) conclusion {
	seen := o.texts("status")
	slices.Sort(seen)
	seen = slices.Compact(seen)
	listed := o.inForce.Statuses
	others := slices.DeleteFunc(slices.Clone(seen), func(status string) bool {
		return slices.Contains(listed, status)
	})
	switch {
	case len(seen) == 0:
		return conclusion{}
	case len(others) == 0:
		return conclusion{text: "those of " + strings.Join(listed, ", ")}
	case len(seen) > mostStatuses:
		return conclusion{text: fmt.Sprintf("%d different ones", len(seen))}
	}
	all := seen
	isChosen := !slices.Equal(listed, fixtures.DefaultService().Statuses)
	if isChosen { // somebody knows them, though they were not seen
		all = append(slices.Clone(listed), others...)
	}
	return conclusion{
		text:        "also " + strings.Join(others, ", "),
		hasSettings: true,
		settings:    fixtures.Service{Statuses: all},
	}
}

// concludeOrder says how the list is sorted. Fewer than eight campaigns may be sorted by chance.
func concludeOrder(o *observation) conclusion {
	c := conclusion{text: "none that is seen", isNote: true}
	for _, name := range []string{"name", "updated_at", "created_at"} {
		values := o.texts(name)
		isInAll := len(values) == len(o.campaigns)
		if len(values) < 8 || !isInAll || slices.Min(values) == slices.Max(values) {
			continue
		}
		if slices.IsSorted(values) {
			c.text = "by " + name
		}
		slices.Reverse(values)
		if slices.IsSorted(values) {
			c.text = "by " + name + ", the last first"
		}
	}
	return c
}

// concludeUnknownTokens says whether tokens that are made up are accepted. If the fake does not
// reject them, a setting says so, and nothing is concluded.
func concludeUnknownTokens(o *observation) conclusion {
	if o.inForce.UnknownTokens != fixtures.UnknownTokensReject {
		return conclusion{}
	}
	if !o.refusals[askMadeUpToken].isAccepted {
		return conclusion{text: "are refused", hasSettings: true}
	}
	return conclusion{
		text:        "are accepted",
		hasSettings: true,
		settings:    fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate},
	}
}

// concludeCORS says whether pages of the origin may read the campaigns, as browsers judge it.
func concludeCORS(o *observation) conclusion {
	list := o.answers[askFromPage][0]
	preflight := o.answers[askFromPage][1]
	allowed := strings.ToLower(preflight.Header.Get("Access-Control-Allow-Headers"))
	mayAsk := preflight.Status/100 == 2 && o.allowsOrigin(preflight) &&
		strings.Contains(allowed, "authorization")
	if mayAsk && o.allowsOrigin(list) {
		return conclusion{
			text:        "pages of " + o.origin + " may read it",
			hasSettings: true,
			settings:    fixtures.Service{CORS: []string{o.origin}},
		}
	}
	return conclusion{
		text:        "pages of " + o.origin + " may not read it",
		hasSettings: true,
		settings:    fixtures.Service{CORS: []string{fixtures.CORSOff}},
	}
}

func (o *observation) allowsOrigin(a ask.ServiceAnswer) bool {
	allowed := a.Header.Get("Access-Control-Allow-Origin")
	return allowed == "*" || allowed == o.origin
}
