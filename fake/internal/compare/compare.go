// Package compare finds out whether a fake is true. It asks the service and the fake the same
// questions, and compares what their answers say.
//
//	compare       a comparison, from the first request to the findings
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
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fixtures"
)

// A Comparison says what is compared.
type Comparison struct {
	InForce *fixtures.Service // the settings of the fake
	Places  map[string]string // where they were given, by their names
	Origin  string            // of a page; "" if CORS is not compared
	Skip    []string          // the names of findings that are left out, or what these begin with
}

// The verdicts of findings.
const (
	Differs = "differs"
	Note    = "note"
	NotSeen = "not seen"
	Same    = "same"
)

// verdicts are in the order in which findings are returned.
var verdicts = []string{Differs, Note, NotSeen, Same}

// A Finding is what was found in one aspect.
type Finding struct {
	Name    string
	Verdict string
	Service string // what the service does; if that was not seen, why
	Fake    string // what the fake does
	LeftOut string // which parts of the answer are not compared, and why

	// Settings are those with which the fake does the same. Place is where other ones were given
	// to it. If there is a place and no settings, the fake does the same without these; if there
	// is neither, no setting can say it.
	Settings *fixtures.Service
	Place    string
}

// Run asks both sides. It returns the findings, differences first, and the settings to write:
// those of all findings, but for what was given elsewhere. It fails if there is nothing to
// compare: the service cannot be reached, or has no list of campaigns.
func (c *Comparison) Run(
	ctx context.Context, service, fake ask.Endpoint,
) (findings []Finding, write fixtures.Service, err error) {
	ctx, cancel := context.WithTimeout(ctx, ask.WholeTimeout)
	defer cancel()
	token := newSecret(service.Token)
	ofService, err := c.observe(ctx, service, token)
	if err != nil {
		return nil, write, err
	}
	// The fake has its own time: a slow service may have used up all that it had.
	ofFake, err := c.observe(context.WithoutCancel(ctx), fake, token)
	if err != nil {
		return nil, write, err
	}
	ofService.readRefusals()
	ofFake.readRefusalsLike(ofService)

	for _, a := range aspects {
		if c.isSkipped(a.name) {
			continue
		}
		finding, isFound := c.judge(a, ofService, ofFake)
		if !isFound {
			continue
		}
		if finding.Settings != nil && finding.Place == "" {
			together := write.Overlay(*finding.Settings)
			if together.Check() == nil {
				write = together
			} else {
				finding.Settings = nil
			}
		}
		findings = append(findings, finding)
	}
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return slices.Index(verdicts, a.Verdict) - slices.Index(verdicts, b.Verdict)
	})
	return findings, write, nil
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

// judge returns the finding about an aspect. There is none if another aspect says it.
func (c *Comparison) judge(
	a aspect, ofService, ofFake *observation,
) (finding Finding, isFound bool) {
	finding.Name = a.name
	why, isMissing := ofService.missing[a.asks]
	if isMissing {
		finding.Verdict = NotSeen
		finding.Service = "the service " + why
		return finding, true
	}
	service := a.conclude(ofService)
	fake := a.conclude(ofFake)
	if service.text == "" {
		return finding, false
	}
	finding.Service = ofService.shown(service.text)
	finding.Fake = ofFake.shown(fake.text)
	finding.LeftOut = ofService.omissionsText(service.leftOut)
	switch {
	case service.text == fake.text:
		finding.Verdict = Same
		return finding, true
	case service.isNote:
		finding.Verdict = Note
	default:
		finding.Verdict = Differs
	}
	if ofService.canBeWritten(service.settings) {
		finding.Place = c.Places[cmp.Or(a.setting, a.name)]
		isDefault := reflect.ValueOf(*service.settings).IsZero()
		if !isDefault {
			copied := fixtures.Service{}.Overlay(*service.settings) // which has values of the fake
			finding.Settings = &copied
		}
	}
	return finding, true
}
