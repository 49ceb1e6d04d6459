package observe

import (
	"slices"
	"strings"

	"example.com/campaignfake/fixtures"
)

// A Difference says how a fake and a service differ.
type Difference struct {
	Names   []string         // the findings that differ, but not the facts of the list notes
	Service fixtures.Service // the settings in which the service differs from the fake
	NotSeen []string         // sentences that say what the service has not shown, and why
	YAML    string           // lines with - (fake) and + (service); "" if there is no difference
}

// Between returns the difference of two observations, without the names in the argument skip. It
// changes the settings of the argument fake. A placeholder in service, such as "…", replaces the
// value that fake has at the same place. It replaces only a value of the same kind, such as a text.
// So a value that differs from answer to answer is no difference.
func Between(fake, service *Observation, skip []string) *Difference {
	for name, value := range fake.settings {
		fake.settings[name] = aligned(value, service.settings[name])
	}
	d := &Difference{NotSeen: service.NotSeen(skip)}
	var facts, settings diff
	for _, name := range names {
		own := fake.finding(name)
		f := service.finding(name)
		isSame := own.yaml == f.yaml && own.fact == f.fact
		if isSame || isSkipped(name, skip) || !service.hasSeen(name) {
			continue
		}
		isNote := f.fact != "" && slices.Contains(notes, name)
		if !isNote {
			d.Names = append(d.Names, name)
		}
		facts.fact("-", name, own.fact)
		facts.fact("+", name, f.fact)
		response, isBody := strings.CutSuffix(name, ".body")
		if isBody {
			// Without headers in the settings, a fake derives the Content-Type from the body. So
			// the settings get the headers, too.
			headers := service.finding(response + ".headers")
			d.Service = d.Service.Overlay(headers.service)
			if headers.yaml == fake.finding(response+".headers").yaml {
				settings.setting("+", response+".headers", headers.yaml)
			}
		}
		if f.fact == "" { // otherwise the service has a fact, and no setting for a + line
			settings.setting("-", name, own.yaml)
		}
		settings.setting("+", name, f.yaml)
		d.Service = d.Service.Overlay(f.service)
	}
	d.Service = d.Service.Clone() // Clone turns a body that is not text into JSON
	d.YAML = facts.text + settings.text
	return d
}

// A diff is a text of YAML lines. Each line begins with a mark: - for the fake, + for the service,
// or a space for a key above other keys.
type diff struct {
	text  string
	above []string // the line of the last key at each depth, such as "service:\n"
}

func (d *diff) fact(mark, name, fact string) {
	if fact != "" {
		d.text += mark + comment(name, fact)
	}
}

func (d *diff) setting(mark, name, yaml string) {
	var lines []string
	for line := range strings.Lines(yaml) {
		lines = append(lines, line)
	}
	keys := strings.Split("service."+name, ".")
	for depth, key := range keys[:len(keys)-1] {
		line := strings.Repeat("  ", depth) + key + ":\n"
		if len(lines) == 0 || lines[0] != line {
			break
		}
		lines = lines[1:]
		isThere := depth < len(d.above) && d.above[depth] == line
		if !isThere {
			d.text += " " + line
			d.above = append(d.above[:depth], line)
		}
	}
	for _, line := range lines {
		d.text += mark + line
	}
}
