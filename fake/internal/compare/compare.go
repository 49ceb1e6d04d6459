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
	InForce *fixtures.Service         // the settings of the fake
	Places  map[string]fixtures.Place // where they were given, by their names
	Origin  string                    // of a page; "" if CORS is not compared
	Skip    []string                  // the names of findings that are left out, or what these begin with
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
	ofService, ofFake, err := c.observeBoth(ctx, service, fake)
	if err != nil {
		return nil, write, err
	}
	for _, a := range aspects {
		if c.isSkipped(a.name) {
			continue
		}
		finding, isFound := c.judge(a, ofService, ofFake)
		if isFound {
			write = finding.addTo(write)
			findings = append(findings, finding)
		}
	}
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return slices.Index(verdicts, a.Verdict) - slices.Index(verdicts, b.Verdict)
	})
	return findings, write, nil
}

// observeBoth asks the service, and then the fake.
func (c *Comparison) observeBoth(
	ctx context.Context, service, fake ask.Endpoint,
) (ofService, ofFake *observation, err error) {
	token := newTokenForms(service.Token)
	ofService, err = c.observe(ctx, service, token)
	if err != nil {
		return nil, nil, err
	}
	// The fake has its own time: a slow service may have used up all that it had.
	ofFake, err = c.observe(context.WithoutCancel(ctx), fake, token)
	if err != nil {
		return nil, nil, err
	}
	ofService.readRefusals()
	ofFake.readRefusalsLike(ofService)
	return ofService, ofFake, nil
}

// addTo returns the settings to write with those of a finding, if these were not given elsewhere.
// Settings that are wrong beside the others are taken out of the finding.
func (f *Finding) addTo(write fixtures.Service) fixtures.Service {
	if f.Settings == nil || f.Place != "" {
		return write
	}
	together := write.Overlay(*f.Settings)
	err := together.Check()
	if err != nil {
		f.Settings = nil
		return write
	}
	return together
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
	why, isMissing := ofService.missing[a.asks]
	if isMissing {
		return Finding{
			Name:    a.name,
			Verdict: NotSeen,
			Service: "the service " + why,
		}, true
	}
	service := a.conclude(ofService)
	fake := a.conclude(ofFake)
	if service.text == "" {
		return Finding{}, false
	}
	finding = Finding{
		Name:    a.name,
		Verdict: verdictOn(service, fake),
		Service: ofService.shown(service.text),
		Fake:    ofFake.shown(fake.text),
		LeftOut: ofService.omissionsText(service.leftOut),
	}
	if finding.Verdict != Same && ofService.canBeWritten(service.settings) {
		finding.Place = c.Places[cmp.Or(a.setting, a.name)].String()
		finding.Settings = changesIn(service.settings)
	}
	return finding, true
}

func verdictOn(service, fake conclusion) string {
	switch {
	case service.text == fake.text:
		return Same
	case service.isNote:
		return Note
	}
	return Differs
}

// changesIn returns a copy of settings, which may have values of the fake, or nil if they are the
// defaults.
func changesIn(settings *fixtures.Service) *fixtures.Service {
	isDefault := reflect.ValueOf(*settings).IsZero()
	if isDefault {
		return nil
	}
	copied := settings.Clone()
	return &copied
}
