package fake

import (
	"errors"
	"runtime/debug"
	"time"

	"example.com/campaignfake/fixtures"
)

// A health is the answer of /_fake/health. If the control plane is off, it says only
// that the server is ready.
type health struct {
	Ready    bool      `json:"ready"`
	Version  string    `json:"version,omitempty"`
	BaseURL  string    `json:"base_url,omitempty"` // at which the client of the call reaches it
	Fixtures *loaded   `json:"fixtures,omitempty"`
	Reload   *reloaded `json:"reload,omitempty"` // the last one; nil if there was none
	Limits   *Limits   `json:"limits,omitempty"`
}

// loaded describes what was read at the start, or by the last successful reload.
type loaded struct {
	Users int `json:"users"`
}

// reloaded is the result of a reload.
type reloaded struct {
	At       time.Time          `json:"at"`
	Error    string             `json:"error,omitempty"` // "" if it succeeded
	Mistakes []fixtures.Mistake `json:"mistakes,omitempty"`
}

// getHealth answers that the server is ready: it is, if it can answer.
func getHealth(c *call) {
	answer := health{Ready: true}
	if c.own || c.server.config.control {
		last := c.server.state.lastReload()
		answer.Version, answer.BaseURL, answer.Fixtures = Version(), c.baseURL(), &loaded{len(c.server.state.inForce().users)}
		answer.Limits = &c.server.config.limits
		if !last.at.IsZero() {
			answer.Reload = &reloaded{At: last.at}
			if last.err != nil {
				answer.Reload.Error = last.err.Error()
			}
			if mistakes := (*fixtures.Mistakes)(nil); errors.As(last.err, &mistakes) {
				answer.Reload.Mistakes = mistakes.List
			}
		}
	}
	c.json(answer)
}

// postReload reads the fixtures again.
func postReload(c *call) {
	if c.parameters().refused {
		return
	}
	if err := c.server.reload(); err != nil {
		c.refuseBody(err)
		return
	}
	getHealth(c)
}

// stamped is a version that the linker sets, for builds without a Git history, such as
// that of the image: -X example.com/campaignfake/fake.stamped=v1.2.3.
var stamped string

// Version returns the version of this module: the one that the linker set, or else the
// one in the build information, which is (devel) for a working tree. It is "" if
// neither is known. It is what the command says of itself.
func Version() string {
	if stamped != "" {
		return stamped
	}
	const path = "example.com/campaignfake"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, module := range append(info.Deps, &info.Main) {
		if module.Path == path {
			return module.Version
		}
	}
	return ""
}
