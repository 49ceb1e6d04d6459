package control

import (
	"fmt"
	"net/http"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// getReplies lists the replies of a token that wait to be played.
func getReplies(c *call, p oneToken) error {
	status := c.engine.User(p.token)
	if !status.Known {
		return c.engine.NoUser(p.token)
	}
	return c.sendJSON(http.StatusOK, object{"replies": status.Waiting})
}

// postReplies enqueues the replies in the body. It answers with the number of older replies in the
// queue that are played before the new replies.
func postReplies(c *call, p oneToken) error {
	before, err := c.enqueueFromBody(p.token)
	if err != nil {
		return err
	}
	return c.sendJSON(http.StatusOK, object{"before": before})
}

// enqueueFromBody enqueues the replies in the body of the call. It returns how many older replies
// are played before them.
func (c *call) enqueueFromBody(token string) (before int, err error) {
	body, err := c.readBody()
	if err != nil {
		return 0, err
	}
	snapshot := c.engine.InForce()
	replies, err := c.parseReplies(snapshot.Service, body)
	if err != nil {
		return 0, err
	}
	return c.engine.PutReplies(token, snapshot.NewQueue(token, replies, plan.DoorHTTP))
}

func (c *call) parseReplies(service *fixtures.Service, body []byte) ([]fixtures.Reply, error) {
	c.engine.Parsing.Lock()
	defer c.engine.Parsing.Unlock()
	return service.ReadReplies("body", body)
}

// deleteReplies drops the replies that were enqueued for a token.
func deleteReplies(c *call, p oneToken) error {
	if err := c.engine.DropReplies(p.token); err != nil {
		return err
	}
	return c.sendNothing(http.StatusNoContent)
}

// A released is the answer to a release.
type released struct {
	Released int    `json:"released"`         // how many held requests were released
	Advice   string `json:"advice,omitempty"` // "" unless the release came too early
}

// postRelease releases the held requests of some tokens: the server now answers requests whose
// delay is "until released".
func postRelease(c *call, p tokens) error {
	release := c.engine.Release(p.scope)
	answer := released{Released: release.Requests}
	if release.IsEarly {
		await := c.engine.Count(p.scope).Arrived + 1
		answer.Advice = fmt.Sprintf("No request is held, but the next one will be, and stay so. "+
			"Before you release it, wait until it has arrived: GET /_fake/requests?%s&await=%d.",
			c.r.URL.RawQuery, await)
	}
	return c.sendJSON(http.StatusOK, answer)
}
