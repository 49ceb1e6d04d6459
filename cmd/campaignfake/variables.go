package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
)

const variablePrefix = "CAMPAIGNFAKE_"

// resolve returns the value of a flag that the line does not give: that of its variable, or
// nil. Compose files pass on what they were not given as empty variables, so that these
// count as not set.
func (c *call) resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if len(flag.Envs) == 0 { // as --help has none
		return nil, nil
	}

	value := c.environ[flag.Envs[0]]
	if value == "" {
		return nil, nil
	}
	c.places[setting(flag.Name)] = flag.Envs[0]
	return value, nil
}

// unknownVariable returns an error if a variable has our prefix and belongs to no flag: it
// is misspelt, and would have no effect. The message leaves out the value, which may be
// a secret.
func (c *call) unknownVariable() error {
	for name, value := range c.environ {
		if strings.HasPrefix(name, variablePrefix) && !c.variables[name] && !injected.MatchString(name+"="+value) {
			return fmt.Errorf("the variable %s belongs to no flag; the help of each command names those of its flags", name)
		}
	}
	return nil
}

// injected matches what Kubernetes sets for a service whose name begins with campaignfake.
var injected = regexp.MustCompile(`^\w+_(SERVICE_HOST=|SERVICE_PORT(_\w+)?=|PORT_\d+_\w+=|PORT=\w+://)`)
