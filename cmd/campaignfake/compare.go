package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

type compareCommand struct {
	BaseURL  string   `arg:"url" missing:"no URL was named; name the base URL of the real service, as https://staging.example.com/api" help:"Base URL of the real service, as https://staging.example.com/api."`
	Fixtures []string `arg:"fixtures" placeholder:"FILE" help:"Files and folders of fixtures: their settings of the service are compared. Without any, the defaults are."`

	TokenEnv  string  `flag:"token-env" env:"off" placeholder:"NAME" help:"The variable that holds the token."`
	TokenFile string  `flag:"token-file" env:"off" placeholder:"FILE" help:"The file that holds the token."`
	Profile   profile `flag:"profile" env:"off" placeholder:"bare-array|framework|wide" help:"Compare with a profile below the fixtures."`
	Write     string  `flag:"write" env:"off" placeholder:"FILE" help:"Write what was seen under observed: of this file. What else it has stays."`
	Format    choice  `flag:"format" env:"off" default:"text" placeholder:"text|json|github" help:"Format of the report (default ${default})."`
	Strict    bool    `flag:"strict" env:"off" help:"Let warnings count as differences."`
	Skip      skipped `flag:"skip" env:"off" placeholder:"SETTINGS" help:"Settings that are not compared, with commas between them, as invalid_token,campaign.score."`
	Origin    string  `flag:"origin" env:"off" placeholder:"URL" help:"Ask for answers that pages of this origin may read, as https://app.example.com."`
	KeepTexts bool    `flag:"keep-texts" env:"off" help:"Keep and compare texts of errors and values of enums, too, which may be confidential."`
	DryRun    bool    `flag:"dry-run" env:"off" help:"Print the requests that would be sent, and send none."`
}

// skipped are the names of settings.
type skipped []string

// The exit statuses if the service differs, and if it does not, but not everything was
// seen. Without a verdict it is 1.
const (
	exitDiffers = 4
	exitPartial = 5
)

func (c *compareCommand) run(call *call) error {
	comparison := fake.Comparison{Skip: c.Skip, Pause: call.pause, Strict: c.Strict, Origin: c.Origin, KeepTexts: c.KeepTexts}
	lines, err := comparison.Requests(c.BaseURL)
	if err != nil {
		return usageError{err}
	}
	if c.DryRun {
		fmt.Fprintln(call.stdout, strings.Join(lines, "\n"))
		return nil
	}
	token, err := c.token(call.process)
	if err != nil {
		return usageError{err}
	}
	target, err := readTarget(c.Write)
	if err != nil {
		return usageError{err}
	}
	if err := c.settings(&comparison); err != nil {
		return explainMistakes(err)
	}
	if isTerminal(call.stderr) {
		comparison.Progress = func(number int, what string) { fmt.Fprintf(call.stderr, "%2d  %s\n", number, what) }
	}
	ctx, stop := untilSignal(call)
	defer stop()
	findings, err := fake.Compare(ctx, c.BaseURL, token, comparison)
	if err != nil {
		c.reportNone(call.stdout, err)
		return err
	}
	if err = c.report(call.stdout, findings); err == nil {
		err = c.write(call.stdout, target, findings)
	}
	switch {
	case err != nil:
		return err
	case findings.Verdict == "differs":
		return exitStatus(exitDiffers)
	case findings.Verdict == "partial":
		return exitStatus(exitPartial)
	}
	return nil
}

// token returns the token from the variable or the file.
func (c *compareCommand) token(p *process) (string, error) {
	var token string
	switch {
	case c.TokenEnv != "" && c.TokenFile != "":
		return "", errors.New("--token-env and --token-file name the token twice; give one of the two")
	case c.TokenEnv != "":
		if token = p.getenv(c.TokenEnv); token == "" {
			// The message leaves out the name, which may be the token itself.
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

// settings sets what is compared: the settings, and what is accepted.
func (c *compareCommand) settings(comparison *fake.Comparison) error {
	load := func() (*fixtures.Set, error) {
		set, err := loadFixtures(fixtures.Load, c.Fixtures)
		if err == nil {
			comparison.Accepted = set.Observed.Accepted
		}
		return set, err
	}
	options := []fake.Option{fake.WithLoader(load)}
	if c.Profile != "" {
		options = append(options, fake.WithProfile(string(c.Profile)))
	}
	server, err := fake.New(options...)
	if err != nil {
		return err
	}
	defer server.Close()
	comparison.Service, comparison.Settings = server.Service(), server.Settings()
	return nil
}

// write writes what was seen to the file.
func (c *compareCommand) write(w io.Writer, to *target, findings *fake.Findings) error {
	if to == nil {
		return nil
	}
	observed, err := findings.Observed(to.before)
	if err == nil {
		err = to.write(observed)
	}
	if err == nil && c.Format == "text" {
		fmt.Fprintf(w, "\nWritten to %s.\n", c.Write)
	}
	return err
}

// report prints the findings.
func (c *compareCommand) report(w io.Writer, f *fake.Findings) error {
	switch c.Format {
	case "json":
		encoder := json.NewEncoder(escaping{w})
		encoder.SetEscapeHTML(false)
		return encoder.Encode(map[string]any{
			"verdict": f.Verdict, "at": f.At, "requests": f.Requests, "partial": listed(f.Partial), "withheld": f.Withheld, "findings": listed(f.List),
			"not_watched": listed(f.NotWatched), "keys": listed(f.Keys), "statuses": listed(f.Statuses),
		})
	case "github":
		c.annotate(w, f)
		return nil
	}
	c.reportText(w, f)
	return nil
}

// listed returns a list that is never null in JSON.
func listed[V any](list []V) []V { return append([]V{}, list...) }

// annotate prints the findings as annotations of a workflow.
func (c *compareCommand) annotate(w io.Writer, f *fake.Findings) {
	print := func(level, text string) {
		fmt.Fprintf(w, "::%s title=campaignfake compare::%s\n", level, annotation.Replace(printable(text)))
	}
	for _, finding := range f.List {
		switch {
		case finding.Verdict == "differs" || c.Strict && finding.Verdict == "warning":
			print("error", finding.String())
		case finding.Verdict == "warning":
			print("warning", finding.String())
		}
	}
	for _, path := range slices.Sorted(maps.Keys(f.Withheld)) {
		print("warning", fmt.Sprintf("%s is left out, since it holds %s", path, f.Withheld[path]))
	}
	for _, why := range f.Partial {
		print("warning", "Not everything was seen: "+why)
	}
	fmt.Fprintf(w, "%s after %s\n", f.Verdict, counted(f.Requests, "request"))
}

// annotation escapes what would end a command of a workflow.
var annotation = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

// reportText prints the findings for people: first what differs, last what agrees.
func (c *compareCommand) reportText(w io.Writer, f *fake.Findings) {
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
			fmt.Fprintln(w, part.title)
		}
		for _, finding := range found[part.verdict] {
			printFinding(w, finding)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(f.Withheld)) {
		fmt.Fprintf(w, "Left out, since it holds %s: %s\n", f.Withheld[path], plain(path, textWidth))
	}
	var agreed []string
	for _, finding := range found["agrees"] {
		agreed = append(agreed, finding.Setting)
	}
	printList(w, "Agrees", agreed)
	printList(w, "Not watched", f.NotWatched)
	printList(w, "Keys of the service that --write writes", f.Keys)
	printList(w, "Statuses of the service that --write writes", f.Statuses)
	for _, why := range f.Partial {
		fmt.Fprintf(w, "Not everything was seen: %s\n", plain(why, 4*textWidth))
	}
	fmt.Fprintln(w, "Never asked, so still assumed: responses.method_not_allowed, responses.rate_limited")
	words := map[string]string{"differs": "The service differs.", "partial": "What was seen agrees.", "agrees": "The service answers as the fake does."}[f.Verdict]
	fmt.Fprintf(w, "\n%s %s.\n", words, counted(f.Requests, "request"))
}

func printList(w io.Writer, title string, list []string) {
	if len(list) > 0 {
		fmt.Fprintf(w, "%s: %s\n", title, plain(strings.Join(list, ", "), 20*textWidth))
	}
}

// printFinding prints a finding so that both sides stand one above the other, and below
// them what to write.
func printFinding(w io.Writer, f fake.Finding) {
	note := f.Note
	if note != "" {
		note = "  (" + note + ")"
	}
	fmt.Fprintf(w, "  %s%s\n", plain(f.Setting, textWidth), note)
	for _, side := range []struct{ name, value string }{{"fake", f.Fake}, {"service", f.Real}, {"write", string(f.Write)}} {
		if side.value != "" {
			fmt.Fprintf(w, "    %-8s %s\n", side.name, plain(side.value, 2*textWidth))
		}
	}
}

// counted returns a count of things in words.
func counted(count int, noun string) string {
	if count != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", count, noun)
}

// reportNone prints that there is no verdict, where a program reads the report.
func (c *compareCommand) reportNone(w io.Writer, err error) {
	switch c.Format {
	case "json":
		json.NewEncoder(escaping{w}).Encode(map[string]any{"verdict": "none", "reason": err.Error()})
	case "github":
		fmt.Fprintf(w, "::error title=campaignfake compare::%s\n", annotation.Replace(printable(err.Error())))
	}
}
