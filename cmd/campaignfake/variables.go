package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
)

const variablePrefix = "CAMPAIGNFAKE_"

// resolve returns the value of a flag that the line does not give, or nil: a client in
// the container of a server takes what the server was started with, and else the variable
// counts. Compose files pass on what they were not given as empty variables, so that these
// count as not set. The parser would read variables by itself, but of this process alone.
func (c *call) resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if len(flag.Envs) == 0 { // as --help has none
		return nil, nil
	}
	value, place := c.getenv(flag.Envs[0]), flag.Envs[0]
	if c.command == "health" || c.command == "requests" {
		for i, arg := range c.neighbour {
			if name, text, found := strings.Cut(arg, "="); name == "--"+flag.Name {
				if !found && i+1 < len(c.neighbour) {
					text = c.neighbour[i+1]
				}
				value, place = text, name
			}
		}
	}
	if value == "" {
		return nil, nil
	}
	c.places[setting(flag.Name)] = place
	return value, nil
}

// unknownVariable returns an error if a variable has our prefix and belongs to no flag: it
// is misspelt, and would have no effect. The message leaves out the value, which may be
// a secret.
func (c *call) unknownVariable() error {
	for _, variable := range c.environ {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, variablePrefix) && !c.variables[name] && !injected.MatchString(variable) {
			return fmt.Errorf("the variable %s belongs to no flag; the help of each command names those of its flags", name)
		}
	}
	return nil
}

// injected matches what Kubernetes sets for a service whose name begins with campaignfake.
var injected = regexp.MustCompile(`^\w+_(SERVICE_HOST=|SERVICE_PORT(_\w+)?=|PORT_\d+_\w+=|PORT=\w+://)`)
