package observe

import (
	"maps"
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
	ofFake := fake.findings()
	ofService := service.findings()
	maps.DeleteFunc(ofService, func(name string, _ finding) bool { return isSkipped(name, skip) })

	d := &Difference{NotSeen: service.NotSeen(skip)}
	var differing []finding
	for _, name := range names {
		f, isThere := ofService[name]
		if !isThere || isSame(f, ofFake[name]) {
			continue
		}
		response, isBody := strings.CutSuffix(name, ".body")
		headers := ofService[response+".headers"]
		if isBody && isSame(headers, ofFake[headers.name]) {
			// The type of a body follows from the body, unless the headers are written, too.
			differing = append(differing, headers)
		}
		differing = append(differing, f)
		if !f.isNote() {
			d.Names = append(d.Names, name)
		}
	}
	d.Service = settingsOf(differing)
	d.YAML = diff(ofFake, ofService, differing)
	return d
}

func isSame(a, b finding) bool { return a.value == b.value && a.fact == b.fact }

// diff returns findings that differ as lines of YAML: facts first.
func diff(ofFake, ofService findings, differing []finding) string {
	f := file{margin: " "}
	for _, found := range differing {
		own := ofFake[found.name]
		if own.fact != "" {
			f.fact("-", own)
		}
		if found.fact != "" {
			f.fact("+", found)
		}
	}
	for _, found := range differing {
		own := ofFake[found.name]
		isReplaced := own.value != found.value && found.fact == ""
		if own.value != "" && isReplaced {
			f.setting("-", own)
		}
		if found.value != "" {
			f.setting("+", found)
		}
	}
	return f.text.String()
}
