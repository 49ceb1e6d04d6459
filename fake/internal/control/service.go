package control

import "net/http"

// getService lists the settings that are in force.
func getService(c *call, _ nothing) error {
	snapshot := c.engine.InForce()
	settings := snapshot.Service.Settings(snapshot.Places)
	return c.sendJSON(http.StatusOK, object{"settings": settings})
}
