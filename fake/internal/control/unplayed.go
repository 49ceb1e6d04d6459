package control

import "net/http"

// getUnplayed lists replies that were played fewer times than their times say. It leaves out
// replies from files, and replies that are always played.
func getUnplayed(c *call, p tokens) error {
	return c.sendJSON(http.StatusOK, object{"unplayed": c.engine.Unplayed(p.scope)})
}
