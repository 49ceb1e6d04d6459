package compare

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"example.com/campaignfake/fixtures"
)

// The verdicts of findings.
const (
	Differs = "differs"
	Note    = "note"
	NotSeen = "not seen"
	Same    = "same"
)

// A Finding is what was found in one aspect.
type Finding struct {
	Name, Verdict         string
	Service, Fake, Remedy string // if it was not seen, Service says why
}

// A Comparison says what is compared, and how settings are shown.
type Comparison struct {
	InForce *fixtures.Service // in the fake
	Places  map[string]string // where they were given
	Origin  string            // of a page; "" if CORS is not judged
	Skip    []string          // the names of aspects
	Show    func(fixtures.Service) string
	secret  secret
}

// Run asks both sides. It returns the findings, differences first, and the settings to write.
// It fails if there is nothing to compare: the service cannot be reached, or has no list.
func (c *Comparison) Run(ctx context.Context, service, fake *Sight) (findings []Finding, write fixtures.Service, err error) {
	ctx, cancel := context.WithTimeout(ctx, wholeTimeout)
	defer cancel()
	c.secret = newSecret(service.Token)
	for _, s := range []*Sight{service, fake} {
		s.Comparison = c
		if err := s.look(ctx); err != nil {
			return nil, write, err
		}
		ctx = context.WithoutCancel(ctx) // the fake has its own time
	}
	for _, a := range aspects {
		f, settings := a.judge(service, fake)
		if f.Verdict == "" || slices.Contains(c.Skip, a.name) || a.name == "cors" && c.Origin == "" {
			continue
		}
		if f.Verdict == Differs || f.Verdict == Note {
			f.Remedy = c.remedy(settings, &write)
		}
		findings = append(findings, f)
	}
	order := []string{Differs, Note, NotSeen, Same}
	slices.SortStableFunc(findings, func(a, b Finding) int { return slices.Index(order, a.Verdict) - slices.Index(order, b.Verdict) })
	return findings, write, nil
}

// judge returns the finding about an aspect, and the settings with which the fake does the
// same. It has no verdict if another aspect says it.
func (a aspect) judge(real, own *Sight) (Finding, *fixtures.Service) {
	for _, needs := range a.needs {
		for _, answer := range real.answers[needs] {
			if answer.missing != "" {
				return Finding{Name: a.name, Verdict: NotSeen, Service: "the service " + answer.missing}, nil
			}
		}
	}
	service, fake := a.conclude(real), a.conclude(own)
	f := Finding{Name: a.name, Verdict: Differs, Service: real.shown(service.text), Fake: own.shown(fake.text)}
	switch {
	case service.text == "":
		f.Verdict = ""
	case service.text == fake.text:
		f.Verdict = Same
	case service.isNote:
		f.Verdict = Note
	}
	return f, service.write
}

// remedy says what to write, and adds it to what is written. A setting that was given is to be
// changed where that was done.
func (c *Comparison) remedy(settings, write *fixtures.Service) string {
	if settings == nil || jsonOf(settings) == "{}" || settings.Check() != nil || c.secret.in(jsonOf(settings)) {
		return "no setting can say it; campaigns of a user can, with extra, omit or null, and a reply can, with its body"
	}
	for _, setting := range settings.Settings(nil) {
		given := c.Places[setting.Name]
		if given != "" && setting.Value != nil && setting.Name != "seed" { // which always has a value
			return "change " + setting.Name + " at " + given + ", so that it is " + c.Show(*settings)
		}
	}
	*write = write.Overlay(*settings)
	return "write " + c.Show(*settings)
}

// Go returns a value as Go, without the fields that are zero.
func Go(v reflect.Value) string {
	if v.Kind() != reflect.Struct {
		return strings.ReplaceAll(fmt.Sprintf("%#v", v.Interface()), "interface {}", "any")
	}
	var fields []string
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			fields = append(fields, v.Type().Field(i).Name+": "+Go(v.Field(i)))
		}
	}
	return "fixtures." + v.Type().Name() + "{" + strings.Join(fields, ", ") + "}"
}
