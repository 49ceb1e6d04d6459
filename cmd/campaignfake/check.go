package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/campaignfake/fixtures"
)

type checkCommand struct {
	Fixtures []string `arg:"fixtures" placeholder:"FILE" missing:"no fixtures were named; name files and folders of them" help:"Files and folders of fixtures."`

	Format choice `flag:"format" env:"off" default:"text" placeholder:"text|json|github" help:"Format of the report (default ${default})."`
}

func (c *checkCommand) run(call *call) error {
	set, err := loadFixtures(fixtures.Load, c.Fixtures)
	if mistakes := (*fixtures.Mistakes)(nil); errors.As(err, &mistakes) && c.Format != "text" {
		c.report(call.stdout, 0, mistakes)
		return exitStatus(1)
	}
	if err != nil {
		return explainMistakes(err)
	}
	if c.Format == "json" {
		c.report(call.stdout, len(set.Users), &fixtures.Mistakes{})
		return nil
	}
	fmt.Fprintf(call.stdout, "%s, no mistakes\n", counted(len(set.Users), "user"))
	return nil
}

// report prints mistakes for programs.
func (c *checkCommand) report(w io.Writer, users int, mistakes *fixtures.Mistakes) {
	if c.Format == "json" {
		encoder := json.NewEncoder(escaping{w})
		encoder.SetEscapeHTML(false)
		encoder.Encode(map[string]any{"users": users, "mistakes": append([]fixtures.Mistake{}, mistakes.List...), "more": mistakes.More})
		return
	}
	for _, m := range mistakes.List {
		place := fmt.Sprintf("file=%s,line=%d,col=%d", strings.NewReplacer(",", "%2C", ":", "%3A").Replace(annotation.Replace(m.File)), max(m.Line, 1), max(m.Column, 1))
		m.File, m.Line, m.Column = "", 0, 0
		fmt.Fprintf(w, "::error %s::%s\n", place, annotation.Replace(printable(m.String())))
	}
	if mistakes.More > 0 {
		fmt.Fprintf(w, "::error::%d more mistakes are not listed\n", mistakes.More)
	}
}

// annotation escapes what would end a command of a workflow.
var annotation = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

// counted returns a count of things in words.
func counted(count int, noun string) string {
	if count != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", count, noun)
}
