package observe

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// A rule compares what is known of one path. Its verdict is "" if it finds nothing.
type rule func(f, r *node) (verdict, note string)

// settingRules are those of the settings that make the values of documented fields.
var settingRules = map[string]rule{"ids": judgeIDs, "timestamps": judgeDates}

// pathRules judge what these settings leave, and all values that no setting makes.
var pathRules = map[string][]rule{
	"":           {judgeTypes, judgeKind, judgeValues, judgeNulls},
	"ids":        {judgeEmpty, judgeNulls},
	"names":      {judgeTypes, judgeEmpty, judgeNulls},
	"timestamps": {judgeNulls},
	"statuses":   {judgeTypes, judgeNulls},
}

// settingOf returns the value of ids or timestamps that makes such values, "" if none
// does.
func settingOf(setting string, n *node) string {
	switch {
	case setting == "ids" && n.is("integer"):
		return "integers"
	case setting == "ids" && n.is("string"):
		return idsOf(n.values["string"])
	case setting == "timestamps" && n.is(n.mainType()):
		return n.kinds[n.mainType()].setting
	}
	return ""
}

// judgeIDs compares ids. Digits alone may be a sequence, or a pattern.
func judgeIDs(f, r *node) (verdict, note string) {
	ours, theirs := settingOf("ids", f), settingOf("ids", r)
	digits := func(ids string) bool { return ids == "sequence" || ids != "" && strings.Trim(ids, "#") == "" }
	switch {
	case f.is("integer") != r.is("integer"):
		return Differs, ""
	case ours == theirs, theirs == "" && r.is("string") && len(distinct(r.values["string"])) < 2:
		return Agrees, ""
	case digits(ours) && digits(theirs):
		return Warning, "digits alone, of which a sequence and a pattern look alike"
	case theirs == "" && r.is("string"):
		return Warning, "the ids are of no kind that a setting has"
	}
	return Differs, ""
}

// judgeDates compares documented dates.
func judgeDates(f, r *node) (verdict, note string) {
	if f.is("integer") != r.is("integer") {
		return Differs, "it is of another type"
	}
	verdict, note = judgeFit(f.kinds[f.mainType()], f.values[f.mainType()], r.values[f.mainType()])
	return cmp.Or(verdict, Agrees), note
}

// judgeTypes compares types. Whole numbers are numbers.
func judgeTypes(f, r *node) (verdict, note string) {
	isNew := func(name string) bool {
		isNumber := name == "integer" || name == "number"
		return f.count(name) == 0 && !(isNumber && f.count("integer")+f.count("number") > 0)
	}
	switch {
	case !slices.ContainsFunc(r.typesOf(), isNew):
		return "", ""
	case f.isNull():
		return Warning, "it is not always null"
	}
	return Differs, "it is of another type"
}

// judgeNulls compares how often a value is null or absent.
func judgeNulls(f, r *node) (verdict, note string) {
	for _, lack := range []struct {
		ours, of      int
		theirs, could int
		what          string
	}{{f.count("null"), f.there, r.count("null"), r.there, "null"}, {f.of - f.there, f.of, r.of - r.there, r.of, "absent"}} {
		ours, theirs := share(lack.ours, lack.of), share(lack.theirs, lack.could)
		switch {
		case lack.theirs > 0 && lack.ours == 0:
			return Differs, "it can be " + lack.what
		case theirs == 1 && ours < 1 && math.Pow(ours, float64(lack.could)) < improbable:
			return Differs, "it is always " + lack.what
		case ours < 1 && theirs < 1 && isFar(ours, lack.of, theirs, lack.could):
			verdict, note = Warning, "it is "+lack.what+" much more or less often"
		}
	}
	return verdict, note
}

// isFar reports whether two shares differ more than chance explains.
func isFar(a float64, ofA int, b float64, ofB int) bool {
	p := (a + b) / 2
	deviation := math.Sqrt(p * (1 - p) * (1/float64(max(ofA, 1)) + 1/float64(max(ofB, 1))))
	return math.Abs(a-b) > 6*deviation+0.01
}

// judgeKind looks for values that are not of the kind that those of the fake are.
func judgeKind(f, r *node) (verdict, note string) {
	for _, name := range f.typesOf() {
		values := r.values[name]
		if name == "integer" {
			values = slices.Concat(values, r.values["number"])
		}
		if k := f.kinds[name]; k.strict {
			if verdict, note = judgeFit(k, f.values[name], values); verdict != "" && name == "integer" && means(r.key) == "id" {
				return Differs, note
			} else if verdict != "" {
				return verdict, note
			}
		}
	}
	return "", ""
}

// judgeFit looks for values that are not of a kind. Values that the fake has, too, are allowed.
func judgeFit(k kind, ours, values []string) (verdict, note string) {
	odd := 0
	for _, value := range values {
		if value != "0" && k.fits != nil && !k.fits(value) && !slices.Contains(ours, value) {
			odd++
		}
	}
	switch {
	case 2*odd > len(values):
		return Differs, "its values are of another kind"
	case odd > 0:
		return Warning, "some of its values are of another kind"
	}
	return "", ""
}

// judgeEmpty looks for empty texts, unless the fake has some, too.
func judgeEmpty(f, r *node) (verdict, note string) {
	isWritten := func(text string) bool { return text != "" }
	return judgeFit(kind{fits: isWritten}, f.values["string"], r.values["string"])
}

// judgeValues looks for values that the fake does not have where it has a few. Which links
// there are depends on the state of a campaign, and on the page.
func judgeValues(f, r *node) (verdict, note string) {
	if f.hasRelations() {
		return "", ""
	}
	values := slices.Concat(r.values["string"], r.values["plain text"], r.values["integer"], r.values["boolean"])
	if f.enum == nil || all(values, func(value string) bool { return slices.Contains(f.enum, value) }) {
		return "", ""
	}
	isCode := !f.is("string") || isCodeKey(f.key) || slices.Contains([]string{"type", "reason", "kind"}, letters(f.key)) || strings.Contains(f.enum[0], "_")
	if r.isError() && isCode {
		return Differs, "it has another value"
	}
	return Warning, "it has a value that is new"
}
