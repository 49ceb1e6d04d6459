package control

import "net/http"

// getUnplayed lists the replies that a test gave, and that were played less often than the test
// said. It leaves out replies that are always played.
func getUnplayed(c *call, p tokens) error {
	return c.sendJSON(http.StatusOK, object{"unplayed": c.engine.Unplayed(p.scope)})
}
