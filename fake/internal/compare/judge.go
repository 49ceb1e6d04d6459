package compare

import (
	"cmp"
	"reflect"

	"example.com/campaignfake/fixtures"
)

// The verdicts of findings.
const (
	Differs = "differs"
	Note    = "note"
	NotSeen = "not seen"
	Same    = "same"
)

// verdicts are in the order in which findings are returned.
var verdicts = []string{Differs, Note, NotSeen, Same}

// A Finding is what was found in one aspect. It becomes a fake.Finding, which has the same fields.
type Finding struct {
	Name    string
	Verdict string
	Service string // what the service does; if that was not seen, why
	Fake    string // what the fake does
	LeftOut string // which parts of the answer are not compared, and why
	Remedy  Remedy
}

// A Remedy says what to do so that the fake does what the service does.
type Remedy struct {
	Action   string           // "" where nothing differs, or nothing was seen
	Settings fixtures.Service // to write, or to change the setting to
	Place    fixtures.Place   // where the setting is that is to be changed or removed
}

// The actions of remedies.
const (
	Write     = "write"      // the settings are to be written
	Change    = "change"     // the fake has another setting, which is to be changed to these
	Remove    = "remove"     // the fake has a setting, and does the same without it
	NoSetting = "no setting" // no setting can say what the service does
)

// A judge makes the findings of what was seen of both sides.
type judge struct {
	service  *observation
	fake     *observation
	findings []Finding
	write    fixtures.Service // the settings to write for all these findings
}

// judge adds the finding about an aspect, unless another aspect says it.
func (j *judge) judge(a aspect) {
	why, isMissing := j.service.missing[a.asks]
	if isMissing {
		j.findings = append(j.findings, Finding{
			Name:    a.name,
			Verdict: NotSeen,
			Service: "the service " + why,
		})
		return
	}
	service := a.conclude(j.service)
	fake := a.conclude(j.fake)
	if service.text == "" {
		return
	}
	finding := Finding{
		Name:    a.name,
		Verdict: verdictOn(service, fake),
		Service: j.service.shown(service.text),
		Fake:    j.fake.shown(fake.text),
		LeftOut: j.service.omissionsText(service.leftOut),
	}
	if finding.Verdict != Same {
		finding.Remedy = j.remedy(a, service)
	}
	if finding.Remedy.Action == Write {
		j.write = j.write.Overlay(finding.Remedy.Settings)
	}
	j.findings = append(j.findings, finding)
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

// remedy returns what to do so that the fake does what was concluded about the service.
func (j *judge) remedy(a aspect, service conclusion) Remedy {
	if !service.hasSettings || !j.service.canBeWritten(service.settings) {
		return Remedy{Action: NoSetting}
	}
	settings := service.settings.Clone() // which may have values of the fake
	needsNone := reflect.ValueOf(settings).IsZero()
	place := j.service.places[cmp.Or(a.setting, a.name)]
	isPlaced := place != fixtures.Place{}
	switch {
	case needsNone && isPlaced:
		return Remedy{Action: Remove, Place: place}
	case needsNone:
		return Remedy{Action: NoSetting}
	case isPlaced:
		return Remedy{Action: Change, Settings: settings, Place: place}
	}
	together := j.write.Overlay(settings)
	if together.Check() != nil {
		return Remedy{Action: NoSetting} // beside what other findings write it is wrong
	}
	return Remedy{Action: Write, Settings: settings}
}
