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

// settleVariables makes an empty variable count as unset, which is how compose
// files pass on what they were not given, and refuses a variable that looks like
// one of ours and is none.
func settleVariables(model *kong.Application) (unknown error) {
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
			// The value stays out of the message: it may be somebody's secret.
			unknown = fmt.Errorf("the variable %s is not known; the variables are %s; fixtures are named on the command line", name, strings.Join(known, ", "))
		}
	}
	return unknown
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

// injected matches the variables that Kubernetes and container links set for every
// service whose name begins with campaignfake, as campaignfake-staging, with their
// values: the names of some would be plausible names of settings, too.
var injected = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + variablePrefix + `(_\w+)?_(SERVICE_HOST=|SERVICE_PORT(_\w+)?=|` +
		`PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR|START|END))?=|ENV_|PORT=\w+://|NAME=/)`)
})

// isInjected reports a variable that nobody wrote for this command.
func isInjected(name, value string) bool { return injected().MatchString(name + "=" + value) }
