package fake

import (
	"errors"
	"net/http"
	"runtime/debug"
	"time"

	"example.com/campaignfake/fixtures"
)

// A health is what /_fake/health answers. That the server is ready is all that it
// says where the control plane is left out.
type health struct {
	Ready    bool      `json:"ready"`
	Version  string    `json:"version,omitempty"`
	BaseURL  string    `json:"base_url,omitempty"` // as the client that asks reaches it
	Fixtures *loaded   `json:"fixtures,omitempty"`
	Reload   *reloaded `json:"reload,omitempty"` // the last; nil if there was none
}

// loaded is what was read at the start, or by the last reload that succeeded.
type loaded struct {
	Users int `json:"users"`
}

// reloaded is what a reload came to.
type reloaded struct {
	At       time.Time          `json:"at"`
	Error    string             `json:"error,omitempty"` // "" if it succeeded
	Mistakes []fixtures.Mistake `json:"mistakes,omitempty"`
}

// getHealth answers that the server is ready, which it is when it can answer.
func getHealth(c *call) {
	answer := health{Ready: true}
	if c.own || c.server.config.control {
		last := c.server.state.lastReload()
		answer.Version, answer.BaseURL, answer.Fixtures = Version(), c.baseURL(), &loaded{len(c.server.state.inForce().users)}
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
	c.json(http.StatusOK, answer)
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

// getService lists the settings in force.
func getService(c *call) {
	if !c.parameters().refused {
		c.json(http.StatusOK, map[string]any{"settings": c.server.Settings()})
	}
}

// stamped is the version that a build from a folder without its history is given by
// the linker, as that of the image: -X example.com/campaignfake/fake.stamped=v1.2.3.
var stamped string

// Version returns the version of this module: what the build was stamped with, or
// what the Go command noted of it, which is (devel) for a work tree. It is "" if
// nobody knows.
func Version() string {
	if stamped != "" {
		return stamped
	}
	const path = "example.com/campaignfake"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	if info.Main.Path == path {
		return info.Main.Version
	}
	for _, module := range info.Deps {
		if module.Path == path {
			return module.Version
		}
	}
	return ""
}
