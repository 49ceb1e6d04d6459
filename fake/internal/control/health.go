package control

import (
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/hosts"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// A healthReport is the answer of /_fake/health. If the control plane is off, the answer has only
// Ready. The same is true if the host of the call may not use the control plane: a page of another
// site may have sent the call.
type healthReport struct {
	Ready   bool    `json:"ready"`
	Version string  `json:"version,omitempty"`
	BaseURL string  `json:"base_url,omitempty"` // the URL that the client of the call can use
	Reload  *reload `json:"reload,omitempty"`   // the last reload; nil before the first
}

// A reload is an attempt to read the fixtures again.
type reload struct {
	At       time.Time          `json:"at"`
	Error    string             `json:"error,omitempty"`
	Mistakes []fixtures.Mistake `json:"mistakes,omitzero"` // nil if the reload succeeded
}

// getHealth answers that the server is ready. A server that can answer is ready.
func getHealth(c *call) error {
	isForeign := hosts.Refuse(c.r, c.engine.Config.Hosts) != ""
	if isForeign || !c.engine.Config.Control {
		return c.sendJSON(http.StatusOK, healthReport{Ready: true})
	}
	return c.sendJSON(http.StatusOK, healthReport{
		Ready:   true,
		Version: words.Version(),
		BaseURL: c.baseURL(),
		Reload:  c.lastReload(),
	})
}

func (c *call) lastReload() *reload {
	last := c.engine.LastReload()
	if last.At.IsZero() {
		return nil
	}
	if last.Err == nil {
		return &reload{At: last.At}
	}
	mistakes, _ := mistakesOf(last.Err)
	return &reload{
		At:       last.At,
		Error:    last.Err.Error(),
		Mistakes: mistakes,
	}
}
