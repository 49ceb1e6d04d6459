package control

import (
	"errors"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// A Health is the answer of /_fake/health. If the control plane is off, it says only
// that the server is ready.
type Health struct {
	Ready   bool      `json:"ready"`
	Version string    `json:"version,omitempty"`
	BaseURL string    `json:"base_url,omitempty"` // at which the client of the call reaches it
	Reload  *Reloaded `json:"reload,omitempty"`   // the last one; nil if there was none
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
		return c.json(http.StatusOK, Health{Ready: true})
	}
	answer := Health{Ready: true, Version: words.Version(), BaseURL: c.baseURL()}
	if last := c.plane.LastReload(); !last.At.IsZero() {
		answer.Reload = &Reloaded{At: last.At}
		if last.Err != nil {
			answer.Reload.Error = last.Err.Error()
		}
		if mistakes := (*fixtures.Mistakes)(nil); errors.As(last.Err, &mistakes) {
			answer.Reload.Mistakes = listedMistakes(mistakes.List)
		}
	}
	return c.json(http.StatusOK, answer)
}
