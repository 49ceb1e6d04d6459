package observe

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// The verdicts of a Finding.
const (
	Agrees  = "agrees"
	Differs = "differs" // two requests have shown it
	Warning = "warning" // new, seen once, or nothing that a setting can say
	Unknown = "unknown" // it was not seen
)

// A Finding is one trait of the fake beside that of the service.
type Finding struct {
	Setting string
	Verdict string
	Fake    any // what is concluded of the fake; nil if nothing is
	Real    any // what is concluded of the service; nil if nothing is
	Note    string
}

// Compare returns what two services have in common, and what not. Statuses are those
// that the fake can have.
func Compare(fake, real Traits, statuses []string) (findings []Finding) {
	both := make(Traits)
	maps.Copy(both, fake)
	maps.Copy(both, real)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		ours, hasOurs := fake[name]
		theirs, hasTheirs := real[name]
		f := Finding{Setting: name, Fake: ours.Value, Real: theirs.Value}
		switch {
		case hasOurs != hasTheirs && strings.HasPrefix(name, "campaign."): // omit or ids says so
			continue
		case !hasTheirs && strings.HasPrefix(name, "fields."):
			f.gone(real)
		case !hasTheirs:
			f.Verdict, f.Note = Unknown, "it was not seen"
		default:
			f.judge(theirs, hasOurs, statuses)
		}
		findings = append(findings, f)
	}
	return findings
}

// gone judges a field that only the fake has.
func (f *Finding) gone(real Traits) {
	campaigns, seen := real["omit"]
	if f.Verdict, f.Note = Differs, "the service has no such field"; !seen {
		f.Verdict, f.Note = Unknown, "there was no campaign to see it in"
	} else if campaigns.Once {
		f.Verdict, f.Note = Warning, "seen once"
	}
}

// judge compares what both have.
func (f *Finding) judge(theirs Trait, hasOurs bool, statuses []string) {
	switch name := f.Setting; {
	case !hasOurs && strings.HasPrefix(name, "fields."):
		f.Verdict, f.Note = Warning, "the field is new"
	case name == "statuses":
		f.judgeStatuses(statuses)
	case strings.HasPrefix(name, "fields."), strings.HasPrefix(name, "campaign."):
		f.judgeField()
	case strings.HasSuffix(name, ".body"):
		f.judgeBody()
	case same(f.Fake, f.Real):
		f.Verdict = Agrees
	case name == "beside" && fits(f.Fake, f.Real) && hasKeys(f.Fake, f.Real):
		f.Verdict, f.Note = Warning, "something is null, or empty, in one of the two alone"
	case name == "timestamps" && f.Real == "":
		f.Verdict, f.Note = Differs, "the dates are written in none of the known layouts"
	case name == "ids" && isDigits(f.Fake) && isDigits(f.Real):
		f.Verdict, f.Note = Warning, "digits alone, of which a sequence and a pattern look alike"
	case name == "ids" && f.Real == "":
		f.Verdict, f.Note = Warning, "the ids are of no kind that a setting has"
	case name == "nested":
		f.Verdict, f.Note = Differs, "the list is where no setting can put it"
	case withoutSetting[name] != "":
		f.Verdict, f.Note = Warning, withoutSetting[name]
	default:
		f.Verdict = Differs
	}
	if f.Verdict == Differs && theirs.Once {
		f.Verdict, f.Note = Warning, "seen once"
	}
}

// withoutSetting are the traits that no setting can say.
var withoutSetting = map[string]string{
	"headers": "headers about limits, which success.headers can send; --skip headers leaves them out",
	"head":    "no setting answers HEAD in another way; --skip head leaves it out",
	"query":   "no setting answers a query in another way; --skip query leaves it out",
	"accept":  "no setting looks at Accept; --skip accept leaves it out",
	"fields":  "so many fields have names that look like data, and are left out",
}

// isDigits reports whether ids of a setting are digits alone.
func isDigits(ids any) bool {
	setting, ok := ids.(string)
	return ok && setting != "" && (setting == "sequence" || strings.Trim(setting, "#") == "")
}

// judgeStatuses looks for statuses that the fake does not have. That others were not
// seen means nothing.
func (f *Finding) judgeStatuses(ours []string) {
	f.Fake, f.Verdict = ours, Agrees
	seen, _ := f.Real.([]string)
	if !all(seen, func(status string) bool { return slices.Contains(ours, status) }) {
		f.Verdict, f.Note = Warning, "the service has a status that is new"
	}
}

// judgeField compares a field. What may depend on the campaigns of that day is a
// warning at most.
func (f *Finding) judgeField() {
	ours, ok := f.Fake.(Field)
	theirs := f.Real.(Field)
	isDocumented := strings.HasPrefix(f.Setting, "campaign.")
	f.Verdict = Agrees
	switch {
	case !ok, isDocumented && (theirs.Missing > 0 || theirs.Type == "null" || theirs.Type == "mixed"):
		f.Verdict = Differs
	case theirs.Type == "null" != (ours.Type == "null"):
		f.Verdict, f.Note = Warning, "it is null in all campaigns of one of the two"
	case theirs.Type == "mixed":
		f.Verdict, f.Note = Warning, "it is of several types, which no setting can say"
	case !typeFits(ours.Type, theirs.Type):
		f.Verdict, f.Note = Differs, "it is of another type"
	case ours.Null == 0 && theirs.Null > 0:
		f.Verdict, f.Note = Differs, "it can be null"
	case ours.Kind != theirs.Kind && theirs.seen >= fewTexts:
		f.Verdict, f.Note = Differs, "its texts are of another kind"
	case !fits(ours.Shape, theirs.Shape):
		f.Verdict, f.Note = Differs, "it has other types inside"
	case !hasKeys(ours.Shape, theirs.Shape):
		f.Verdict, f.Note = Warning, "it has other keys inside"
	case theirs.Null == 0 && ours.Null > 0 && isTold(ours, theirs):
		f.Verdict, f.Note = Warning, "it was never null"
	case isFar(ours, theirs):
		f.Verdict, f.Note = Warning, "it is null much more or less often"
	case theirs.Missing > 0:
		f.Verdict, f.Note = Warning, "some campaigns do not have it, which no setting can say"
	}
	if f.Verdict == Differs && isDocumented {
		f.Note = "a documented field that is not as documented; no setting can say it"
	}
}

// isTold reports whether so many campaigns would have shown a null that is as frequent
// as in the fake.
func isTold(ours, theirs Field) bool {
	return math.Pow(1-ours.Null, float64(theirs.count)) < 1e-6
}

// isFar reports whether two shares of null differ more than chance explains.
func isFar(a, b Field) bool {
	p := (a.Null + b.Null) / 2
	deviation := math.Sqrt(p * (1 - p) * (1/float64(max(a.count, 1)) + 1/float64(max(b.count, 1))))
	return math.Abs(a.Null-b.Null) > 6*deviation+0.01
}

// judgeBody compares the keys, the types, and the texts that are known of both.
func (f *Finding) judgeBody() {
	ours, ok := f.Fake.(body)
	theirs, alsoOK := f.Real.(body)
	ourShape, theirShape := shapeOf(ours.Value, 0), shapeOf(theirs.Value, 0)
	f.Verdict = Agrees
	switch {
	case !ok || !alsoOK || ours.Kind != theirs.Kind || !fits(ourShape, theirShape) || !hasKeys(ourShape, theirShape):
		f.Verdict = Differs
	case !same(ourShape, theirShape):
		f.Verdict, f.Note = Warning, "something is null, or empty, in one of the two alone"
	case !sameTexts(ours.Value, theirs.Value):
		f.Verdict, f.Note = Warning, "the texts are others"
	}
}
