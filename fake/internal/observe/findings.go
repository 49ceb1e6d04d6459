package observe

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// A finding is what was found out about one thing: a setting, or a fact. It says nothing if the
// service does what every fake does.
type finding struct {
	name     string           // the path of the setting; or answer, types, null, fields or order
	settings fixtures.Service // this one alone
	json     string           // the settings as JSON, or "" if there are none
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

// comment returns the fact of a finding as a line of YAML.
func (f finding) comment() string { return "# " + f.name + ": " + f.fact + "\n" }

// isSame reports whether two findings about the same thing say the same.
func isSame(a, b finding) bool { return a.json == b.json && a.fact == b.fact }

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
	mostFact    = 400
	mostSetting = 8 << 10 // as JSON; more are texts of customers
)

// shown returns a finding as people may see it: without the token, and with a fact in the place of
// a setting that no file of fixtures can have.
func (o *Observation) shown(f finding) finding {
	written, err := text.AppendJSON(nil, f.settings)
	f.fact = strings.Map(visible, text.CutToBytes(f.fact, mostFact))
	switch {
	case err != nil:
		return finding{name: f.name, fact: "what no setting can have"}
	case len(written) > mostSetting:
		return finding{name: f.name, fact: "too much to be written"}
	case o.token.IsIn(string(written)) || o.token.IsIn(f.fact):
		return finding{name: f.name, fact: "(hidden: it repeats the token)"}
	case string(written) != "{}":
		f.json = string(written)
	}
	return f
}

// visible returns a character of a comment, or one that stands for what cannot be seen.
func visible(r rune) rune {
	if strconv.IsPrint(r) {
		return r
	}
	return utf8.RuneError
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
func (o *Observation) Settings() fixtures.Service { return o.findings().settings() }

// settings returns the settings of all findings together.
func (all findings) settings() fixtures.Service {
	var settings fixtures.Service
	for _, f := range all {
		settings = settings.Overlay(f.settings)
	}
	return settings
}

// YAML returns the settings as a file of fixtures, which has the facts as comments.
func (o *Observation) YAML() string { return o.findings().yaml() }

func (all findings) yaml() string {
	var file strings.Builder
	for _, name := range names {
		if all[name].fact != "" {
			file.WriteString(all[name].comment())
		}
	}
	set := fixtures.Set{Service: all.settings()}
	set.WriteYAML(&file) // no setting has a mistake
	return file.String()
}
