package control

// getService lists the settings in force.
func getService(c *call) error {
	p := c.plane.InForce()
	return c.json(map[string]any{"settings": p.Service.Settings(p.Places)})
}
