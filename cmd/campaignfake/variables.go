package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

const variablePrefix = "CAMPAIGNFAKE"

// checkVariables returns an error if a variable has our prefix, but is not known.
func (p *process) checkVariables(commands []*command) error {
	known := variables(commands)
	for _, setting := range p.environ {
		name, value, _ := strings.Cut(setting, "=")
		if strings.HasPrefix(name, variablePrefix+"_") && !slices.Contains(known, name) && !isInjected(name, value) {
			// The message leaves out the value, which may be a secret.
			return fmt.Errorf("the variable %s is not known; %s", name, variableInstead(name, known))
		}
	}
	return nil
}

// variableInstead says which of the known variables to set in place of an unknown one: that of
// the host and the port, one with nearly the same name, or one of all.
func variableInstead(name string, known []string) string {
	own := strings.TrimPrefix(name, variablePrefix+"_")
	if foreignFlags["--"+strings.ToLower(own)] != "" {
		const instead = variablePrefix + "_LISTEN"
		return fmt.Sprintf("host and port are in %s, as %[1]s=%s", instead, address(listen).withPort("9000"))
	}
	if meant := didYouMean(strings.ToUpper(name), known); meant != "" && own != "" {
		return meant
	}
	return "the variables are " + strings.Join(known, ", ") + "; fixtures are named on the command line"
}

// variables returns the names of all variables, sorted.
func variables(commands []*command) (names []string) {
	for _, c := range commands {
		for _, flag := range c.flags() {
			if flag.variable != "" {
				names = append(names, flag.variable)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// isInjected reports whether Kubernetes or a container link sets a variable, with this
// value, for a service whose name begins with campaignfake, as campaignfake-staging.
func isInjected(name, value string) bool {
	injected := regexp.MustCompile(`^` + variablePrefix + `(_\w+)?_(SERVICE_HOST=|SERVICE_PORT(_\w+)?=|` +
		`PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR|START|END))?=|ENV_|PORT=\w+://|NAME=/)`)
	return injected.MatchString(name + "=" + value)
}
