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

// names lists the names of all findings, in the order of the output. Names such as success.status
// are the paths of settings. Names such as order are only for facts.
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

// A finding is what an observation found out under one of the names above, such as "ids". It never
// contains the token of the subject. It is zero if the subject behaves as every fake does, or if
// the answers of the subject did not show how it behaves.
type finding struct {
	service fixtures.Service // has only this setting
	yaml    string           // a file of fixtures with only this setting; "" for no setting
	fact    string           // what no setting can express; "" if there is no fact
}

// The bounds of a finding, in bytes.
const (
	mostFact = 400
	mostYAML = 8 << 10 // a longer value probably holds texts of customers
)

// finding returns the finding for a name such as "ids": the setting, the fact, or both. A fact
// replaces a setting that fixtures cannot have, or whose YAML is longer than mostYAML. A finding
// that contains the token becomes a fact that only says so, because no output may show the token.
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

// serviceWith returns settings in which only one value is set, at a path such as "success.status".
// It fails if this value is not valid in fixtures.
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

// yamlOf returns settings as a file of fixtures, and "" if there is a mistake in the settings.
func yamlOf(service fixtures.Service) string {
	var file strings.Builder
	set := fixtures.Set{Service: service}
	set.WriteYAML(&file)
	return file.String()
}

// visible returns a printable character as it is, and U+FFFD in place of any other character. Facts
// become comments of YAML, and a line break would end such a comment.
func visible(r rune) rune {
	if strconv.IsPrint(r) {
		return r
	}
	return utf8.RuneError
}

// hasSeen reports whether the service has shown enough for the finding with a name, such as "ids".
// If so, the observation has a setting or a fact with this name. Its value may be nil or "".
func (o *Observation) hasSeen(name string) bool {
	_, isSetting := o.settings[name]
	_, isFact := o.facts[name]
	return isSetting || isFact
}

// notes are the names of facts that few clients care about.
var notes = []string{"null", "fields", "order", "ids"}

// comment returns a fact as a comment of YAML, on a line of its own.
func comment(name, fact string) string {
	if slices.Contains(notes, name) {
		name = "note on " + name
	}
	return "# " + name + ": " + fact + "\n"
}

// Settings returns the settings that the observation found out.
func (o *Observation) Settings() fixtures.Service {
	var service fixtures.Service
	for _, name := range names {
		service = service.Overlay(o.finding(name).service)
	}
	return service.Clone() // Clone writes each Body that is not text as JSON
}

// YAML returns a file of fixtures with the settings, and with the facts as comments.
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

// NotSeen says which findings are missing because the service has not shown them. It returns one
// sentence for each reason, for example "ids, omit: not seen, since the service shows no campaigns
// to this token". It leaves out the names in the argument `skip`.
func (o *Observation) NotSeen(skip []string) []string {
	unseen := make(map[string][]string) // names by reason
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

// CheckSkip returns an error if a name in skip is neither the name of a finding, such as ids, nor
// the beginning of such names, such as responses.
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

// isSkipped reports whether the list skip leaves out the finding with a name. The entry "responses"
// leaves out each finding below it, such as responses.not_found.body.
func isSkipped(name string, skip []string) bool {
	return slices.ContainsFunc(skip, func(skipped string) bool {
		return name == skipped || strings.HasPrefix(name, skipped+".")
	})
}
