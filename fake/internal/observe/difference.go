package observe

import (
	"strings"

	"example.com/campaignfake/fixtures"
)

// A Difference is in what a fake and a service are not the same.
type Difference struct {
	Names   []string         // of what differs, but for what few clients care about
	Service fixtures.Service // the settings of the service, where they differ
	NotSeen []string         // what the service has not shown, and why; a sentence each
	YAML    string           // - is the fake, and + the service; "" if all is the same
}

// Between returns the difference of two observations, without what is skipped.
func Between(fake, service *Observation, skip []string) *Difference {
	for name, r := range fake.refusals {
		ofService := service.refusals[name]
		if ofService != nil {
			r.align(ofService)
		}
	}
	d := &Difference{NotSeen: service.NotSeen(skip)}
	ofFake := fake.findings()
	ofService := service.findings()
	differing := make(findings)
	var facts, settings diff
	for _, name := range names {
		own := ofFake[name]
		f, isThere := ofService[name]
		if !isThere || isSkipped(name, skip) || isSame(own, f) {
			continue
		}
		if !f.isNote() {
			d.Names = append(d.Names, name)
		}
		facts.fact("-", own)
		facts.fact("+", f)
		response, isBody := strings.CutSuffix(name, ".body")
		headers := ofService[response+".headers"]
		if isBody && isSame(headers, ofFake[headers.name]) {
			// The type of a body follows from it, unless the headers are written, too.
			settings.setting("+", headers)
			differing[headers.name] = headers
		}
		if f.fact == "" { // else what the fake does is not to be taken away
			settings.setting("-", own)
		}
		settings.setting("+", f)
		differing[name] = f
	}
	d.Service = differing.settings()
	d.YAML = facts.text + settings.text
	return d
}

// A diff is findings as lines of YAML, with a mark before each. The mark of a key that settings
// stand under is a space.
type diff struct {
	text  string
	above []string // the keys that the last setting stands under
}

func (d *diff) fact(mark string, f finding) {
	if f.fact != "" {
		d.text += mark + f.comment()
	}
}

func (d *diff) setting(mark string, f finding) {
	if f.json == "" {
		return
	}
	lines := strings.SplitAfter(findings{f.name: f}.yaml(), "\n")
	keys := strings.Split("service."+f.name, ".")
	for depth, key := range keys[:len(keys)-1] {
		line := strings.Repeat("  ", depth) + key + ":\n"
		if lines[0] != line {
			break
		}
		lines = lines[1:]
		isThere := depth < len(d.above) && d.above[depth] == line
		if !isThere {
			d.text += " " + line
			d.above = append(d.above[:depth], line)
		}
	}
	for _, line := range lines[:len(lines)-1] { // behind the last \n there is nothing
		d.text += mark + line
	}
}
