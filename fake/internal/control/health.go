package control

import (
	"errors"

	"example.com/campaignfake/fake/internal/api"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// getHealth answers that the server is ready: it is, if it can answer.
func getHealth(c *call) error {
	if !c.plane.Config.Control {
		return c.json(api.Health{Ready: true})
	}
	answer := api.Health{
		Ready: true, Version: words.Version(), BaseURL: c.baseURL(),
		Fixtures: &api.Loaded{Users: len(c.plane.State.InForce().Users)},
	}
	if last := c.plane.State.LastReload(); !last.At.IsZero() {
		answer.Reload = &api.Reloaded{At: last.At}
		if last.Err != nil {
			answer.Reload.Error = last.Err.Error()
		}
		if mistakes := (*fixtures.Mistakes)(nil); errors.As(last.Err, &mistakes) {
			answer.Reload.Mistakes = api.Listed(mistakes.List)
		}
	}
	return c.json(answer)
}
