package fake

import (
	"encoding/json"
	"net/http"

	"example.com/campaignfake/fixtures"
)

// getCampaigns answers with the body of the normal answer of a token or, if there is
// a limit, with the first campaigns of it. It does not count as a request of the
// token.
func getCampaigns(c *call) {
	p := c.parameters("token", "limit")
	const all = -1
	token, limit := p.requiredToken(), p.number("limit", 0, fixtures.MaxCount, all)
	user := c.server.state.user(token).user
	switch {
	case p.refused:
	case user == nil:
		c.refuseNoUser(token)
	case limit != all:
		c.jsonOf(func() any { return user.first(token, limit) })
	default:
		body, length := user.answer(token)
		c.uncached("application/json")
		c.Header()["Content-Length"] = length
		c.WriteHeader(http.StatusOK)
		if c.r.Method != http.MethodHead {
			c.Write(body)
		}
	}
}

// first returns the first campaigns of the normal answer, up to a limit that does not
// count the edge cases, and how many are left out. It encodes no others, since there may
// be a million of them.
func (u *user) first(token string, limit int) map[string]any {
	few, more := firstOf(u.given, limit)
	service := *u.service
	service.Envelope, service.Beside = "none", nil
	campaigns, _ := service.AppendJSON(nil, token, few) // cannot fail: newUser has encoded them
	return map[string]any{"campaigns": json.RawMessage(campaigns), "more": more}
}

// firstOf returns a user with the first campaigns of another alone, up to a limit that
// does not count the edge cases, and how many are left out.
func firstOf(u User, limit int) (few User, more int) {
	few.Campaigns = u.Campaigns
	if more = len(few.Campaigns) - limit; more > 0 {
		few.Campaigns = few.Campaigns[:limit]
	}
	if g := u.Generate; g != nil {
		fewer := *g
		fewer.Count = min(g.Count, limit)
		few.Generate, more = &fewer, g.Count-fewer.Count
	}
	return few, max(more, 0)
}
