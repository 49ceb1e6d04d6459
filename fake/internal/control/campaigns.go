package control

import (
	"encoding/json"
	"net/http"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// getCampaigns answers with the body of the normal answer of a token or, if there is
// a limit, with the first campaigns of it. It does not count as a request of the
// token.
func getCampaigns(c *call, token string) error {
	const all = -1
	limit := c.query.number("limit", 0, fixtures.MaxCount, all)
	user := c.plane.State.User(token).User
	switch {
	case c.query.err != nil:
		return c.query.err
	case user == nil:
		return c.noUser(token)
	case limit != all:
		return c.json(firstCampaigns(user, token, limit))
	}
	body, length := user.Answer(token)
	c.Header()["Content-Length"] = length
	return c.send(http.StatusOK, "application/json", body)
}

// firstCampaigns returns the first campaigns of the normal answer, up to a limit that does not
// count the edge cases, and how many are left out. It encodes no others, since there may
// be a million of them.
func firstCampaigns(u *plan.User, token string, limit int) map[string]any {
	few, more := firstOf(u.Given, limit)
	campaigns, _ := u.Shape.AppendCampaigns(nil, token, few) // cannot fail: they have been checked
	return map[string]any{"campaigns": json.RawMessage(campaigns), "more": more}
}

// firstOf returns a user with the first campaigns of another alone, up to a limit that
// does not count the edge cases, and how many are left out.
func firstOf(u fixtures.User, limit int) (few fixtures.User, more int) {
	few.Campaigns = u.Campaigns[:min(len(u.Campaigns), limit)]
	more = len(u.Campaigns) - len(few.Campaigns)
	if g := u.Generate; g != nil {
		fewer := *g
		fewer.Count = min(g.Count, limit)
		few.Generate, more = &fewer, g.Count-fewer.Count
	}
	return few, more
}
