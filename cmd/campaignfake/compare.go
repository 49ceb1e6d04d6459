package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

type compareCommand struct {
	BaseURL  string   `arg:"" name:"url" help:"Base URL of the real service, as https://staging.example.com/api."`
	Fixtures []string `arg:"" optional:"" help:"Files and folders of fixtures: their settings of the service are compared. Without any, the defaults are."`

	TokenEnv  string  `env:"-" placeholder:"NAME" help:"The variable that holds the token."`
	TokenFile string  `env:"-" placeholder:"FILE" help:"The file that holds the token."`
	Profile   profile `env:"-" placeholder:"bare-array|framework|wide" help:"Compare with a profile below the fixtures."`
	Write     string  `env:"-" placeholder:"FILE" help:"Write what was concluded as fixtures, under observed:. The file is replaced."`
	Format    choice  `env:"-" default:"text" placeholder:"text|json|github" help:"Format of the report (default ${default})."`
	Strict    bool    `env:"-" help:"Let warnings count as differences."`
	Skip      skipped `env:"-" placeholder:"SETTINGS" help:"Settings that are not compared, with commas between them, as invalid_token,fields.score."`
	DryRun    bool    `env:"-" help:"Print the requests that would be sent, and send none."`
}

// skipped are the names of settings with commas between them.
type skipped []string

func (s *skipped) UnmarshalText(text []byte) error {
	names := list(text)
	*s = append(*s, names...)
	return cmp.Or(notEmpty(text), checkEach(names, fake.CheckSetting))
}

// exitDiffers is the status of a service that differs. Without a verdict it is 1.
const exitDiffers = 4

func (c *compareCommand) Run() error {
	comparison := fake.Comparison{Skip: c.Skip}
	if c.DryRun {
		lines, err := comparison.Requests(c.BaseURL)
		if err != nil {
			return usageError{err}
		}
		fmt.Println(strings.Join(lines, "\n"))
		return nil
	}
	token, err := c.token()
	if err != nil {
		return usageError{err}
	}
	if _, err := comparison.Requests(c.BaseURL); err != nil {
		return usageError{err}
	}
	if err := c.checkTarget(); err != nil {
		return usageError{err}
	}
	if comparison.Service, err = c.service(); err != nil {
		return explainMistakes(err)
	}
	if isTerminal(os.Stderr) {
		comparison.Progress = func(number int, what string) { fmt.Fprintf(os.Stderr, "%2d  %s\n", number, what) }
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	findings, err := fake.Compare(ctx, c.BaseURL, token, comparison)
	if err != nil {
		c.reportNone(err)
		return err
	}
	if err := c.report(findings); err != nil {
		return err
	}
	if err := c.write(findings); err != nil {
		return err
	}
	if findings.Differs(c.Strict) {
		return exitStatus(exitDiffers)
	}
	return nil
}

// token returns the token from the variable or the file.
func (c *compareCommand) token() (string, error) {
	var token string
	switch {
	case c.TokenEnv != "" && c.TokenFile != "":
		return "", errors.New("--token-env and --token-file name the token twice; give one of the two")
	case c.TokenEnv != "":
		if token = os.Getenv(c.TokenEnv); token == "" {
			// What was given may be the token itself, and is not repeated.
			return "", errors.New("the variable that --token-env names is not set, or is empty; give its name, as --token-env STAGING_TOKEN")
		}
	case c.TokenFile != "":
		text, err := os.ReadFile(c.TokenFile)
		if err != nil {
			return "", fmt.Errorf("the file of --token-file cannot be read: %w", plainError(err))
		}
		token = string(text)
	default:
		return "", errors.New("no token was given; name the variable that holds it with --token-env, or the file with --token-file")
	}
	token = strings.TrimSpace(token)
	if fixtures.CheckToken(token) != nil {
		return "", errors.New("the token is not one that a client can send; give it without spaces and quotes")
	}
	return token, nil
}

// service returns the settings that are compared.
func (c *compareCommand) service() (fixtures.Service, error) {
	options := []fake.Option{fake.WithLoader(func() (*fixtures.Set, error) { return loadFixtures(fixtures.Load, c.Fixtures) })}
	if c.Profile != "" {
		options = append(options, fake.Profile(string(c.Profile)))
	}
	server, err := fake.New(options...)
	if err != nil {
		return fixtures.Service{}, err
	}
	defer server.Close()
	return server.Service(), nil
}

// checkTarget returns an error if the file to write holds something else than what was
// observed, which would be lost.
func (c *compareCommand) checkTarget() error {
	if c.Write == "" {
		return nil
	}
	if text, err := os.ReadFile(c.Write); errors.Is(err, os.ErrNotExist) || err == nil && len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	set, err := fixtures.Load(c.Write)
	if err != nil || set.Observed.At.IsZero() || len(set.Users) > 0 || len(set.Places) > 0 {
		return fmt.Errorf("%s of --write holds something else than observed:, and would be replaced; name another file", c.Write)
	}
	return nil
}

// write writes what was concluded to the file.
func (c *compareCommand) write(findings *fake.Findings) error {
	if c.Write == "" {
		return nil
	}
	observed, err := findings.Observed()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, `# How the real service was seen to answer: settings, and no values of it. Names of
# templates are made up. Settings under service: go before these.
# campaignfake --gallery %q serves the built-in users in this way.
`, filepath.Base(c.Write))
	if err := observed.WriteYAML(&text); err != nil {
		return fmt.Errorf("what was concluded cannot be written as fixtures, which is a defect of this program: %w", err)
	}
	if err := writeWhole(c.Write, text.Bytes()); err != nil {
		return fmt.Errorf("%s of --write cannot be written: %w", c.Write, err)
	}
	if c.Format == "text" {
		fmt.Printf("\nWritten to %s.\n", c.Write)
	}
	return nil
}

// report prints the findings.
func (c *compareCommand) report(f *fake.Findings) error {
	switch c.Format {
	case "json":
		encoder := json.NewEncoder(escaping{os.Stdout})
		encoder.SetEscapeHTML(false)
		return encoder.Encode(map[string]any{
			"verdict": c.verdict(f), "at": f.At, "requests": f.Requests, "not_asked": f.NotAsked, "withheld": f.Withheld, "findings": f.List,
		})
	case "github":
		for _, finding := range f.List {
			if level := c.level(finding); level != "" {
				fmt.Printf("::%s title=campaignfake compare::%s\n", level, annotation.Replace(printable(finding.String())))
			}
		}
		for _, setting := range slices.Sorted(maps.Keys(f.Withheld)) {
			fmt.Printf("::warning title=campaignfake compare::%s is not compared, since it holds %s\n", annotation.Replace(printable(setting)), f.Withheld[setting])
		}
		if f.NotAsked != "" {
			fmt.Printf("::warning title=campaignfake compare::Not everything was asked: %s\n", f.NotAsked)
		}
		fmt.Printf("%s after %s\n", c.verdict(f), requests(f.Requests))
		return nil
	}
	c.reportText(f)
	return nil
}

// annotation escapes what would end a command of a workflow.
var annotation = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

// level returns how a finding is annotated, "" for not at all.
func (c *compareCommand) level(f fake.Finding) string {
	switch {
	case f.Verdict == "differs" || c.Strict && f.Verdict == "warning":
		return "error"
	case f.Verdict == "warning":
		return "warning"
	}
	return ""
}

func (c *compareCommand) verdict(f *fake.Findings) string {
	if f.Differs(c.Strict) {
		return "differs"
	}
	return "agrees"
}

// reportText prints the findings for people: first what differs, last what agrees.
func (c *compareCommand) reportText(f *fake.Findings) {
	found := make(map[string][]fake.Finding)
	for _, finding := range f.List {
		found[finding.Verdict] = append(found[finding.Verdict], finding)
	}
	for _, part := range []struct{ verdict, title string }{
		{"differs", "The service differs from the fake:"},
		{"warning", "Worth a look (counts with --strict):"},
		{"unknown", "Not seen, so still assumed:"},
	} {
		if len(found[part.verdict]) > 0 {
			fmt.Println(part.title)
		}
		for _, finding := range found[part.verdict] {
			printFinding(finding)
		}
	}
	for _, setting := range slices.Sorted(maps.Keys(f.Withheld)) {
		fmt.Printf("Not compared, since it holds %s: %s\n", f.Withheld[setting], plain(setting, textWidth))
	}
	var agreed []string
	for _, finding := range found["agrees"] {
		agreed = append(agreed, finding.Setting)
	}
	fmt.Printf("Agrees: %s\n", plain(strings.Join(agreed, ", "), 10*textWidth))
	if f.NotAsked != "" {
		fmt.Printf("Not everything was asked: %s.\n", f.NotAsked)
	}
	fmt.Println("Never asked, so still assumed: responses.method_not_allowed, responses.rate_limited")
	words := "The service answers as the fake does."
	switch {
	case f.Differs(c.Strict):
		words = "The service differs."
	case f.NotAsked != "" || len(found["unknown"]) > 0:
		words = "What was seen agrees."
	}
	fmt.Printf("\n%s %s.\n", words, requests(f.Requests))
}

// printFinding prints a finding on two lines, so that both sides stand one above the
// other.
func printFinding(f fake.Finding) {
	note := f.Note
	if note != "" {
		note = "  (" + note + ")"
	}
	fmt.Printf("  %s%s\n", plain(f.Setting, textWidth), note)
	for _, side := range []struct {
		name  string
		value json.RawMessage
	}{{"fake", f.Fake}, {"service", f.Real}} {
		if side.value != nil {
			fmt.Printf("    %-8s %s\n", side.name, plain(string(side.value), 2*textWidth))
		}
	}
}

func requests(count int) string {
	if count == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", count)
}

// reportNone prints that there is no verdict, where a program reads the report.
func (c *compareCommand) reportNone(err error) {
	switch c.Format {
	case "json":
		json.NewEncoder(escaping{os.Stdout}).Encode(map[string]any{"verdict": "none", "reason": err.Error()})
	case "github":
		fmt.Printf("::error title=campaignfake compare::%s\n", annotation.Replace(printable(err.Error())))
	}
}
