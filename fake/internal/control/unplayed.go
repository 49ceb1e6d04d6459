package control

import (
	"slices"

	"example.com/campaignfake/fake/internal/api"
)

// getUnplayed lists the replies that a test gave a finite number of times, and that have
// not been played so often.
func getUnplayed(c *call) error {
	token, since := c.query.token(), c.query.number("since_version", 0, maxNumber, 0)
	if c.query.err != nil {
		return c.query.err
	}
	return c.jsonOf(func() any {
		list := slices.DeleteFunc(c.plane.State.Unplayed(), func(u api.Unplayed) bool {
			return u.Version <= since || token != nil && u.Token != *token
		})
		return map[string]any{"unplayed": list}
	})
}
