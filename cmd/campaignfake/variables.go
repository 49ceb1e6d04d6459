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

// fixturesVariable is the variable of --fixtures.
const fixturesVariable = variablePrefix + "FIXTURES"

// variableOf returns the name of the variable of a flag.
func variableOf(flag string) string {
	return variablePrefix + strings.ToUpper(setting(flag))
}

// addVariable gives a flag its variable, unless its tag says that it has none. resolve reads the
// variable. The parser would read the environment of this process, not of the call, and would take
// an empty variable for a value.
func (c *call) addVariable(flag *kong.Flag) {
	if flag.Envs != nil { // the tag env is "-", which the parser takes for a name
		flag.Envs = nil
		flag.Tag.Envs = nil
		return
	}
	name := variableOf(flag.Name)
	flag.Envs = []string{name}
	flag.Help += " [$" + name + "]"
	c.variables[name] = true
}

// resolve returns the value of the variable of a flag, if the line does not give the flag. It
// returns nil if the variable is not set, or if its value is wrong, which parse reports.
func (c *call) resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if len(flag.Envs) == 0 {
		return nil, nil
	}
	name := flag.Envs[0]
	value := c.process.environ[name]

	// Files of variables can have spaces or a \r at the end of a line. In YAML, spaces count.
	trimmed := strings.TrimSpace(value)
	if trimmed == "" {
		return nil, nil // compose files pass a variable that is not set as an empty variable
	}
	if name != fixturesVariable {
		value = trimmed
	}

	// The parser would name the flag in its error, and not the variable.
	if err := checkValue(flag, value); err != nil {
		c.wrongVariables = append(c.wrongVariables, fmt.Errorf("%s: %w", name, err))
		return nil, nil
	}
	c.places[setting(flag.Name)] = fixtures.Place{Variable: name}
	return value, nil
}

// checkValue returns what is wrong with a value of a flag.
func checkValue(flag *kong.Flag, value string) error {
	target := reflect.New(flag.Target.Type()).Elem()
	if target.Kind() == reflect.Pointer {
		target.Set(reflect.New(target.Type().Elem()))
	}
	scan := kong.Scan().PushTyped(value, kong.FlagValueToken)
	return flag.Mapper.Decode(&kong.DecodeContext{Value: flag.Value, Scan: scan}, target)
}

// warnings returns a text about each variable that has our prefix and belongs to no flag, but whose
// name is nearly the name of a flag's variable: it is probably misspelt, and has no effect. The
// text leaves out the value, which may be a secret.
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

// nearest returns the known variable that an unknown name probably means, and "" if no known name
// is near.
func (c *call) nearest(name string, known []string) string {
	word := strings.TrimPrefix(name, variablePrefix)
	isOfKubernetes := strings.Contains(c.process.environ[name], "://") // the URL of a service
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
