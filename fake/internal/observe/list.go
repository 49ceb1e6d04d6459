package observe

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
)

// A listing is an answer with campaigns, taken apart.
type listing struct {
	path      Place // of the list
	body      any   // the whole answer
	campaigns []map[string]any
	isNull    bool // null stood in the place of the list
}

// usualPlaces are keys that hold lists in many services.
var usualPlaces = []string{"campaigns", "data", "items", "results", "records", "content", "values", "rows", "edges", "nodes", "list", "entries", "objects"}

// sidePlaces are keys of lists that stand beside the one that was asked for.
var sidePlaces = []string{"included", "includes", "linked", "users", "owners", "facets", "aggregations", "breadcrumbs", "related"}

// errorKeys are keys of what went wrong.
var errorKeys = []string{"error", "errors", "exception", "fault"}

// readListing finds the list in an answer. The error explains why there is none. An empty
// list, or null, is looked for where the fake has it, whatever stands beside it, and then under
// usual keys, unless the answer reports errors.
func readListing(body []byte, fake Shape) (*listing, error) {
	value, err := decode(body)
	if err != nil {
		return nil, err
	}
	var found []candidate
	search(value, nil, &found)
	lists := slices.DeleteFunc(slices.Clone(found), func(c candidate) bool { return c.fields < 2 })
	order := func(a, b candidate) int {
		return cmp.Or(a.sides()-b.sides(), b.fields-a.fields, len(a.path)-len(b.path), a.rank(usualPlaces)-b.rank(usualPlaces))
	}
	own := slices.IndexFunc(found, func(c candidate) bool { return c.isEmpty && slices.Equal(c.path, fake.List) })
	if own >= 0 && !hasErrors(value) {
		return take(value, fake.List), nil
	}
	if len(lists) == 0 && !hasErrors(value) {
		keys := slices.Concat(fake.List, usualPlaces)
		lists = slices.DeleteFunc(found, func(c candidate) bool { return !c.isEmpty || c.rank(keys) == len(keys) })
		order = func(a, b candidate) int { return cmp.Or(len(a.path)-len(b.path), a.rank(keys)-b.rank(keys)) }
	}
	switch {
	case len(lists) == 0 && !hasErrors(value) && fake.lacksList(value):
		return &listing{path: fake.List, body: value}, nil
	case len(lists) == 0 && !hasErrors(value) && hasMap(value):
		return nil, errors.New("its campaigns are not in an array, but in an object, under keys such as their ids, which no setting can send")
	case len(lists) == 0:
		return nil, errors.New("its JSON has no list of campaigns: no array of objects with at least two of the documented fields, or with names that are known for them, and at most 1,000 keys")
	}
	return take(value, slices.MinFunc(lists, order).path), nil
}

// hasMap reports whether an answer has an object whose values are campaigns.
func hasMap(value any) bool {
	object, _ := value.(tree)
	var values []any
	for _, key := range slices.Sorted(maps.Keys(object)) {
		values = append(values, object[key])
	}
	return len(values) > 1 && fieldsIn(values) > 1 || slices.ContainsFunc(values, hasMap)
}

// lacksList reports whether an answer is as that of the fake around the list, but lacks the
// object with the list, as some services do if it is empty.
func (s *Shape) lacksList(value any) bool {
	object, _ := value.(tree)
	isKnown := func(key string) bool { _, ok := s.Maps["."+key]; return ok }
	return len(s.List) > 1 && len(object) > 0 && object[s.List[0]] == nil && all(slices.Collect(maps.Keys(object)), isKnown)
}

// take takes the list at a path out of an answer.
func take(value any, path Place) *listing {
	items, isList := valueAt(value, path).([]any)
	l := &listing{path: path, body: value, isNull: !isList}
	for _, item := range items {
		if campaign, ok := item.(tree); ok {
			l.campaigns = append(l.campaigns, campaign)
		}
	}
	return l
}

func valueAt(value any, path Place) any {
	for _, key := range path {
		object, _ := value.(tree)
		value = object[key]
	}
	return value
}

// listAt returns the campaigns of an answer at the path of a list, nil if there are none.
func listAt(body []byte, path Place) []map[string]any {
	value, err := decode(body)
	if items, _ := valueAt(value, path).([]any); err != nil || fieldsIn(items) < 2 {
		return nil
	}
	return take(value, path).campaigns
}

// A candidate may be the list: an array whose objects have so many documented fields, or
// something empty.
type candidate struct {
	path    Place
	fields  int
	isEmpty bool
}

// search looks for arrays, and for null in objects, except where errors are.
func search(value any, at Place, found *[]candidate) {
	object, _ := value.(tree)
	items, isList := value.([]any)
	switch {
	case len(at) > maxDepth || len(object) > maxKeys:
	case isList, value == nil && len(at) > 0:
		*found = append(*found, candidate{at, fieldsIn(items), len(items) == 0})
	default:
		for _, key := range slices.Sorted(maps.Keys(object)) {
			if !slices.Contains(errorKeys, letters(key)) {
				search(object[key], slices.Concat(at, Place{key}), found)
			}
		}
	}
}

// sides returns how many keys of a path are those of lists beside another one.
func (c *candidate) sides() (count int) {
	for _, key := range c.path {
		if slices.Contains(sidePlaces, strings.ToLower(key)) {
			count++
		}
	}
	return count
}

// rank returns the index of the last key of a path among some keys, and their number if it
// is none of them.
func (c *candidate) rank(keys []string) int {
	if len(c.path) == 0 {
		return 0
	}
	i := slices.IndexFunc(keys, func(key string) bool { return strings.EqualFold(key, c.path[len(c.path)-1]) })
	if i < 0 {
		return len(keys)
	}
	return i
}

// fieldsIn returns how many documented fields objects have, 0 if something else is among
// them. The first ones stand for all.
func fieldsIn(items []any) int {
	const enough = 20
	found := make(map[string]bool)
	for _, item := range items[:min(len(items), enough)] {
		object, ok := item.(map[string]any)
		if !ok {
			return 0
		}
		fieldsOf(object, 0, found)
	}
	return len(found)
}

func fieldsOf(object map[string]any, depth int, found map[string]bool) {
	const deepest = 4
	if len(object) > maxKeys {
		return
	}
	for key, value := range object {
		if field := means(key); field != "" {
			found[field] = true
		} else if inner, ok := value.(map[string]any); ok && depth < deepest && !slices.Contains(others, letters(key)) {
			fieldsOf(inner, depth+1, found)
		}
	}
}

// hasErrors reports whether an answer reports that something went wrong.
func hasErrors(value any) bool {
	object, _ := value.(tree)
	for key, value := range object {
		items, isList := value.([]any)
		isNone := value == nil || value == false || value == "" || isList && len(items) == 0
		if slices.Contains(errorKeys, letters(key)) && !isNone {
			return true
		}
	}
	return false
}
