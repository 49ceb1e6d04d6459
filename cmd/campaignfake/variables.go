package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
)

const variablePrefix = "CAMPAIGNFAKE_"

// setting returns the name in fixtures of the setting that a flag stands for.
func setting(flag string) string {
	return strings.ReplaceAll(strings.TrimPrefix(flag, "--"), "-", "_")
}

// variables returns the flags of a command that variables give, and the line does not. An
// empty variable counts as not set.
func (c *call) variables(command *kong.Node) (flags []string) {
	for _, flag := range command.Flags {
		name, place := flag.Envs[0], setting(flag.Name)
		if value := c.getenv(name); value != "" && c.places[place] == "" {
			c.places[place] = name
			flags = append(flags, "--"+flag.Name+"="+value)
		}
	}
	return flags
}

// checkVariables returns an error if a variable has our prefix, and no flag has it. The
// message leaves out the value, which may be a secret.
func (c *call) checkVariables() error {
	for _, variable := range c.environ {
		name, _, _ := strings.Cut(variable, "=")
		short, isOurs := strings.CutPrefix(name, variablePrefix)
		flag := c.flags[strings.ReplaceAll(strings.ToLower(short), "_", "-")]
		if isOurs && (flag == nil || flag.Envs[0] != name) && !injected.MatchString(variable) {
			return fmt.Errorf("the variable %s belongs to no flag; campaignfake --help names the variable of each flag", name)
		}
	}
	return nil
}

// injected matches what Kubernetes or a container link sets for a service whose name
// begins with campaignfake, as campaignfake-staging.
var injected = regexp.MustCompile(`^CAMPAIGNFAKE(_\w+)?_(SERVICE_HOST=|SERVICE_PORT(_\w+)?=|` +
	`PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR|START|END))?=|ENV_|PORT=\w+://|NAME=/)`)
