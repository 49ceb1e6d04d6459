package control

import "net/http"

func getService(c *call) error {
	p := c.plane.InForce()
	return c.json(http.StatusOK, object{"settings": p.Service.Settings(p.Places)})
}
