package observe

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
)

// askCORS finds out whether pages of the origin may read the campaigns. It sends a preflight and a
// request, and judges the answers as a browser does.
func (o *Observation) askCORS(ctx context.Context) {
	get := o.subject.Request(http.MethodGet, protocol.CampaignsPath, o.subject.Token)
	get.Header.Set("Origin", o.subject.Origin)
	preflight := o.subject.Request(http.MethodOptions, protocol.CampaignsPath, "")
	preflight.Header.Set("Origin", o.subject.Origin)
	preflight.Header.Set("Access-Control-Request-Method", http.MethodGet)
	preflight.Header.Set("Access-Control-Request-Headers", "authorization")
	allowed := o.send(ctx, preflight)
	list := o.send(ctx, get)
	missing := cmp.Or(allowed.Missing, list.Missing)
	if missing != "" {
		o.unseen["cors"] = missing
		return
	}
	headers := strings.ToLower(allowed.Header.Get("Access-Control-Allow-Headers"))
	mayAsk := allowed.Status/100 == 2 && o.allowsOrigin(allowed) &&
		strings.Contains(headers, "authorization")
	cors := fixtures.CORSOff
	if mayAsk && o.allowsOrigin(list) {
		cors = o.subject.Origin
	}
	o.settings["cors"] = []string{cors}
}

func (o *Observation) allowsOrigin(a ask.Answer) bool {
	allowed := a.Header.Get("Access-Control-Allow-Origin")
	return allowed == "*" || allowed == o.subject.Origin
}
