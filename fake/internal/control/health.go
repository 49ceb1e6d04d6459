package control

import (
	"errors"
	"time"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// A Health is the answer of /_fake/health. If the control plane is off, it says only
// that the server is ready.
type Health struct {
	Ready    bool      `json:"ready"`
	Version  string    `json:"version,omitempty"`
	BaseURL  string    `json:"base_url,omitempty"` // at which the client of the call reaches it
	Fixtures *Loaded   `json:"fixtures,omitempty"`
	Reload   *Reloaded `json:"reload,omitempty"` // the last one; nil if there was none
}

// Loaded describes what was read at the start, or by the last successful reload.
type Loaded struct {
	Users int `json:"users"`
}

// Reloaded is the result of a reload.
type Reloaded struct {
	At       time.Time          `json:"at"`
	Error    string             `json:"error,omitempty"` // in the fixtures; "" if they are served
	Mistakes []fixtures.Mistake `json:"mistakes,omitempty"`
}

// getHealth answers that the server is ready: it is, if it can answer.
func getHealth(c *call) error {
	if !c.plane.Config.Control {
		return c.json(Health{Ready: true})
	}
	answer := Health{
		Ready: true, Version: words.Version(), BaseURL: c.baseURL(),
		Fixtures: &Loaded{Users: len(c.plane.InForce().Users)},
	}
	if last := c.plane.LastReload(); !last.At.IsZero() {
		answer.Reload = &Reloaded{At: last.At}
		if last.Err != nil {
			answer.Reload.Error = last.Err.Error()
		}
		if mistakes := (*fixtures.Mistakes)(nil); errors.As(last.Err, &mistakes) {
			answer.Reload.Mistakes = listedMistakes(mistakes.List)
		}
	}
	return c.json(answer)
}
