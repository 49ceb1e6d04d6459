package control

import (
	"net/http"

	"example.com/campaignfake/fake/internal/words"
)

// A Health is the answer of /_fake/health. If the control plane is off, it says only
// that the server is ready.
type Health struct {
	Ready   bool   `json:"ready"`
	Version string `json:"version,omitempty"`
	BaseURL string `json:"base_url,omitempty"` // at which the client of the call reaches it
	Reload  object `json:"reload,omitempty"`   // the last one: at, and error and mistakes if the fixtures are not served
}

// getHealth answers that the server is ready: it is, if it can answer.
func getHealth(c *call) error {
	if !c.plane.Config.Control {
		return c.json(http.StatusOK, Health{Ready: true})
	}
	answer := Health{Ready: true, Version: words.Version(), BaseURL: c.baseURL()}
	if last := c.plane.LastReload(); !last.At.IsZero() {
		answer.Reload = object{"at": last.At}
		if last.Err != nil {
			answer.Reload["error"], answer.Reload["mistakes"] = last.Err.Error(), listedMistakes(last.Err)
		}
	}
	return c.json(http.StatusOK, answer)
}
