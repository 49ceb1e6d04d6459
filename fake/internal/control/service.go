package control

// getService lists the settings in force.
func getService(c *call) error {
	return c.json(map[string]any{"settings": c.plane.InForce().Settings()})
}
