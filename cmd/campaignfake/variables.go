package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

const variablePrefix = "CAMPAIGNFAKE_"

// fixturesVariable is the name of the environment variable of --fixtures.
const fixturesVariable = variablePrefix + "FIXTURES"

// variableOf returns the name of a flag's environment variable: CAMPAIGNFAKE_BASE_PATH for
// base-path.
func variableOf(flag string) string {
	return variablePrefix + strings.ToUpper(setting(flag))
}

// addVariable gives a flag its environment variable, unless the tag env of the flag is "-". The
// method resolve reads the variable. The parser must not read it, for two reasons. The parser asks
// the operating system, but a test sets its variables in process.environ. And the parser would take
// an empty variable for a value.
func (c *call) addVariable(flag *kong.Flag) {
	if flag.Envs != nil { // the tag env is "-", which the parser takes for the name of a variable
		flag.Envs = nil
		flag.Tag.Envs = nil
		return
	}
	name := variableOf(flag.Name)
	flag.Envs = []string{name}
	flag.Help += " [$" + name + "]"
	c.variables[name] = true
}

// resolve returns the value of a flag's environment variable. The parser calls it for each flag
// that the command line does not give. It returns nil if the variable is empty or not set, or if
// its value is wrong. It notes a wrong value in wrongVariables, which parse reports.
func (c *call) resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if len(flag.Envs) == 0 {
		return nil, nil
	}
	name := flag.Envs[0]
	value := c.process.environ[name]

	// An env file can have spaces or a \r at the end of a line. Only the text of --fixtures keeps
	// them, since spaces have a meaning in YAML.
	trimmed := strings.TrimSpace(value)
	if trimmed == "" {
		return nil, nil // a compose file passes an unset variable as ""
	}
	if name != fixturesVariable {
		value = trimmed
	}

	// The parser would check the value, too, but its error would name the flag, not the variable.
	if err := checkValue(flag, value); err != nil {
		c.wrongVariables = append(c.wrongVariables, fmt.Errorf("%s: %w", name, err))
		return nil, nil
	}
	c.places[setting(flag.Name)] = fixtures.Place{Variable: name}
	return value, nil
}

// checkValue returns an error if a value is not valid for a flag.
func checkValue(flag *kong.Flag, value string) error {
	target := reflect.New(flag.Target.Type()).Elem()
	if target.Kind() == reflect.Pointer {
		target.Set(reflect.New(target.Type().Elem()))
	}
	scan := kong.Scan().PushTyped(value, kong.FlagValueToken)
	return flag.Mapper.Decode(&kong.DecodeContext{Value: flag.Value, Scan: scan}, target)
}

// warnings returns a warning for each environment variable whose name is probably misspelt: it
// begins with CAMPAIGNFAKE_, belongs to no flag, and is similar to the name of a flag's variable.
// Such a variable has no effect. The warning leaves out the value, which may be a secret.
func (c *call) warnings() []string {
	known := slices.Sorted(maps.Keys(c.variables))
	var list []string
	for _, name := range slices.Sorted(maps.Keys(c.process.environ)) {
		isOurs := strings.HasPrefix(name, variablePrefix)
		isEmpty := strings.TrimSpace(c.process.environ[name]) == ""
		if !isOurs || isEmpty || c.variables[name] {
			continue
		}
		nearest := c.nearest(name, known)
		if nearest != "" {
			list = append(list, fmt.Sprintf("the variable %s belongs to no flag, and has no "+
				"effect; did you mean %s?", name, nearest))
		}
	}
	return list
}

// nearest returns the element of known that is most similar to name, or "" if none is similar. For
// CAMPAIGNFAKE_PORT and CAMPAIGNFAKE_HOST it returns CAMPAIGNFAKE_LISTEN with an example.
func (c *call) nearest(name string, known []string) string {
	word := strings.TrimPrefix(name, variablePrefix)
	// Kubernetes sets CAMPAIGNFAKE_PORT to a URL if a service has the name campaignfake.
	isOfKubernetes := strings.Contains(c.process.environ[name], "://")
	if (word == "PORT" || word == "HOST") && !isOfKubernetes {
		return fmt.Sprintf("%s, as %s", variableOf("listen"), listen)
	}
	var words []string
	for _, variable := range known {
		words = append(words, strings.TrimPrefix(variable, variablePrefix))
	}
	nearest := text.Nearest(word, words)
	if nearest == "" {
		return ""
	}
	return variablePrefix + nearest
}

func (c *call) printWarnings() {
	for _, warning := range c.warnings() {
		fmt.Fprintf(c.process.stderr, "campaignfake: %s\n", printable(warning))
	}
}
