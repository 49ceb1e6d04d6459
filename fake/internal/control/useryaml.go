package control

import (
	"bytes"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fixtures"
)

// The formats in which the user of a token is sent.
const (
	formatJSON = "json"
	formatYAML = "yaml"
)

// sendUserYAML answers with the user of a token, as a file of fixtures.
func (c *call) sendUserYAML(token string) error {
	status := c.engine.User(token)
	if !status.Known {
		return engine.ErrNoUser
	}
	if err := c.awaitPlace(); err != nil {
		return err
	}
	defer c.leavePlace()
	file, err := c.userYAML(token, ownUser(status))
	if err != nil {
		return err
	}
	return c.sendInTime("application/yaml", file)
}

// userYAML returns a file of fixtures that has one user. One call at a time writes such a file,
// and reads a body: both take many times the size of the user in memory.
func (c *call) userYAML(token string, user fixtures.User) ([]byte, error) {
	if err := c.engine.ParseLock.Enter(c.r.Context()); err != nil {
		return nil, err
	}
	defer c.engine.ParseLock.Leave()
	set := fixtures.Set{Users: map[string]fixtures.User{token: user}}
	var file bytes.Buffer
	err := set.WriteYAML(&file)
	return file.Bytes(), err
}
