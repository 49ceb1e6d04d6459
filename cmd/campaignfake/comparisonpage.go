package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// pageWidth is how many columns the page has that compare prints.
const pageWidth = 100

// noSettings is the YAML of settings that are all left as they are.
const noSettings = "users: {}\n"

// A comparisonPage is what compare prints: a table of what differs, the settings to write, and
// notes.
type comparisonPage struct {
	findings []fake.Finding
	write    string // the settings to write, as YAML
	change   string // the settings to change in the fixtures, as YAML
	file     string // the file for the settings to write; "" if they are only printed
}

// newComparisonPage returns the page of a comparison. The settings to write go to a file, unless
// its name is "".
func newComparisonPage(result *fake.Comparison, file string) (*comparisonPage, error) {
	var change fixtures.Service
	for _, f := range result.Findings {
		if f.Remedy.Action == fake.RemedyChange {
			change = change.Overlay(f.Remedy.Settings)
		}
	}
	p := &comparisonPage{findings: result.Findings, file: file}
	var err error
	p.write, err = settingsYAML(result.Settings)
	if err != nil {
		return nil, err
	}
	p.change, err = settingsYAML(change)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// writeFile writes the settings to their file, if there are any and they have one. If that fails,
// the page has them without a file.
func (p *comparisonPage) writeFile() error {
	if p.file == "" || p.write == noSettings {
		return nil
	}
	err := os.WriteFile(p.file, []byte(p.write), 0o644)
	if err != nil {
		p.file = ""
		return writeError(err)
	}
	return nil
}

// settingsYAML returns settings as a file of fixtures.
func settingsYAML(settings fixtures.Service) (string, error) {
	var file strings.Builder
	set := fixtures.Set{Service: settings}
	err := set.WriteYAML(&file)
	return file.String(), err
}

// with returns the findings that have a verdict.
func (p *comparisonPage) with(verdict string) []fake.Finding {
	var found []fake.Finding
	for _, f := range p.findings {
		if f.Verdict == verdict {
			found = append(found, f)
		}
	}
	return found
}

// String returns the page.
func (p *comparisonPage) String() string {
	page := p.headline() + "\n"
	rows := slices.Concat(p.with(fake.VerdictDiffers), p.with(fake.VerdictNote))
	if len(rows) > 0 {
		page += "\n" + table(rows)
	}
	if p.write != noSettings {
		heading := "To have the fake do the same, write:"
		if p.file != "" {
			heading = "Written to " + p.file + ", to be served beside your own fixtures:"
		}
		page += "\n" + heading + "\n\n" + p.write
	}
	if p.change != noSettings {
		heading := wrapped("To be changed in your fixtures, "+p.places()+":", pageWidth)
		page += "\n" + strings.Join(heading, "\n") + "\n\n" + p.change
	}
	page += "\nNotes:\n\n"
	for _, note := range p.notes() {
		lines := wrapped(note, pageWidth-2)
		page += "- " + strings.Join(lines, "\n  ") + "\n"
	}
	return page
}

// headline says how true the fake is.
func (p *comparisonPage) headline() string {
	differing := len(p.with(fake.VerdictDiffers))
	isSmall := len(p.with(fake.VerdictNote)) > 0
	line := "The fake does what the service does"
	switch {
	case differing == 1:
		line = "The fake differs from the service in 1 thing"
	case differing > 1:
		line = fmt.Sprintf("The fake differs from the service in %d things", differing)
	case isSmall:
		line += ", but for small things"
	case len(p.with(fake.VerdictSame)) == 0:
		return "Nothing was seen of the service."
	}
	if len(p.with(fake.VerdictNotSeen)) > 0 {
		line += ", as far as it was seen"
	}
	return line + "."
}

// places says where the settings to change are.
func (p *comparisonPage) places() string {
	var places []string
	for _, f := range p.findings {
		place := "at " + f.Remedy.Place.String()
		isNew := !slices.Contains(places, place)
		if f.Remedy.Action == fake.RemedyChange && isNew {
			places = append(places, place)
		}
	}
	return strings.Join(places, ", ")
}

// notes returns what else there is to know, each thing once.
func (p *comparisonPage) notes() []string {
	var notes []string
	if p.file != "" && p.write == noSettings {
		notes = append(notes, p.file+" is not written: there is no setting to add to yours")
	}
	var unsayable []string
	hasExtra := false
	for _, f := range slices.Concat(p.with(fake.VerdictDiffers), p.with(fake.VerdictNote)) {
		switch f.Remedy.Action {
		case fake.RemedyWrite, fake.RemedyChange:
			if f.Name == "extra" {
				hasExtra = true
			}
		case fake.RemedyRemove:
			place := f.Remedy.Place.String()
			notes = append(notes, "take the setting away that "+place+" has for "+f.Name)
		case fake.RemedyNoSetting:
			unsayable = append(unsayable, f.Name)
		}
	}
	if len(unsayable) > 0 {
		notes = append(notes, "no setting says "+strings.Join(unsayable, ", ")+"; "+
			"campaigns that are written out can, or the body of a reply, and --skip leaves it out")
	}
	if hasExtra {
		notes = append(notes, "a value of extra is empty where that of the service is its "+
			`customers' own; write yours there, or a template such as "{firstname}"`)
	}
	for _, group := range byReason(p.findings, leftOut) {
		notes = append(notes, "not compared in "+group)
	}
	for _, group := range byReason(p.with(fake.VerdictNotSeen), notSeen) {
		notes = append(notes, "not seen are "+group)
	}
	small := p.with(fake.VerdictNote)
	if len(small) > 0 {
		notes = append(notes, "small, so that they fail nothing: "+namesOf(small))
	}
	same := p.with(fake.VerdictSame)
	if len(same) > 0 {
		notes = append(notes, "the same are "+namesOf(same))
	}
	return notes
}

func namesOf(findings []fake.Finding) string {
	names := make([]string, len(findings))
	for i, f := range findings {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

func leftOut(f fake.Finding) string { return f.LeftOut }

func notSeen(f fake.Finding) string { return f.Service }

// byReason groups findings that have the same reason. It returns a text for each reason, with the
// names of its findings.
func byReason(findings []fake.Finding, reasonOf func(fake.Finding) string) []string {
	var reasons []string
	groups := make(map[string][]fake.Finding)
	for _, f := range findings {
		reason := reasonOf(f)
		if reason == "" {
			continue
		}
		if groups[reason] == nil {
			reasons = append(reasons, reason)
		}
		groups[reason] = append(groups[reason], f)
	}
	texts := make([]string, len(reasons))
	for i, reason := range reasons {
		texts[i] = namesOf(groups[reason]) + ": " + reason
	}
	return texts
}

// table returns a row for each finding: what it is about, what the service does, and what the fake
// does.
func table(findings []fake.Finding) string {
	const gap = 2
	const most = 3 // lines of a row
	first := len("what")
	for _, f := range findings {
		first = max(first, len(f.Name))
	}
	other := (pageWidth - first - 2*gap) / 2
	text := tableLine(first+gap, other+gap, "what", "the service", "the fake")
	for _, f := range findings {
		service := shortened(wrapped(f.Service, other), most)
		own := shortened(wrapped(f.Fake, other), most)
		name := f.Name
		for i := range max(len(service), len(own)) {
			text += tableLine(first+gap, other+gap, name, lineAt(service, i), lineAt(own, i))
			name = ""
		}
	}
	return text
}

// tableLine returns a line of three cells. The first has one width, and the others have another.
func tableLine(first, other int, what, service, own string) string {
	line := fmt.Sprintf("%-*s%-*s%s", first, what, other, service, own)
	return strings.TrimRight(line, " ") + "\n"
}

// lineAt returns a line of a cell, "" beyond its end.
func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// shortened returns the first lines. If there are more, the last of them ends with … instead.
func shortened(lines []string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	lines = slices.Clone(lines[:most])
	last := []rune(lines[most-1])
	lines[most-1] = string(last[:len(last)-1]) + "…"
	return lines
}

// wrapped breaks a text into lines of at most so many characters. A service may send bytes in a
// header that are no UTF-8: such a run of bytes becomes one character.
func wrapped(text string, width int) []string {
	text = strings.ToValidUTF8(text, "\ufffd")
	var lines []string
	for utf8.RuneCountInString(text) > width {
		end := breakBefore(string([]rune(text)[:width+1]))
		lines = append(lines, text[:end])
		text = strings.TrimPrefix(text[end:], " ")
	}
	return append(lines, text)
}

// breakBefore returns where to break a text whose last character does not fit: at a space, behind a
// sign, or before that character.
func breakBefore(text string) int {
	space := strings.LastIndexByte(text, ' ')
	if space > len(text)/3 {
		return space
	}
	_, last := utf8.DecodeLastRuneInString(text)
	fits := text[:len(text)-last]
	sign := strings.LastIndexAny(fits, `,;/\`)
	if sign > len(text)/2 {
		return sign + 1
	}
	return len(fits)
}
