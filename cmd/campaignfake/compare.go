package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

type compareCommand struct {
	BaseURL  string   `arg:"" help:"The base URL of the service, as https://example.com/api."`
	Fixtures []string `arg:"" optional:"" sep:"none" help:"Files and folders of fixtures, whose settings are compared."`

	TokenEnv  string   `env:"-" placeholder:"NAME" help:"The variable that has a token of the service, which is never printed."`
	TokenFile string   `env:"-" placeholder:"FILE" help:"The file that has it."`
	Origin    string   `type:"origin" env:"-" placeholder:"ORIGIN" help:"Compare CORS, too, for pages of this origin."`
	Skip      []string `type:"list" env:"-" placeholder:"NAMES" help:"Leave findings with these names out."`
	Write     string   `env:"-" placeholder:"FILE" help:"Write what differs to a new file, to be served beside the others."`
}

func (c *compareCommand) Run(call *call) error {
	target, err := c.target(call)
	if err != nil {
		return usageError{err}
	}
	server, err := fake.New(fake.WithLoader(func() (*fixtures.Set, error) { return fixtures.Load(c.Fixtures...) }))
	if err != nil {
		return err
	}
	defer server.Close()
	result, err := fake.Compare(call, server, target)
	if err != nil {
		return fmt.Errorf("nothing was compared: %w", err)
	}
	names := make(map[string][]string) // of the findings, by their verdicts
	for _, f := range result.Findings {
		if names[f.Verdict] = append(names[f.Verdict], f.Name); f.Verdict != "same" {
			fmt.Fprintln(call.stdout, printable(f.String()))
		}
	}
	fmt.Fprintln(call.stdout, "same: "+strings.Join(names["same"], ", "))
	settings, err := json.MarshalIndent(result.Settings, "  ", "  ")
	if c.Write != "" && len(settings) == len("{}") {
		fmt.Fprintf(call.stdout, "%s is not written: there is no setting to add to yours\n", c.Write)
	} else if err == nil && c.Write != "" {
		err = os.WriteFile(c.Write, fmt.Appendf(nil, "service:\n  %s\n", settings), 0o644)
	}
	switch {
	case err != nil:
		return err
	case names["differs"] != nil:
		call.status = 4
	case names["not seen"] != nil:
		call.status = 5
	}
	return nil
}

// target returns the service that the flags name.
func (c *compareCommand) target(call *call) (fake.Target, error) {
	token := call.environ[c.TokenEnv]
	if c.TokenFile != "" {
		text, err := os.ReadFile(c.TokenFile)
		if err != nil {
			return fake.Target{}, err
		}
		token = strings.TrimSpace(string(text))
	}
	if token == "" {
		return fake.Target{}, errors.New("there is no token; name the variable that has it with --token-env, or its file with --token-file")
	}
	if _, err := os.Lstat(c.Write); err == nil {
		return fake.Target{}, fmt.Errorf("--write: the file %s is there already; name a new one", c.Write)
	}
	target := fake.Target{BaseURL: c.BaseURL, Token: token, Origin: c.Origin, Skip: c.Skip}
	return target, target.Check()
}
