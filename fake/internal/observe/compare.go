package observe

import (
	"cmp"
	"encoding/json"
	"fmt"
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

// SeenOnce is the note of a difference that a single request has shown.
const SeenOnce = "seen once"

// A Finding is what the fake and the service show at one path.
type Finding struct {
	Setting string
	Verdict string
	Fake    string // what is known of the fake, "" if nothing is
	Real    string // what is known of the service, "" if nothing is
	Seen    string // the same without shares, as it is accepted
	Note    string
	Write   any  // what to write at the path, nil if no setting describes it
	Accept  bool // accept it, though it agrees
	Narrow  bool // more was learnt than the fake knows
}

// A comparer compares a service with the fake.
type comparer struct {
	fake, real *View
	shaper     *shaper           // of the service
	fields     map[string]string // the documented fields of the fake by their paths
	statuses   []string          // that the fake can have
	accepted   map[string]string // what is accepted at paths that no setting can describe
	found      map[string]Finding
	answers    int            // that show what is compared, as bits
	isEmpty    bool           // so is the list in what is compared
	differing  map[string]int // which answers have shown that a setting differs
}

// bothAnswers are the bits of what two answers have shown.
const bothAnswers = 0b11

// Compare returns what two services have in common, and what not. Statuses are those
// that the fake can have.
func Compare(fake, real *View, statuses []string, accepted map[string]string) []Finding {
	c := comparer{fake: fake, real: real, shaper: real.shaper(), fields: fake.shaper().fields, statuses: statuses, accepted: accepted, found: make(map[string]Finding), differing: make(map[string]int)}
	c.answers = bothAnswers
	c.compareFacts(fake.facts, real.facts)
	for name, theirs := range real.errors {
		if ours := fake.errors[name]; ours != nil {
			c.walk(ours, theirs, theirs.of)
		}
	}
	c.askPlaces()
	for i, look := range real.looks {
		c.answers, c.isEmpty = 1<<i, len(look.campaigns) == 0
		c.compareFacts(fake.merged.facts, look.facts)
		c.walk(fake.merged.around, look.around, 1)
		if len(look.campaigns) > 0 {
			c.walk(fake.merged.campaign, look.campaign, len(look.campaigns))
			c.compareStatuses()
		}
	}
	c.answers = bothAnswers
	c.askDates()
	list := make([]Finding, 0, len(c.found))
	for _, setting := range slices.Sorted(maps.Keys(c.found)) {
		f := c.found[setting]
		if f.Verdict == Differs && (c.differing[setting] != bothAnswers || real.isOnce(setting)) {
			f.Verdict, f.Note = Warning, SeenOnce
		}
		list = append(list, f)
	}
	return list
}

// isOnce reports whether a single answer has shown a setting.
func (v *View) isOnce(setting string) bool {
	for name, once := range v.once {
		if once && isUnder(setting, name) {
			return true
		}
	}
	return false
}

// add takes down a finding that has a verdict, unless it is skipped. What is accepted agrees.
func (c *comparer) add(f Finding, verdict, note string) {
	if Skipped(f.Setting, c.real.skip) {
		return
	}
	f.Verdict, f.Note = verdict, note
	if seen, ok := c.accepted[f.Setting]; ok && (verdict == Differs || verdict == Warning) && covers(seen, f.Seen) {
		f.Verdict, f.Note = Agrees, "accepted as it is"
	}
	if f.Verdict == Differs {
		c.differing[f.Setting] |= c.answers
	}
	rank := []string{"", Agrees, Unknown, Warning, Differs}
	if before := c.found[f.Setting]; slices.Index(rank, f.Verdict) > slices.Index(rank, before.Verdict) {
		c.found[f.Setting] = f
	}
}

// covers reports whether each form that was seen is among those that are accepted. A type
// without a kind stands for all its kinds.
func covers(accepted, seen string) bool {
	forms := strings.Split(accepted, " | ")
	return all(strings.Split(seen, " | "), func(form string) bool {
		kind, _, _ := strings.Cut(form, " (")
		return slices.Contains(forms, form) || slices.Contains(forms, kind)
	})
}

// withoutSetting are what no setting can say.
var withoutSetting = map[string]string{
	"headers":          "headers about limits, which success.headers can send",
	"head":             "no setting answers HEAD in another way",
	"query":            "no setting answers a query in another way",
	"accept":           "no setting looks at Accept",
	"redirect":         "no setting redirects",
	"byte_order_mark":  "no setting sends one",
	"cors.credentials": "no setting allows credentials",
	"cors.exposed":     "success.headers can send Access-Control-Expose-Headers",
	"cors.errors":      "no setting has other headers for errors",
	"missing_token":    "no setting answers a request without a token with campaigns",
	"not_found":        "no setting answers another path with campaigns",
}

// compareFacts compares what is no tree.
func (c *comparer) compareFacts(ours, theirs map[string]string) {
	all := maps.Clone(ours)
	maps.Copy(all, theirs)
	for name := range all {
		our, hasOur := ours[name]
		their, hasTheir := theirs[name]
		without := withoutSetting[name]
		f := Finding{Setting: name, Fake: our, Real: their, Seen: their, Write: their}
		isOdd := strings.HasSuffix(name, "Content-Type") && !isMediaType(f.Real) || strings.HasSuffix(name, "Authenticate") && !isChallenge(f.Real)
		if without != "" || isOdd || !hasTheir {
			f.Write = nil
		} else if strings.HasSuffix(name, ".status") {
			f.Write = json.Number(their)
		}
		note := without
		if headers, ok := strings.CutSuffix(name, ".WWW-Authenticate"); ok && their == "none" {
			note = fmt.Sprintf("write %s: {}, with the other headers that it needs", headers)
		}
		switch {
		case !hasTheir && without != "":
		case !hasTheir:
			c.add(f, Unknown, "it was not seen")
		case hasOur && our == their, !hasOur && name == "cors.exposed" && their == "none":
			c.add(f, Agrees, "")
		case without == "", name == "missing_token", name == "not_found":
			c.add(f, Differs, note)
		default:
			c.add(f, Warning, without)
		}
	}
}

// askPlaces asks which of several places is that of a documented field.
func (c *comparer) askPlaces() {
	for field, places := range c.real.several {
		if c.real.merged.campaign.at(c.fake.places[field]) != nil {
			continue
		}
		var written []string
		for _, place := range places {
			written = append(written, "campaign."+place.String())
		}
		c.add(Finding{Setting: "campaign {" + field + "}"}, Unknown, fmt.Sprintf(`which of %s is it? write "{%s}" there`, strings.Join(written, ", "), field))
	}
}

// askDates asks for the form of documented dates that cannot be told from the texts.
func (c *comparer) askDates() {
	for _, n := range c.real.nodes() {
		field := means(n.key)
		isFound := c.real.places[field] != nil || c.real.several[field] != nil || c.fake.shape.Dated[n.path] && c.found[n.path].Verdict == Agrees
		if k := n.kinds["string"]; isUnder(n.path, "campaign") && strings.HasSuffix(field, "_at") && !isFound && n.is("string") && k.name != "" {
			advice := fmt.Sprintf(`write "{%s}" there, alone or within a text, and their layout under timestamps, as "Mon Jan 2 15:04 2006"`, field)
			c.add(Finding{Setting: "campaign {" + field + "}", Real: n.forms(true), Seen: n.forms(false)}, Warning, "the dates of "+n.path+" have a form that cannot be learnt; "+advice)
		}
	}
}

// compareStatuses looks for statuses that the fake does not have. That others were not
// seen means nothing.
func (c *comparer) compareStatuses() {
	seen := strings.Join(c.real.statuses, ", ")
	f := Finding{Setting: "statuses", Fake: strings.Join(c.statuses, ", "), Real: seen, Seen: seen, Write: c.real.statuses}
	switch {
	case len(c.real.statuses) == 0:
	case all(c.real.statuses, func(status string) bool { return slices.Contains(c.statuses, status) }):
		c.add(f, Agrees, "")
	default:
		c.add(f, Warning, "the service has a status that is new")
	}
}

// improbable is the chance below which something that was not seen is gone.
const improbable = 1e-4

// walk compares what is known of one path, and of those below it. There could have been
// so many values in the service.
func (c *comparer) walk(f, r *node, could int) {
	switch {
	case f == nil && r.isAround() && isPaging(r), r == nil && f.isAround() && isPaging(f): // which depends on the page
		return
	case r == nil:
		if absent := share(f.of-f.there, f.of); math.Pow(absent, float64(could)) < improbable {
			c.add(Finding{Setting: f.path, Fake: f.forms(true), Seen: "absent"}, Differs, "the service does not have it")
		}
		return
	}
	finding := Finding{Setting: r.path, Real: r.forms(true), Seen: r.forms(false), Write: c.shaper.shape(r)}
	switch {
	case f == nil:
		c.add(finding, Warning, "it is new")
		return
	case r.isAround() && isNext(f):
		c.compareNext(finding, r)
		return
	case r.isAround() && c.isEmpty && r.isNull(): // as what describes the campaigns is then
		return
	}
	c.judge(finding, f, r)
	if f.count("array") > 0 && r.items != nil {
		c.walk(f.items, r.items, r.items.of)
	}
	objects := r.count("object")
	if objects == 0 || f.count("object") == 0 || len(f.keys) == 0 && !r.isAround() && !r.isError() { // whose keys would be data
		return
	}
	for key, inner := range f.keys {
		if r.keys[key] != nil || !r.isMap && !r.data[key] {
			c.walk(inner, r.keys[key], objects)
		}
	}
	for key, inner := range r.keys {
		if f.keys[key] == nil {
			c.walk(nil, inner, objects)
		}
	}
}

// compareNext compares what leads to the next page, which the fake does not have. What was
// seen is accepted, and so is no next page.
func (c *comparer) compareNext(f Finding, r *node) {
	f.Write, f.Accept = nil, !r.isNull()
	if seen, ok := c.accepted[r.path]; ok && !covers(seen+" | null", f.Seen) {
		c.add(f, Differs, "it is of another type")
	} else {
		c.add(f, Agrees, "it leads to another page, of which there is none")
	}
}

// judge compares what is known of one path.
func (c *comparer) judge(finding Finding, f, r *node) {
	finding.Fake, finding.Narrow = f.forms(true), c.isNarrower(f, r)
	if r.path == "success.body" && (f.is(listType) || r.is(listType)) {
		finding.Fake, finding.Real = aroundList(c.fake.merged.path), aroundList(c.real.merged.path)
	}
	setting := c.settingAt(f, r)
	if rule, ok := settingRules[setting]; ok {
		ours, theirs := settingOf(setting, f), settingOf(setting, r)
		own := Finding{Setting: setting, Fake: cmp.Or(ours, f.forms(false)), Real: cmp.Or(theirs, r.forms(false)), Seen: cmp.Or(theirs, r.forms(false))}
		if theirs != "" {
			own.Write = theirs
		}
		verdict, note := rule(f, r)
		c.add(own, verdict, note)
	}
	for _, rule := range pathRules[setting] {
		verdict, note := rule(f, r)
		c.add(finding, verdict, note)
	}
	if len(r.keys) == 0 {
		c.add(finding, Agrees, "")
	}
}

// aroundList describes what is around the list.
func aroundList(path Place) string {
	text := "…"
	if len(path) == 0 {
		return "a bare array"
	}
	for _, key := range slices.Backward(path) {
		if isOddKey(key) {
			key = oddKey
		}
		text = fmt.Sprintf("{%q: %s}", key, text)
	}
	return text
}

// settingAt returns which setting makes the values of a documented field that both have at
// one path, "" if none does.
func (c *comparer) settingAt(f, r *node) string {
	field := c.shaper.fields[r.path]
	switch {
	case field == "" || c.fields[f.path] != field:
	case field == "status":
		return "statuses"
	case field == "name":
		return "names"
	case field == "id" && !r.isNull():
		return "ids"
	case strings.HasSuffix(field, "_at") && settingOf("timestamps", r) != "":
		return "timestamps"
	}
	return ""
}

// nodes returns all nodes of a view.
func (v *View) nodes() (list []*node) {
	var add func(*node)
	add = func(n *node) {
		if n != nil {
			list = append(list, n)
			add(n.items)
			for _, inner := range n.keys {
				add(inner)
			}
		}
	}
	for _, root := range append(slices.Collect(maps.Values(v.errors)), v.merged.campaign, v.merged.around) {
		add(root)
	}
	return list
}

// NotWatched returns the paths of which something is known that is neither written nor
// compared.
func (v *View) NotWatched() []string {
	var list []string
	for _, n := range v.nodes() {
		switch {
		case n.enum != nil && len(n.enum) == len(distinct(n.values[n.mainType()])):
		case n.isError() && (n.count("string")+n.count("plain text") > 0 && !n.kinds["string"].strict || n.count("integer")+n.count("number") > 0):
			list = append(list, n.path+" (its value)")
		case !n.isError() && !n.kinds["string"].strict && isFew(n.values["string"]):
			list = append(list, n.path+" (which values it has)")
		}
		if n.isMap || len(n.data) > 0 {
			list = append(list, n.path+".* (keys that look like data)")
		}
	}
	for _, name := range v.headers {
		if name != "Date" && name != "Content-Length" {
			list = append(list, "success.headers."+name+" (its value)")
		}
	}
	if v.hidden > 0 {
		list = append(list, fmt.Sprintf("statuses (%d that are no known words)", v.hidden))
	}
	return distinct(list)
}

// isFew reports whether texts are few different ones.
func isFew(texts []string) bool {
	few := len(distinct(texts))
	return 0 < few && few <= maxValues && 2*few < len(texts)
}

// Words returns the keys and statuses of the service, which are written, save those that
// are documented or known.
func (v *View) Words() (keys, statuses []string) {
	for _, n := range v.nodes() {
		for key := range n.keys {
			if !slices.Contains(documented, key) && !isKnownWord(key) {
				keys = append(keys, key)
			}
		}
	}
	if place, ok := v.places["id"]; ok {
		if ids := settingOf("ids", v.merged.campaign.at(place)); strings.Contains(ids, "#") && strings.Trim(ids, "#0") != "" {
			keys = append(keys, "ids "+ids)
		}
	}
	return distinct(keys), v.statuses
}
