package control

import "net/http"

// getUnplayed lists the replies that a test gave a finite number of times, and that have been
// played fewer times.
func getUnplayed(c *call, p tokens) error {
	return c.sendJSON(http.StatusOK, object{"unplayed": c.engine.Unplayed(p.scope)})
}
