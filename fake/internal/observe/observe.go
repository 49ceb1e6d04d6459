package observe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A View is what is known of a service.
type View struct {
	looks    []*look           // what each answer with the list has shown
	merged   *look             // what they have shown together
	errors   map[string]*node  // bodies of answers without campaigns, by their names
	alike    []string          // the names of those that have the same keys and types
	common   *node             // what these have in common, nil if no two are alike
	facts    map[string]string // what is no tree, by the names of settings
	once     map[string]bool   // what a single answer has shown, with all under it
	places   map[string]Place  // of the documented fields
	several  map[string][]Place
	shape    Shape // that was given
	skip     []string
	statuses []string // that may be shown
	hidden   int      // statuses that may not
	headers  []string // known ones beside those of which there is a fact
	oddList  bool     // a key that leads to the list may not be shown
}

// A look is what an answer with the list has shown.
type look struct {
	path             Place // of the list
	campaigns        []map[string]any
	campaign, around *node
	facts            map[string]string
}

// Empty reports whether there was no campaign to conclude anything from.
func (v *View) Empty() bool { return len(v.merged.campaigns) == 0 }

// SetUnknownTokens sets what becomes of tokens that no user has.
func (v *View) SetUnknownTokens(words string) {
	if _, asked := v.facts["unknown_tokens"]; asked {
		v.facts["unknown_tokens"] = words
	}
}

// Observe asks the service, and returns what its answers show. It fails if no list was
// seen.
func (a *Asker) Observe(ctx context.Context) (*View, error) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	a.slash, a.Withheld = make(map[string]bool), make(map[string]string)
	answers := make(answers)
	var l *listing
	for _, q := range Questions(a.Skip, a.Origin) {
		if !a.needs(q, answers, l) {
			continue
		}
		answers[q.Name] = a.ask(ctx, q)
		if l == nil {
			var err error
			if l, err = a.listIn(answers[q.Name]); err != nil {
				return nil, fmt.Errorf("no verdict: %w", err)
			}
		}
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, errors.New("no verdict: it was interrupted")
	}
	return a.conclude(l, answers), nil
}

// needs reports whether a question is worth asking after the answers to those before it.
func (a *Asker) needs(q Question, so answers, l *listing) bool {
	first := so[q.confirms]
	switch {
	case q.Name == askQuery.Name:
		return len(l.campaigns) > 1
	case q.confirms == askNoToken.Name && a.alike(first, so[askPlainly.Name]):
		return false
	}
	return q.confirms == "" || first.usable() && a.Asked < maxRequests
}

// alike reports whether two answers without campaigns are of one kind.
func (a *Asker) alike(first, second *answer) bool {
	return first.usable() && second.usable() && first.status == second.status && a.mediaType(first.header) == a.mediaType(second.header)
}

// listIn returns the list in an answer. The error explains why there is none.
func (a *Asker) listIn(got *answer) (*listing, error) {
	if got == nil {
		return nil, errors.New("the list was not asked for")
	}
	if got.err != nil {
		return nil, got.err
	}
	l, err := readListing(got.body, a.Shape)
	if err == nil && (got.status < 300 || len(l.campaigns) > 0) {
		return l, nil
	}
	switch {
	case challenged(got):
		return nil, fmt.Errorf("a firewall in front of the service wants to see a browser (%d)", got.status)
	case got.status == http.StatusUnauthorized || got.status == http.StatusForbidden:
		return nil, fmt.Errorf("the token is refused (%d)", got.status)
	case got.status >= 300 && got.status < 400:
		return nil, fmt.Errorf("the list is redirected to another place (%d), to which the token is not sent; look whether the base URL is right", got.status)
	case got.status == http.StatusNotFound:
		return nil, fmt.Errorf("there is no list at {base URL}/%s (404); look whether the base URL is right", list)
	case got.status == http.StatusBadRequest && strings.Contains(string(got.body), "SSL certificate"), got.status == 495, got.status == 496: // of nginx
		return nil, fmt.Errorf("it wants a certificate of the client (%d)", got.status)
	case got.status >= 400:
		return nil, fmt.Errorf("the list is answered %d", got.status)
	}
	return nil, err
}

// conclude returns what answers show.
func (a *Asker) conclude(l *listing, so answers) *View {
	v := &View{errors: make(map[string]*node), facts: make(map[string]string), once: make(map[string]bool), shape: a.Shape, skip: a.Skip}
	first := so[askList.Name]
	v.headers = known(first, false)
	b := a.see(v, first, l, so[askAgain.Name])
	if len(a.slash) > 0 {
		v.facts["redirect"] = "to the same path with a slash at its end"
	}
	if head := so[askHead.Name]; head.usable() {
		v.facts["head"] = either(head.status == first.status, "answered like GET", fmt.Sprintf("answered %d", head.status))
	}
	if noToken, plainly := so[askNoToken.Name], so[askPlainly.Name]; noToken.usable() && plainly.usable() {
		v.facts["accept"] = either(a.alike(noToken, plainly), "an error does not depend on it", "an error depends on it")
	}
	a.seeCORS(v, so)
	if filtered := so[askQuery.Name]; filtered.usable() {
		isSame := bytes.Equal(filtered.body, first.body) || len(listAt(filtered.body, l.path)) >= len(l.campaigns)
		v.facts["query"] = either(isSame, "ignored", "not ignored")
	}
	v.seeRefusals(b, so)
	return v
}

// either returns the words for a fact, or those for its contrary.
func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// see describes the list, which was seen once or twice, and returns what describes the
// other answers.
func (a *Asker) see(v *View, first *answer, l *listing, again *answer) *builder {
	answers, lists, isOnce := []*answer{first}, []*listing{l}, true
	if again.usable() && !a.Own { // the fake always answers alike
		other, err := a.listIn(again)
		if err == nil {
			answers, lists = append(answers, again), append(lists, other)
		}
		if isOnce = err != nil || !slices.Equal(other.path, l.path); isOnce {
			a.Partial = append(a.Partial, askAgain.Name+": the list was gone, or at another place")
		}
	}
	for _, setting := range []string{"success", "campaign", "ids", "timestamps", "statuses"} {
		v.once[setting] = isOnce
	}
	var all []map[string]any
	for _, l := range lists {
		all = append(all, l.campaigns...)
	}
	if !a.Own {
		a.secrets = newSecrets(a.Token, a.BaseURL.Hostname(), all)
	}
	b := &builder{Asker: a, kept: make(map[string]bool)}
	var around []any
	for i, l := range lists {
		around = append(around, b.around(v, l.body, l.path, "success.body"))
		v.looks = append(v.looks, b.look(answers[i], l.path, l.campaigns, around[i:]))
	}
	if v.merged = v.looks[0]; len(lists) > 1 {
		v.merged = b.look(first, l.path, all, around)
	}
	if v.places = a.Places; !a.Own {
		v.places, v.several = findPlaces(v.merged.campaign, a.Places)
		v.setStatuses(b)
	}
	if l.isNull {
		a.Partial = append(a.Partial, askList.Name+": null stands in its place, which is taken for an empty list")
	} else if len(all) == 0 {
		a.Partial = append(a.Partial, askList.Name+": it is empty; ask with an account that has campaigns")
	}
	return b
}

// around returns an answer where theList stands for the list. Its path stays in the tree;
// keys of it that may not be shown are replaced.
func (b *builder) around(v *View, value any, path Place, at string) any {
	if len(path) == 0 {
		return theList{}
	}
	object, key := make(tree), path[0]
	given, _ := value.(tree) // nil if it is left out
	for other, inner := range given {
		if other != key {
			object[other] = inner
		}
	}
	if !b.Own && (isOddKey(key) || b.secrets.in(key) != "") {
		key, v.oddList = oddKey, true
	}
	at += "." + key
	b.kept[at] = true
	object[key] = b.around(v, given[path[0]], path[1:], at)
	return object
}

// look describes an answer with the list, or what several show together.
func (b *builder) look(a *answer, path Place, campaigns []map[string]any, around []any) *look {
	values := make([]any, len(campaigns))
	for i, campaign := range campaigns {
		values[i] = campaign
	}
	l := &look{path: path, campaigns: campaigns, campaign: b.tree("campaign", values), around: b.tree("success.body", around)}
	l.facts = map[string]string{
		"success.status":               strconv.Itoa(a.status),
		"success.headers.Content-Type": b.mediaType(a.header),
		"headers":                      strings.Join(known(a, true), ", "),
		"byte_order_mark":              either(bytes.HasPrefix(a.body, byteOrderMark), "before the JSON", "none"),
	}
	return l
}

// setStatuses takes down the statuses that may be shown: known ones, and words that came
// more than once, if there are fewer than half as many as campaigns.
func (v *View) setStatuses(b *builder) {
	first := v.looks[0]
	n := first.campaign.at(v.places["status"])
	if v.places["status"] == nil || n == nil {
		return
	}
	count := make(map[string]int)
	for _, status := range n.values["string"] {
		count[status]++
	}
	for _, status := range distinct(n.values["string"]) {
		isWord := isStatusWord(status) && utf8.RuneCountInString(status) <= maxValue && !strings.Contains(status, " ")
		switch {
		case isKnownStatus(status):
		case !isWord || count[status] < 2 || 2*len(count) >= len(first.campaigns) || len(count) > maxValues:
			v.hidden++
			continue
		case b.secrets.in(status) != "":
			b.Withheld["statuses"] = b.secrets.in(status)
			continue
		}
		v.statuses = append(v.statuses, status)
	}
}
