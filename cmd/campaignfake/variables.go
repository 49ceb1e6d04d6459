package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

const variablePrefix = "CAMPAIGNFAKE"

// settleVariables makes an empty variable count as unset, which is how compose
// files pass on what they were not given, and refuses a variable that looks like
// one of ours and is none.
func settleVariables(model *kong.Application) error {
	known := variables(model.Node)
	for _, setting := range os.Environ() {
		name, value, _ := strings.Cut(setting, "=")
		if !strings.HasPrefix(name, variablePrefix+"_") || isInjected(name) {
			continue
		}
		if !slices.Contains(known, name) {
			return fmt.Errorf("the variable %s (%q) is not known; the variables are %s", name, value, strings.Join(known, ", "))
		}
		if value == "" {
			os.Unsetenv(name)
		}
	}
	return nil
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

// isInjected reports variables that Kubernetes and old container links set by
// themselves where a service is called campaignfake.
func isInjected(name string) bool {
	rest := strings.TrimPrefix(name, variablePrefix+"_")
	return rest == "PORT" || rest == "NAME" || strings.HasPrefix(rest, "PORT_") ||
		strings.HasPrefix(rest, "SERVICE_") || strings.HasPrefix(rest, "ENV_")
}
