package control

import (
	"net/http"

	"example.com/campaignfake/fake/internal/report"
)

// getUnplayed lists the replies that a test gave a finite number of times, and that have
// not been played so often.
func getUnplayed(c *call, p tokenFilter) error {
	unplayed := []report.Unplayed{}
	for _, reply := range c.engine.Unplayed() {
		if p.token == nil || reply.Token == *p.token {
			unplayed = append(unplayed, reply)
		}
	}
	return c.sendJSON(http.StatusOK, object{"unplayed": unplayed})
}
