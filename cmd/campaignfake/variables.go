package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

const variablePrefix = "CAMPAIGNFAKE"

// variable returns the name of the variable of a flag, "" if it has none.
func variable(flag *kong.Flag) string {
	if flag == nil || flag.Name == "help" || slices.Contains(flag.Tag.Envs, "-") {
		return ""
	}
	return variablePrefix + "_" + strings.ToUpper(setting(flag.Name))
}

// variables returns the names of the variables of all commands, sorted.
func (c *call) variables() (names []string) {
	for _, command := range c.parser.Model.Children {
		for _, flag := range command.Flags {
			if name := variable(flag); name != "" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Resolve returns the value of a flag's variable, for a flag that is not on the command
// line. An empty variable counts as not set.
func (c *call) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	name := variable(flag)
	text := c.getenv(name)
	if name == "" || text == "" {
		return nil, nil
	}
	c.places[setting(flag.Name)] = name
	return text, nil
}

// Validate is the part of kong.Resolver that is not needed.
func (c *call) Validate(*kong.Application) error { return nil }

// checkVariables returns an error if a variable has our prefix, but is not known. The
// message leaves out the value, which may be a secret.
func (c *call) checkVariables() error {
	known := c.variables()
	for _, setting := range c.environ {
		name, _, _ := strings.Cut(setting, "=")
		switch {
		case !strings.HasPrefix(name, variablePrefix+"_") || slices.Contains(known, name) || injected.MatchString(setting):
		case name == variablePrefix+"_PORT" || name == variablePrefix+"_HOST":
			return fmt.Errorf("the variable %s is not known; host and port are in %s_LISTEN, as %[2]s_LISTEN=%s",
				name, variablePrefix, address(listen).withPort("9000"))
		default:
			return fmt.Errorf("the variable %s is not known; %s", name, nearest(strings.ToUpper(name), known, "the variables are "))
		}
	}
	return nil
}

// injected matches what Kubernetes or a container link sets for a service whose name
// begins with campaignfake, as campaignfake-staging.
var injected = regexp.MustCompile(`^` + variablePrefix + `(_\w+)?_(SERVICE_HOST=|SERVICE_PORT(_\w+)?=|` +
	`PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR|START|END))?=|ENV_|PORT=\w+://|NAME=/)`)

// nearest asks whether one of the names was meant that are nearly the word. If there is
// none, it lists all of them.
func nearest(word string, names []string, all string) string {
	for _, name := range names {
		if isNear(word, name, 2) {
			return fmt.Sprintf("did you mean %q?", name)
		}
	}
	return all + strings.Join(names, ", ")
}

// isNear reports whether b can be made of a by adding, removing or replacing that many
// characters.
func isNear(a, b string, edits int) bool {
	switch {
	case edits < 0:
		return false
	case a == "" || b == "":
		return len(a)+len(b) <= edits
	case a[0] == b[0]:
		return isNear(a[1:], b[1:], edits)
	}
	return isNear(a[1:], b, edits-1) || isNear(a, b[1:], edits-1) || isNear(a[1:], b[1:], edits-1)
}
