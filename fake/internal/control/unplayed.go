package control

import "net/http"

// getUnplayed lists the replies that were played less often than the key times of the reply
// demands. It leaves out replies from files of fixtures, and replies with times: always.
func getUnplayed(c *call, p tokens) error {
	return c.sendJSON(http.StatusOK, object{"unplayed": c.engine.Unplayed(p.scope)})
}
