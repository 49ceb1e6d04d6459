package observe

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// A finding is what was found out about one thing: a setting, or a fact. It says nothing if the
// service does what every fake does.
type finding struct {
	name     string           // the path of the setting; or answer, types, null, fields or order
	settings fixtures.Service // this one alone
	value    string           // of the setting, as JSON; "" if the settings do not have it
	fact     string           // what no setting says, or ""
}

// names are the names of all findings, in their order.
var names = []string{
	"answer", "types", "null", "fields", "order",
	"unknown_tokens", "extra", "omit", "ids", "timestamps", "statuses", "cors",
	"success.status", "success.headers",
	"responses.missing_token.status",
	"responses.missing_token.headers",
	"responses.missing_token.body",
	"responses.invalid_token.status",
	"responses.invalid_token.headers",
	"responses.invalid_token.body",
	"responses.not_found.status",
	"responses.not_found.headers",
	"responses.not_found.body",
}

// notes are the names of facts that few clients care about.
var notes = []string{"null", "fields", "order", "ids"}

// isNote reports whether a finding is a fact that few clients care about.
func (f finding) isNote() bool { return f.fact != "" && slices.Contains(notes, f.name) }

// CheckSkip returns what is wrong with names to skip: each that neither is the name of a finding
// nor has some of its first words.
func CheckSkip(skip []string) error {
	var errs []error
	for _, skipped := range skip {
		isKnown := slices.ContainsFunc(names, func(name string) bool {
			return isSkipped(name, []string{skipped})
		})
		if isKnown {
			continue
		}
		instead := "write one of " + strings.Join(names, ", ")
		nearest := text.Nearest(skipped, names)
		if nearest != "" {
			instead = "did you mean " + nearest + "?"
		}
		errs = append(errs, fmt.Errorf("nothing that is compared is called %s; %s",
			text.Quote(skipped), instead))
	}
	return errors.Join(errs...)
}

// isSkipped reports whether a finding is left out. To skip responses is to skip
// responses.not_found.body, too.
func isSkipped(name string, skip []string) bool {
	return slices.ContainsFunc(skip, func(skipped string) bool {
		return name == skipped || strings.HasPrefix(name, skipped+".")
	})
}

// findings returns all that was found out, by the names.
func (o *Observation) findings() findings {
	all := maps.Clone(o.found)
	for name, r := range o.refusals {
		r.add(all, name)
	}
	for name, f := range all {
		all[name] = o.shown(f)
	}
	return all
}

type findings map[string]finding

// setting adds a finding that settings say. These are zero if the default, none, says it.
func (all findings) setting(name string, settings fixtures.Service) {
	all[name] = finding{name: name, settings: settings}
}

// fact adds a finding that no setting says; an empty one, if all fakes do the same.
func (all findings) fact(name, fact string) {
	all[name] = finding{name: name, fact: fact}
}

// The bounds of what is shown, in bytes.
const (
	mostFact  = 400
	mostValue = 8 << 10 // of a setting, as JSON; more are texts of customers
)

// shown returns a finding as people may see it: without the token, with the value of its setting,
// or a fact if no file of fixtures can have the setting.
func (o *Observation) shown(f finding) finding {
	f.fact = text.CutToBytes(f.fact, mostFact)
	value, err := f.valueOfSetting()
	switch {
	case err != nil:
		return finding{name: f.name, fact: "what no setting can have"}
	case len(value) > mostValue:
		return finding{name: f.name, fact: "too much to be written"}
	case o.token.IsIn(value + f.fact):
		return finding{name: f.name, fact: "(hidden: it repeats part of the token)"}
	}
	f.value = value
	return f
}

// NotSeen returns what was not found out, but for what is skipped, and why: a sentence for each
// reason.
func (o *Observation) NotSeen(skip []string) []string {
	unseen := make(map[string][]string) // the names, by their reasons
	for name, why := range o.unseen {
		if !isSkipped(name, skip) {
			unseen[why] = append(unseen[why], name)
		}
	}
	var sentences []string
	for _, why := range slices.Sorted(maps.Keys(unseen)) {
		slices.Sort(unseen[why])
		sentences = append(sentences,
			strings.Join(unseen[why], ", ")+": not seen, since the service "+why)
	}
	return sentences
}

// Settings returns the settings that were found out.
func (o *Observation) Settings() fixtures.Service {
	return settingsOf(slices.Collect(maps.Values(o.findings())))
}

// settingsOf returns the settings of findings together.
func settingsOf(list []finding) fixtures.Service {
	var settings fixtures.Service
	for _, f := range list {
		if f.value != "" {
			settings = settings.Overlay(f.settings)
		}
	}
	return settings
}
