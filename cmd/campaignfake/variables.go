package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

const variablePrefix = "CAMPAIGNFAKE_"

// fixturesVariable is the variable of --fixtures.
const fixturesVariable = variablePrefix + "FIXTURES"

// variableOf returns the name of the variable of a flag.
func variableOf(flag string) string {
	return variablePrefix + strings.ToUpper(setting(flag))
}

// resolve returns the value of the variable of a flag, if the line does not give the flag. It
// returns nil if there is none.
func (c *call) resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if len(flag.Envs) == 0 {
		return nil, nil
	}
	name := flag.Envs[0]
	value := c.process.environ[name]

	// Files of variables can have spaces or a \r at the end of a line. In YAML, spaces count.
	trimmed := strings.TrimSpace(value)
	if trimmed == "" {
		return nil, nil // a compose file makes an empty variable of one that is not set
	}
	if name != fixturesVariable {
		value = trimmed
	}
	c.places[setting(flag.Name)] = fixtures.Place{Variable: name}
	return value, nil
}

// warnings returns a text about each variable that has our prefix and belongs to no flag. Such a
// variable has no effect: it is misspelt, or another program's. The text leaves out the value,
// which may be a secret.
func (c *call) warnings() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(c.process.environ)) {
		value := strings.TrimSpace(c.process.environ[name])
		isOurs := strings.HasPrefix(name, variablePrefix)
		if !isOurs || value == "" || c.variables[name] || isInjected(name, value) {
			continue
		}
		list = append(list, fmt.Sprintf("the variable %s belongs to no flag, and has no effect; %s",
			name, c.instead(name)))
	}
	return list
}

// instead returns what to write in place of a variable that belongs to no flag.
func (c *call) instead(name string) string {
	word := strings.TrimPrefix(name, variablePrefix)
	if word == "PORT" || word == "HOST" {
		return fmt.Sprintf("did you mean %s, as %s?", variableOf("listen"), listen)
	}

	var known []string
	for _, variable := range slices.Sorted(maps.Keys(c.variables)) {
		known = append(known, strings.TrimPrefix(variable, variablePrefix))
	}
	nearest := text.Nearest(word, known)
	if nearest == "" {
		return "the help of each command names those of its flags"
	}
	return fmt.Sprintf("did you mean %s?", variablePrefix+nearest)
}

// injected matches what Kubernetes sets for a service whose name begins with campaignfake, and
// Docker for a link to a container whose name begins so.
var injected = regexp.MustCompile(`^\w+_(` +
	`SERVICE_HOST=|SERVICE_PORT(_\w+)?=|PORT_\d+_\w+=|PORT=\w+://|` +
	`NAME=/|ENV_\w+=)`)

// isInjected returns whether Kubernetes or Docker has set a variable.
func isInjected(name, value string) bool {
	return injected.MatchString(name + "=" + value)
}
