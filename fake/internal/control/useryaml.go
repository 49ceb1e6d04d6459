package control

import (
	"bytes"
	"fmt"
	"net/http"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

const (
	formatJSON = "json"
	formatYAML = "yaml"
)

// sendUserYAML answers with the user of a token as a file of fixtures.
func (c *call) sendUserYAML(token string) error {
	status := c.engine.User(token)
	if !status.Known {
		return c.engine.NoUser(token)
	}
	set := fixtures.Set{Users: map[string]fixtures.User{token: status.User.Fixture}}
	var file bytes.Buffer
	source := status.User.Token // "" for the user of unknown tokens
	if source != "" && text.WithoutRuns(source) != text.WithoutRuns(token) {
		fmt.Fprintf(&file, "# A copy of the user %s. "+
			"What is generated differs here, since it depends on the token.\n", source)
	}
	if err := set.WriteYAML(&file); err != nil {
		return err
	}
	return c.send(http.StatusOK, "application/yaml", file.Bytes())
}
