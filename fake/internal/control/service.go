package control

import (
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// getService lists the settings in force.
func getService(c *call) error {
	return c.json(map[string]any{"settings": c.plane.State.InForce().Settings()})
}

// putService lays the settings in a body over those of the server.
func putService(c *call) error {
	err := c.change(func(_ *plan.Snapshot, body []byte) error {
		service, names, err := fixtures.ReadService("body", body)
		if err != nil {
			return err
		}
		places := make(map[string]string)
		for _, name := range names {
			places[name] = "PUT /_fake/service"
		}
		return c.plane.PutService(service, places)
	})
	if err != nil {
		return err
	}
	return getService(c)
}
