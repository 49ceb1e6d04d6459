package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

const variablePrefix = "CAMPAIGNFAKE_"

// setting returns the name in fixtures of the setting that a flag stands for.
func setting(flag string) string {
	return strings.ReplaceAll(strings.TrimPrefix(flag, "--"), "-", "_")
}

// variables returns the flags of a command that variables give, and the line does not. An
// empty variable counts as not set. One that has our prefix and belongs to no flag is an
// error, whose message leaves out the value, which may be a secret.
func (c *call) variables(command *kong.Node) (flags []string, err error) {
	for _, variable := range c.environ {
		name, value, _ := strings.Cut(variable, "=")
		short, isOurs := strings.CutPrefix(name, variablePrefix)
		flag := c.flags[strings.ReplaceAll(strings.ToLower(short), "_", "-")]
		switch {
		case !isOurs || injected.MatchString(variable):
			continue
		case flag == nil || flag.Envs[0] != name:
			return nil, fmt.Errorf("the variable %s belongs to no flag; campaignfake --help names the variable of each flag", name)
		}
		place := setting(flag.Name)
		isIts := slices.ContainsFunc(command.Flags, func(f *kong.Flag) bool { return f.Name == flag.Name })
		if isIts && value != "" && c.places[place] == "" {
			c.places[place] = name
			flags = append(flags, "--"+flag.Name+"="+value)
		}
	}
	return flags, nil
}

// injected matches what Kubernetes or a container link sets for a service whose name
// begins with campaignfake, as campaignfake-staging.
var injected = regexp.MustCompile(`^CAMPAIGNFAKE(_\w+)?_(SERVICE_HOST=|SERVICE_PORT(_\w+)?=|` +
	`PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR|START|END))?=|ENV_|PORT=\w+://|NAME=/)`)
