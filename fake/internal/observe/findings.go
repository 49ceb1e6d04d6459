package observe

import (
	"encoding/json"
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

// names are the names of all findings, in their order: facts, and the paths of settings.
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

// A finding is what was found out about one thing, as people may see it. It says nothing if the
// subject does what every fake does.
type finding struct {
	service fixtures.Service // the setting alone
	yaml    string           // a file that has the setting alone, or "" if there is none
	fact    string           // what no setting says, or ""
}

// The bounds of a finding, in bytes.
const (
	mostFact = 400
	mostYAML = 8 << 10 // a longer value probably holds texts of customers
)

// finding returns what was found out about one thing. It is without the token, and has a fact in
// the place of a setting that no file of fixtures can have.
func (o *Observation) finding(name string) finding {
	f := finding{fact: o.facts[name]}
	var err error
	value := o.settings[name]
	if value != nil {
		f.service, err = serviceWith(name, value)
		f.yaml = yamlOf(f.service)
	}
	switch {
	case err != nil:
		f = finding{fact: "what no setting can have"}
	case o.token.IsIn(f.yaml + f.fact):
		f = finding{fact: "(hidden: it repeats the token)"}
	case len(f.yaml) > mostYAML:
		f = finding{fact: "too much to be written"}
	}
	f.fact = strings.Map(visible, text.CutToBytes(f.fact, mostFact))
	return f
}

// serviceWith returns the settings that have a value at a path.
func serviceWith(path string, value any) (fixtures.Service, error) {
	for _, key := range slices.Backward(strings.Split(path, ".")) {
		value = map[string]any{key: value}
	}
	var service fixtures.Service
	decoder := json.NewDecoder(strings.NewReader(jsonOf(value)))
	decoder.UseNumber()
	err := decoder.Decode(&service)
	if err != nil {
		return fixtures.Service{}, err
	}
	return service, service.Check()
}

// yamlOf returns settings, which have no mistakes, as a file of fixtures.
func yamlOf(service fixtures.Service) string {
	var file strings.Builder
	set := fixtures.Set{Service: service}
	set.WriteYAML(&file)
	return file.String()
}

// visible returns a character as a comment may have it: it replaces what cannot be seen.
func visible(r rune) rune {
	if strconv.IsPrint(r) {
		return r
	}
	return utf8.RuneError
}

// hasSeen reports whether the observation covers a name, also if it has found nothing there.
func (o *Observation) hasSeen(name string) bool {
	_, isSetting := o.settings[name]
	_, isFact := o.facts[name]
	return isSetting || isFact
}

// notes are the names of facts that few clients care about.
var notes = []string{"null", "fields", "order", "ids"}

// comment returns a fact as a line of YAML.
func comment(name, fact string) string {
	if slices.Contains(notes, name) {
		name = "note on " + name
	}
	return "# " + name + ": " + fact + "\n"
}

// Settings returns the settings that were found out.
func (o *Observation) Settings() fixtures.Service {
	var service fixtures.Service
	for _, name := range names {
		service = service.Overlay(o.finding(name).service)
	}
	return service.Clone() // in which bodies are JSON
}

// YAML returns the settings as a file of fixtures, which has the facts as comments.
func (o *Observation) YAML() string {
	file := ""
	for _, name := range names {
		fact := o.finding(name).fact
		if fact != "" {
			file += comment(name, fact)
		}
	}
	return file + yamlOf(o.Settings())
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
