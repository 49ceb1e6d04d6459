package observe

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// documented are the fields of a campaign that the document has.
var documented = []string{"id", "name", "created_at", "updated_at", "status"}

// synonyms are other names of the documented fields, in plain letters. The word campaign may
// stand before each.
var synonyms = map[string][]string{
	"id":     {"uuid", "guid", "uid", "gid", "sid", "sysid", "objectid"},
	"name":   {"title", "label", "displayname", "friendlyname", "subject"},
	"status": {"state", "effectivestatus", "currentstatus", "entitystatus", "operationstatus", "statusname", "stage", "phase"},
}

// namesDate returns a function that matches the names of a date: what was done, as in
// updated, or how it is said with a word for a date before or behind, as in modifyTime.
func namesDate(done, said, short string) func(string) bool {
	const before, behind = "(date|gmt|last|sys)", "(at|on|date|time|stamp|ts|utc|gmt)"
	return pattern("^(" + before + "?(" + done + ")" + behind + "*|" + before + "?(" + said + ")" + behind + "+|" + before + "(" + said + ")|" + short + "(date|time))$")
}

var (
	namesCreation = namesDate("created|inserted|added", "create|creation|insert|add", "c")
	namesUpdate   = namesDate("updated|modified|changed|edited", "update|modify|modification|change|edit|write", "m")
)

// letters returns a name in small letters, without what stands between its words.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// meanings are the documented fields by their names and synonyms.
var meanings = sync.OnceValue(func() map[string]string {
	fields := make(map[string]string)
	for _, field := range documented {
		for _, name := range append(synonyms[field], letters(field)) {
			fields[name] = field
		}
	}
	return fields
})

// means returns the documented field that a key stands for, "" if it stands for none.
func means(key string) string {
	switch name := withoutCampaign(key); {
	case namesCreation(name):
		return "created_at"
	case namesUpdate(name):
		return "updated_at"
	default:
		return meanings()[name]
	}
}

// withoutCampaign returns a name in plain letters, without the word campaign before it.
func withoutCampaign(key string) string { return strings.TrimPrefix(letters(key), "campaign") }

// others are keys of objects that describe something else than the campaign.
var others = []string{"owner", "user", "author", "creator", "createdby", "updatedby", "account", "organization", "organisation", "client", "customer", "team", "parent", "company", "folder", "workspace"}

// A Place is where a campaign has a documented field: keys of objects, one in the other.
type Place []string

func (p Place) String() string { return strings.Join(p, ".") }

// findPlaces returns the places of the documented fields, and of those that stand at
// several ones with equal right all places. Places that are given hold where they exist.
// Else those with the name of a field go before those with a synonym, and the least deep
// before others; but what stands in the object that has most of the fields, by whatever
// names, goes before what is deeper elsewhere, as the name of a category.
func findPlaces(campaign *node, given map[string]Place) (places map[string]Place, several map[string][]Place) {
	places, several = make(map[string]Place), make(map[string][]Place)
	candidates := make(map[string][]Place)
	collectPlaces(campaign, nil, candidates)
	home := homeOf(candidates)
	candidates["name"] = slices.DeleteFunc(candidates["name"], func(place Place) bool { return isCategory(campaign.at(place), place, home) })
	for _, field := range documented {
		if place, ok := given[field]; ok && campaign.at(place) != nil && canBe(field, campaign.at(place)) {
			places[field] = place
			continue
		}
		var best []Place
		for _, place := range candidates[field] {
			if len(best) > 0 && place.rank(field, home) < best[0].rank(field, home) {
				best = nil
			}
			if len(best) == 0 || place.rank(field, home) == best[0].rank(field, home) {
				best = append(best, place)
			}
		}
		if best = withoutVariants(best); len(best) == 1 || len(best) > 1 && best[0].isNamed(field) {
			places[field] = best[0]
		} else if len(best) > 1 {
			several[field] = best
		}
	}
	return places, several
}

// withoutVariants drops a place if its key begins with the key of another place in the same
// object, as created_gmt with created.
func withoutVariants(places []Place) []Place {
	return slices.DeleteFunc(slices.Clone(places), func(long Place) bool {
		return slices.ContainsFunc(places, func(short Place) bool {
			last := len(short) - 1
			return len(long) == len(short) && slices.Equal(long[:last], short[:last]) && len(short[last]) < len(long[last]) && strings.HasPrefix(long[last], short[last])
		})
	})
}

// isCategory reports whether a place has few different names, in another object than most fields.
// The names of priorities are an example.
func isCategory(names *node, place, home Place) bool {
	texts := names.values["string"]
	return len(place) > 1 && !slices.Equal(place[:len(place)-1], home) && isFew(texts) && len(distinct(texts)) > 1
}

// collectPlaces collects the places of what can be documented fields.
func collectPlaces(n *node, at Place, found map[string][]Place) {
	for _, key := range slices.Sorted(maps.Keys(n.keys)) {
		inner, place := n.keys[key], slices.Concat(at, Place{key})
		field := means(key)
		if field != "" && canBe(field, inner) {
			found[field] = append(found[field], place)
		} else if only := inner.only(field); only != nil {
			found[field] = append(found[field], slices.Concat(place, only))
			continue
		}
		hasOwnID := n.keys["id"] != nil && inner.keys["id"] != nil
		if len(inner.keys) > 0 && !hasOwnID && !slices.Contains(others, letters(key)) {
			collectPlaces(inner, place, found)
		}
	}
}

// only looks into an object that has the name of a field, as in {"name": {"en": "…"}}. It returns
// the place of the value, if only one can be the field and is never absent, and nil otherwise. A
// text that is always the same is no name, but may be a language.
func (n *node) only(field string) (only Place) {
	if field == "" {
		return nil
	}
	for key, inner := range n.keys {
		place := Place{key}
		if deeper := inner.only(field); deeper != nil {
			place = append(place, deeper...)
		}
		texts := inner.values["string"]
		isOther := (field == "name" || field == "status") && inner.kinds["string"].strict || field == "name" && len(texts) > 1 && len(distinct(texts)) == 1
		switch {
		case isOther, inner.isNull(), inner.there < inner.of, len(place) == 1 && !canBe(field, inner):
		case only != nil:
			return nil
		default:
			only = place
		}
	}
	return only
}

// homeOf returns the object in which most documented fields can be, the least deep one if
// there are several.
func homeOf(candidates map[string][]Place) (home Place) {
	var homes []Place
	fields := make(map[string]int)
	for _, field := range documented {
		for _, place := range candidates[field] {
			home := place[:len(place)-1]
			homes = append(homes, home)
			fields[home.String()]++
		}
	}
	if len(homes) == 0 {
		return nil
	}
	return slices.MinFunc(homes, func(a, b Place) int { return cmp.Or(fields[b.String()]-fields[a.String()], len(a)-len(b)) })
}

// rank is the less, the better a place is for a field: one that has its name in some
// spelling goes before synonyms, and these before synonyms behind the word campaign, the least
// deep before others, and one that is written as the document has it before other spellings.
// The home of the fields is hardly deep, and its synonyms are as good as names.
func (p Place) rank(field string, home Place) int {
	const synonym, level = 1000, 8
	key := p[len(p)-1]
	plain := withoutCampaign(key)
	rank, isHome := level*len(p), slices.Equal(p[:len(p)-1], home)
	if isHome && len(p) > 1 {
		rank = level + level/2
	}
	isBehind := plain != letters(key) && plain != letters(field)
	switch {
	case p.isNamed(field):
		return rank
	case letters(key) == letters(field):
		return rank + 1
	case isHome && isBehind:
		return rank + 4
	case isHome && plain != letters(field):
		return rank + 3
	case isHome:
		return rank + 2
	case isBehind:
		return rank + 2*synonym
	}
	return rank + synonym
}

func (p Place) isNamed(field string) bool { return p[len(p)-1] == field }

// canBe reports whether values can be those of a documented field.
func canBe(field string, n *node) bool {
	switch {
	case n.isNull(): // in all campaigns
		return n.there > 0
	case field == "id":
		return n.is("string") || n.is("integer")
	case field == "created_at" || field == "updated_at":
		return n.is(n.mainType()) && n.kinds[n.mainType()].isDate
	case field == "name" && all(n.values["string"], isResource), all(n.values["string"], isDigits): // a name or a status has words
		return false
	}
	return n.is("string")
}

// What keys beside the list mean. The values are those of a list that is whole.
var pagingKeys = []struct {
	keys  string
	types string
	value any
}{
	{"total count odatacount totalcount totalnumber totalsize totalelements totalresults totalitems totalrecords itemcount resultcount numberofelements totalhits to", "integer", countHere},
	{"cursor cursormark endcursor startcursor pagetoken paginationtoken continuation continuationtoken continue bookmark marker scrollid after before startingafter lastevaluatedkey", "", nil},
	{"truncated incompleteresults", "boolean", false},
	{"done last first complete islast isfirst islastpage", "boolean", true},
	{"pages totalpages totalpage lastpage pagecount numpages page current currentpage pagenumber number pageno from pageindex", "integer", 1},
	{"offset", "string", nil},
	{"offset start startat skip startindex", "integer", 0},
	{"perpage pagesize limit size itemsperpage maxresults", "integer", 1000},
}

// countHere stands for the number of campaigns.
const countHere = "{count}"

// leadsOn matches keys that lead to another page, and saysMore keys that say whether there is
// one. Both are in plain letters.
var (
	leadsOn  = pattern(`^(odata)?(next|prev|previous)(page|batch|results|records|cursor|mark|marker|token|key|offset|start|starting|after|uri|url|link|href|id)*$`)
	saysMore = pattern(`^(has|is|are)?(more|next|prev|truncated)`)
)

// pagingOf returns what a key beside the list means for paging. A number that is the value of
// an object has the key of that, and one that is text stays text.
func pagingOf(n *node) (value any, ok bool) {
	key := letters(n.key)
	if keys := strings.Split(n.path, "."); key == "value" && n.is("integer") {
		key = letters(keys[len(keys)-2])
	}
	for _, p := range pagingKeys {
		isNamed := slices.Contains(strings.Fields(p.keys), key) || p.types == "" && leadsOn(key) || p.value == false && saysMore(key)
		if !isNamed {
			continue
		}
		isText := p.types == "integer" && n.is("string") && all(n.values["string"], isDigits)
		switch {
		case p.types == "" && n.is("string") && all(n.values["string"], func(text string) bool { return text == "" }):
			return "", true
		case p.types == "" && n.is("boolean"):
			return false, true
		case p.types == "":
			return nil, true
		case p.value == countHere && isText:
			return tree{"$text": countHere, "$type": "string"}, true
		case !n.is(p.types) && !isText:
			continue
		case p.value == 1 && n.values[n.mainType()][0] == "0": // counted from 0
			p.value = 0
		}
		if isText {
			return fmt.Sprint(p.value), true
		}
		return p.value, true
	}
	return nil, false
}

// isNext reports whether a key leads to another page.
func isNext(n *node) bool {
	value, ok := pagingOf(n)
	return ok && (value == nil || value == "" || n.is("boolean") && isNextKey(n.key))
}

// isNextKey reports whether a key, or a relation, is that of another page.
func isNextKey(key string) bool {
	return leadsOn(letters(key)) || slices.Contains(strings.Fields(pagingKeys[1].keys), letters(key))
}

// isPaging reports whether a value leads to other pages, and nothing else: a client finds
// it or not, depending on the page.
func isPaging(n *node) bool {
	for _, inner := range n.keys {
		if !isPaging(inner) {
			return false
		}
	}
	return isNext(n) || len(n.keys) > 0
}
