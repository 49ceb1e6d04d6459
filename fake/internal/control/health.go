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
	Reload  object `json:"reload,omitempty"`   // the last one: when, and what is wrong if it has failed
}

// getHealth answers that the server is ready: it is, if it can answer.
func getHealth(c *call) error {
	if !c.plane.Config.Control {
		return c.json(http.StatusOK, Health{Ready: true})
	}
	answer := Health{Ready: true, Version: words.Version(), BaseURL: c.baseURL()}
	if last := c.plane.LastReload(); last.Err != nil {
		mistakes, _ := mistakesOf(last.Err)
		answer.Reload = object{"at": last.At, "error": last.Err.Error(), "mistakes": mistakes}
	} else if !last.At.IsZero() {
		answer.Reload = object{"at": last.At}
	}
	return c.json(http.StatusOK, answer)
}
