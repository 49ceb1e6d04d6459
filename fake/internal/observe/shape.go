package observe

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

type tree = map[string]any

// A shaper makes shapes of the trees of a view.
type shaper struct {
	*View
	fields map[string]string // the documented fields by their paths
}

// shaper returns what makes shapes. Dates that are written in another way than others are
// no documented fields for it.
func (v *View) shaper() *shaper {
	s := &shaper{v, make(map[string]string)}
	for field, place := range v.places {
		if !strings.HasSuffix(field, "_at") || settingOf("timestamps", v.merged.campaign.at(place)) == v.setting("timestamps") {
			s.fields["campaign."+place.String()] = field
		}
	}
	return s
}

// setting returns the value of ids or timestamps that the first of their fields shows, ""
// if none does.
func (v *View) setting(name string) string {
	for _, field := range map[string][]string{"ids": {"id"}, "timestamps": {"created_at", "updated_at"}}[name] {
		if n := v.merged.campaign.at(v.places[field]); v.places[field] != nil && !n.isNull() {
			return settingOf(name, n)
		}
	}
	return ""
}

// shape returns what to write at a path of the service, nil if it may not be shown.
func (s *shaper) shape(n *node) any {
	switch {
	case n.isAround() && s.oddList:
		return nil
	case n.isAround() || n.isError():
		return s.literal(n)
	}
	return s.drawn(n)
}

// drawn returns the shape of a value of campaigns, which are drawn.
func (s *shaper) drawn(n *node) any {
	main := n.mainType()
	isRare := n.count("null") > 0 || n.there < n.of
	switch field := s.fields[n.path]; {
	case field != "" && main == "string" && strings.HasPrefix(n.kinds[main].setting, "unix"):
		return rare(n, tree{"$text": "{" + field + "}", "$type": "string"})
	case field != "" && main != "":
		return rare(n, tree{"$text": "{" + field + "}"})
	case isRare && (main == "object" || main == "array"): // within $value nothing is drawn
		return rare(n, tree{"$value": s.literal(n)})
	case main == "string":
		return s.texts(n)
	case main == "integer" || main == "number":
		return rare(n, tree{"$fake": n.kinds[main].fake, "$type": main})
	case main == "boolean" && len(distinct(n.values[main])) == 2:
		return rare(n, tree{"$fake": "{bool}", "$type": "boolean"})
	case main == "boolean" || main == "":
		return rare(n, tree{"$value": s.literal(n)})
	}
	return s.structure(n, s.drawn)
}

// structure returns an object or an array, whose values the function makes.
func (s *shaper) structure(n *node, value func(*node) any) any {
	if n.mainType() == "array" {
		return s.elements(n, value)
	}
	object := make(tree)
	for key, inner := range n.keys {
		if !n.isAround() || !isNext(inner) || inner.count("object") == 0 { // which the last page lacks
			object[key] = value(inner)
		}
	}
	return object
}

// elements returns one element of an array, or one for each relation if they are links.
func (s *shaper) elements(array *node, value func(*node) any) (elements []any) {
	n := array.items
	if n == nil {
		return []any{}
	}
	for _, element := range array.tuple {
		elements = append(elements, value(element))
	}
	rel := n.keys["rel"]
	switch {
	case elements != nil:
		return elements
	case rel == nil || len(rel.enum) < 2 || n.count("null") > 0: // a directive says how often one is null
		return []any{value(n)}
	}
	for _, relation := range rel.enum {
		link, isObject := value(n).(tree)
		if !isObject {
			return []any{value(n)}
		}
		link["rel"] = relation
		elements = append(elements, link)
	}
	return elements
}

// texts returns the shape of texts.
func (s *shaper) texts(n *node) any {
	listed := strings.Join(n.enum, ",")
	switch {
	case n.kinds["string"].name == "": // they are empty
		return rare(n, tree{"$value": ""})
	case len(n.enum) == 1:
		return rare(n, tree{"$value": n.enum[0]})
	case n.enum != nil && strings.Count(listed, ",") == len(n.enum)-1 && !strings.ContainsAny(listed, "[]{}#?"):
		return rare(n, tree{"$fake": "{randomstring:[" + listed + "]}"})
	}
	return rare(n, tree{"$fake": n.kinds["string"].fake})
}

// rare returns a directive with the shares of null and absence. If the value is never null
// or absent, and can be written as it is, it is.
func rare(n *node, directive tree) any {
	absent := share(n.of-n.there, n.of)
	if null := share(n.count("null"), n.of); null > 0 && !n.isNull() {
		directive["$null"] = min(null, 1-absent)
	}
	if absent > 0 {
		directive["$absent"] = absent
	}
	text, isText := directive["$text"]
	value, isValue := directive["$value"]
	literal, _ := value.(string)
	switch {
	case len(directive) == 1 && isText:
		return text
	case len(directive) == 1 && isValue && !strings.ContainsAny(literal, "{}"):
		return value
	}
	return directive
}

// literal returns a value with the types of a node, and nothing of its values but what
// may be shown.
func (s *shaper) literal(n *node) any {
	if n.isAround() {
		if value, ok := pagingOf(n); ok && !(value == countHere && s.isFewer(n)) {
			return value
		}
		if s.isCount(n) {
			return countHere
		}
	}
	switch n.mainType() {
	case listType:
		return "{campaigns}"
	case "string":
		return s.text(n)
	case "integer":
		return s.integer(n)
	case "number":
		return 0.5
	case "boolean":
		return !slices.Contains(n.values["boolean"], "false")
	case "object", "array":
		return s.structure(n, s.literal)
	case "no body":
		return ""
	case "plain text":
		return slices.Concat(n.enum, []string{"Something went wrong"})[0]
	case "a page of HTML":
		_, titles := s.statusesOf(n)
		return "<!doctype html><title>" + titles[0] + "</title>"
	case "XML":
		return "<error/>"
	}
	return nil
}

// isCount reports whether a number beside the list is as many as it lists, by whatever name.
func (s *shaper) isCount(n *node) bool {
	const enough = 5 // which are not by chance
	numbers := n.values["integer"]
	if !n.is("integer") || len(numbers) != len(s.looks) {
		return false
	}
	for i, look := range s.looks {
		if count := len(look.campaigns); count < enough || numbers[i] != strconv.Itoa(count) {
			return false
		}
	}
	return true
}

// isFewer reports whether a number beside the list is less than it lists, which the count of
// something else is, as of shards.
func (s *shaper) isFewer(n *node) bool {
	for i, text := range n.values["integer"] {
		if number, _ := strconv.Atoi(text); i < len(s.looks) && number < len(s.looks[i].campaigns) {
			return true
		}
	}
	return false
}

// statusesOf returns the statuses of the errors that a node describes, and their titles.
func (s *shaper) statusesOf(n *node) (statuses, titles []string) {
	for _, r := range refusals {
		if isUnder(n.path, "responses."+r.name) || isUnder(n.path, "responses.default") && slices.Contains(s.alike, r.name) {
			status := s.facts["responses."+r.name+".status"]
			number, _ := strconv.Atoi(status)
			statuses, titles = append(statuses, status), append(titles, http.StatusText(number))
		}
	}
	return statuses, titles
}

// isOfTokens reports whether a node is of the default of all errors, and only those about
// tokens have shown it: what says which error it is does not hold for others.
func (s *shaper) isOfTokens(n *node) bool {
	return isUnder(n.path, "responses.default") && !slices.Contains(s.alike, "not_found")
}

// areAmong reports whether there are texts, and all of them are among others.
func areAmong(texts, others []string) bool {
	return len(texts) > 0 && all(texts, func(text string) bool { return text != "" && slices.Contains(others, text) })
}

// text returns a text of the kind that a node has.
func (s *shaper) text(n *node) any {
	k := n.kinds["string"]
	statuses, titles := s.statusesOf(n)
	switch {
	case areAmong(n.values["string"], statuses), k.name == "digits" && s.isOfTokens(n) && len(n.enum) == 1:
		return tree{"$text": "{status}", "$type": "string"}
	case areAmong(n.values["string"], titles):
		return "{title}"
	case n.isError() && len(n.enum) > 1:
		return "{detail}"
	case s.isOfTokens(n) && len(n.enum) == 1 && !isGeneralWord(n.enum[0]) && k.strict: // as a URL that names the error
		return k.sample
	case s.isOfTokens(n) && len(n.enum) == 1 && !isGeneralWord(n.enum[0]):
		return "{title}"
	case len(n.enum) > 0 && !strings.ContainsAny(n.enum[0], "{}"):
		return n.enum[0]
	case n.isError() && n.enum == nil && k.name != "" && !k.strict && k.name != "digits":
		return "{detail}"
	}
	return k.sample
}

func (s *shaper) integer(n *node) any {
	statuses, _ := s.statusesOf(n)
	switch {
	case areAmong(n.values["integer"], statuses), n.isError() && len(n.enum) > 1, s.isOfTokens(n) && len(n.enum) == 1:
		return "{status}"
	case len(n.enum) == 1:
		number, _ := strconv.Atoi(n.enum[0])
		return number
	}
	return n.kinds["integer"].sample
}
