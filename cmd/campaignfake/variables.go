package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/kong"
)

const variablePrefix = "CAMPAIGNFAKE"

// checkVariables unsets empty variables: compose files pass variables that have no
// value as empty. It returns an error if a variable has our prefix, but is not known.
func checkVariables(model *kong.Application) (unknown error) {
	known := variables(model.Node)
	for _, setting := range os.Environ() {
		name, value, _ := strings.Cut(setting, "=")
		switch {
		case !strings.HasPrefix(name, variablePrefix+"_"):
		case slices.Contains(known, name):
			if value == "" {
				os.Unsetenv(name)
			}
		case !isInjected(name, value) && unknown == nil:
			// The message leaves out the value, which may be a secret.
			unknown = fmt.Errorf("the variable %s is not known; %sthe variables are %s; fixtures are named on the command line", name, listenInstead(name), strings.Join(known, ", "))
		}
	}
	return unknown
}

// listenInstead says which variable has the host and the port. It returns "" if a
// variable is named after neither.
func listenInstead(name string) string {
	if foreignFlags["--"+strings.ToLower(strings.TrimPrefix(name, variablePrefix+"_"))] == "" {
		return ""
	}
	return "host and port are in " + variablePrefix + "_LISTEN, as " + variablePrefix + "_LISTEN=127.0.0.1:9000; "
}

// variables returns the names of all variables, sorted.
func variables(node *kong.Node) (names []string) {
	for _, flag := range node.Flags {
		names = append(names, flag.Envs...)
	}
	for _, child := range node.Children {
		names = append(names, variables(child)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// injected matches the variables, with their values, that Kubernetes and container
// links set for a service whose name begins with campaignfake, such as
// campaignfake-staging.
var injected = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + variablePrefix + `(_\w+)?_(SERVICE_HOST=|SERVICE_PORT(_\w+)?=|` +
		`PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR|START|END))?=|ENV_|PORT=\w+://|NAME=/)`)
})

// isInjected reports whether a variable is not meant for this command.
func isInjected(name, value string) bool { return injected().MatchString(name + "=" + value) }
