// Package compare finds out whether a fake is true. It asks the service and the fake the same
// questions, and compares what their answers say.
//
//	compare       a comparison, from the first request to the findings
//	judge         the finding about an aspect, and what to do about it
//	questions     the requests that both sides get
//	observation   the answers of one side, read
//	aspects       what is compared: a line for each finding
//	fields        what the fields of campaigns say
//	formats       how ids and dates are written
//	refusals      what answers without campaigns say
//	parts         which parts of such an answer are always the same
//	secret        the token of the service, which is never repeated
//	gosyntax      settings as a test in Go writes them
package compare

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// A Comparison says what is compared.
type Comparison struct {
	InForce *fixtures.Service         // the settings of the fake
	Places  map[string]fixtures.Place // where the settings are, by their names
	Origin  string                    // of a page; "" if CORS is not compared

	// Skip are the names of findings that are left out, or the first words of their names.
	Skip []string
}

// Run asks both sides. It returns the findings, differences first, and the settings to write: those
// of all remedies that say so. It fails if there is nothing to compare: the service cannot be
// reached, or has no list of campaigns.
func (c *Comparison) Run(
	ctx context.Context, service, fake ask.Endpoint,
) (findings []Finding, write fixtures.Service, err error) {
	ctx, cancel := context.WithTimeout(ctx, ask.WholeTimeout)
	defer cancel()
	ofService, ofFake, err := c.observeBoth(ctx, service, fake)
	if err != nil {
		return nil, fixtures.Service{}, err
	}
	j := judge{service: ofService, fake: ofFake}
	for _, a := range aspects {
		if !c.isSkipped(a.name) {
			j.judge(a)
		}
	}
	slices.SortStableFunc(j.findings, func(a, b Finding) int {
		return slices.Index(verdicts, a.Verdict) - slices.Index(verdicts, b.Verdict)
	})
	return j.findings, j.write, nil
}

// CheckSkip returns what is wrong with names to skip: each that no finding has or begins with.
func CheckSkip(skip []string) error {
	known := skippable()
	var errs []error
	for _, name := range skip {
		if slices.Contains(known, name) {
			continue
		}
		instead := "write one of " + strings.Join(known, ", ")
		nearest := text.Nearest(name, known)
		if nearest != "" {
			instead = "did you mean " + nearest + "?"
		}
		errs = append(errs, fmt.Errorf("no finding to skip is called %s; %s",
			text.Quote(name), instead))
	}
	return errors.Join(errs...)
}

// skippable returns the names of all findings, and what they begin with.
func skippable() []string {
	var names []string
	for _, a := range aspects {
		for i, r := range a.name {
			beginning := a.name[:i]
			if r == '.' && !slices.Contains(names, beginning) {
				names = append(names, beginning)
			}
		}
		names = append(names, a.name)
	}
	return names
}

// observeBoth asks the service, and then the fake.
func (c *Comparison) observeBoth(
	ctx context.Context, service, fake ask.Endpoint,
) (ofService, ofFake *observation, err error) {
	token := newTokenForms(service.Token)
	ofService, err = c.observe(ctx, theService, service, token)
	if err != nil {
		return nil, nil, err
	}
	// The fake has its own time: a slow service may have used up all that it had.
	ofFake, err = c.observe(context.WithoutCancel(ctx), theFake, fake, token)
	if err != nil {
		return nil, nil, err
	}
	ofService.readRefusals()
	ofFake.readRefusalsLike(ofService)
	return ofService, ofFake, nil
}

// isSkipped reports whether a finding is left out. To skip responses is to skip
// responses.not_found.body, too.
func (c *Comparison) isSkipped(name string) bool {
	if name == corsAspect && c.Origin == "" {
		return true
	}
	for _, skipped := range c.Skip {
		if name == skipped || strings.HasPrefix(name, skipped+".") {
			return true
		}
	}
	return false
}
