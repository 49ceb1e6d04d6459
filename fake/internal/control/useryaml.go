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
	return c.sendLarge("application/yaml", func() ([]byte, error) {
		return userYAML(token, ownUser(status))
	})
}

// userYAML returns a file of fixtures that has one user.
func userYAML(token string, user fixtures.User) ([]byte, error) {
	set := fixtures.Set{Users: map[string]fixtures.User{token: user}}
	var file bytes.Buffer
	err := set.WriteYAML(&file)
	return file.Bytes(), err
}
