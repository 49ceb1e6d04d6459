package observe

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A node is what is known of the values at one path of several answers or campaigns.
type node struct {
	path   string
	key    string              // by which its parent has it
	of     int                 // how often it could have been there
	there  int                 // how often it was
	values map[string][]string // by their types: texts, and numbers and booleans as they are written
	kinds  map[string]kind     // of texts and numbers, by their types

	keys  map[string]*node // of objects
	data  map[string]bool  // further keys of objects, which are data
	isMap bool             // all keys of objects are data
	items *node            // of arrays
	tuple []*node          // the elements of arrays that have equal lengths, and no objects; nil for others
	enum  []string         // the only values, sorted, if they may be shown; nil otherwise
}

// maxKeys is how many keys an object can have: more are data. maxItems is how many elements
// of arrays at one path are looked at.
const maxKeys, maxItems = 1000, 100000

// A builder makes trees.
type builder struct {
	*Asker
	kept map[string]bool // paths that lead to the list
}

// tree describes values that stand at one path.
func (b *builder) tree(path string, values []any) *node {
	return b.describe(path, path[strings.LastIndexByte(path, '.')+1:], values, len(values), 0)
}

// isError reports whether a node is of an answer without campaigns.
func (n *node) isError() bool { return isUnder(n.path, "responses") }

// isAround reports whether a node is of what is around the list.
func (n *node) isAround() bool { return isUnder(n.path, "success.body") }

func (b *builder) describe(path, key string, values []any, of, depth int) *node {
	n := &node{path: path, key: key, of: of, there: len(values), values: make(map[string][]string), kinds: make(map[string]kind)}
	var objects []tree
	var items []any
	var arrays [][]any
	for _, value := range values {
		text := ""
		switch value := value.(type) {
		case string:
			text = value
		case plain:
			text = string(value)
		case json.Number:
			text = value.String()
		case bool:
			text = strconv.FormatBool(value)
		case tree:
			objects = append(objects, value)
		case []any:
			arrays = append(arrays, value)
			items = append(items, value[:min(len(value), maxItems-min(len(items), maxItems))]...)
		}
		n.values[typeOf(value)] = append(n.values[typeOf(value)], text)
	}
	if n.count("number") > 0 { // which include whole ones
		n.values["number"] = append(n.values["number"], n.values["integer"]...)
		delete(n.values, "integer")
	}
	n.kinds["string"] = textKind(n.values["string"], b.isDate(n))
	for _, name := range []string{"integer", "number"} {
		n.kinds[name] = numberKind(n.values[name], b.isDate(n))
	}
	n.enum = b.enumOf(n)
	if depth == maxDepth {
		return n
	}
	if len(objects) > 0 {
		b.group(n, objects, depth)
	}
	if len(items) > 0 {
		n.items = b.describe(path+"[]", key, items, len(items), depth+1)
		if n.items.count("object")+n.items.count("array") == 0 {
			n.tuple = b.tupleOf(path, key, arrays, depth)
		}
	}
	return n
}

// tupleOf describes each element of arrays that have equal lengths, as coordinates have. It
// returns nil for other arrays.
func (b *builder) tupleOf(path, key string, arrays [][]any, depth int) (tuple []*node) {
	const most = 8
	count := len(arrays[0])
	if b.Own || count < 2 || count > most || slices.ContainsFunc(arrays, func(array []any) bool { return len(array) != count }) {
		return nil
	}
	for i := range count {
		values := make([]any, len(arrays))
		for j, array := range arrays {
			values[j] = array[i]
		}
		tuple = append(tuple, b.describe(path+"[]", key, values, len(values), depth+1))
	}
	return tuple
}

// isDate reports whether values that look like dates are taken for some, though they are
// numbers or digits. The key of the object around them says so, too.
func (b *builder) isDate(n *node) bool {
	for _, field := range []string{"created_at", "updated_at"} {
		if place, ok := b.Places[field]; ok && n.path == "campaign."+place.String() {
			return true
		}
	}
	keys := strings.Split(n.path, ".")
	return isDateKey(n.key) || len(keys) > 1 && isDateKey(keys[len(keys)-2])
}

// group describes objects by their keys.
func (b *builder) group(n *node, objects []map[string]any, depth int) {
	n.keys = make(map[string]*node)
	values := make(map[string][]any)
	for _, object := range objects {
		for key, value := range object {
			values[key] = append(values[key], value)
		}
	}
	if !b.Own {
		n.data, n.isMap = b.dropData(n.path, values, len(objects), depth > 0)
	}
	for key, seen := range values {
		n.keys[key] = b.describe(n.path+"."+key, key, seen, len(objects), depth+1)
	}
}

// oddKey stands for a key that leads to the list, and may not be shown.
const oddKey = "*"

// dropData drops the keys of objects that are data, and returns them. If most keys are, all
// are: the object is a map. An object with several documented fields is no map.
func (b *builder) dropData(path string, values map[string][]any, objects int, inner bool) (data map[string]bool, isMap bool) {
	isMap, data = len(values) > maxKeys || b.Maps[path], make(map[string]bool)
	total, asValues, fields := 0, 0, make(map[string]bool)
	for key, seen := range values {
		total += len(seen)
		fields[means(key)] = true
		secret := b.secrets.in(key)
		switch {
		case isMap || b.kept[path+"."+key]:
		case isOddKey(key):
			data[key] = true
		case secret != "":
			b.Withheld[path+".*"] = secret
			data[key] = true
		case inner && len(seen) == objects && isUnder(path, "campaign"): // a key of every one
		case b.secrets.words[strings.ToLower(key)] && !isPlainKey(key):
			asValues++
		}
	}
	differ := len(values) >= 5 && len(values)*objects > 2*total // from object to object
	delete(fields, "")
	isMap = isMap || inner && len(values) > 0 && len(fields) < 2 && (differ || 2*len(data) >= len(values) || 2*asValues > len(values))
	maps.DeleteFunc(values, func(key string, _ []any) bool { return (isMap || data[key]) && !b.kept[path+"."+key] })
	return data, isMap
}

const (
	maxValues = 12 // of an enum
	maxValue  = 30 // characters of one
)

// enumOf returns the only values of a node, sorted, if they may be shown: known words
// and, in errors and beside the list, codes. With KeepTexts all texts may be shown that hold
// no secret.
func (b *builder) enumOf(n *node) []string {
	main := n.mainType()
	values := distinct(n.values[main])
	isText := main == "string" || main == "plain text"
	isBeside := n.isAround() && len(values) == 1 && !strings.Contains(n.path, "[]")
	switch {
	case !n.is(main):
		return nil
	case (n.isError() || isBeside) && isCodeKey(n.key) && (main == "integer" || isText) && all(values, isShortNumber):
		return slices.DeleteFunc(values, func(number string) bool { return b.secrets.in(number) != "" })
	case n.isError() && main == "boolean" && len(values) == 1:
		return values
	case isText && n.hasRelations() && !n.isError():
		return b.relationsOf(n, values)
	case !isText || len(values) > maxValues || !all(values, b.mayShow):
		return nil
	case n.isError():
		return values
	case len(values) > 1 && (2*len(values) >= n.count(main) || !all(values, func(text string) bool { return utf8.RuneCountInString(text) <= maxValue })):
		return nil
	case !all(values, isKnownWord) && n.count(main) < 2*len(values):
		return nil
	}
	return values
}

// hasRelations reports whether a node has the relations of links, which tell these apart.
func (n *node) hasRelations() bool { return n.key == "rel" }

// relationsOf returns the relations of links that may be shown, nil if there are none, or so
// many that they are data. Beside the list it leaves out those of other pages, which a client
// of the fake would follow without end.
func (b *builder) relationsOf(n *node, values []string) []string {
	const most = 30
	shown := slices.DeleteFunc(values, func(text string) bool {
		return !isRelation(text) && !b.mayShow(text) || n.isAround() && isNextKey(text)
	})
	if len(shown) == 0 || len(shown) > most {
		return nil
	}
	return shown
}

// mayShow reports whether a text of the service may be shown.
func (a *Asker) mayShow(text string) bool {
	return isKnownWord(text) || a.KeepTexts && a.secrets.in(text) == ""
}

func isShortNumber(number string) bool { return isInteger(number) && len(number) <= 9 }

// count returns how many values have a type.
func (n *node) count(name string) int { return len(n.values[name]) }

// isNull reports whether all values are null.
func (n *node) isNull() bool { return n.count("null") == n.there }

// typesOf returns the types of the values that are not null, sorted.
func (n *node) typesOf() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(n.values)), func(name string) bool { return name == "null" })
}

// mainType returns the type that most values have, "" if all are null. If all booleans are false,
// other types go before them, because some services write false for null.
func (n *node) mainType() string {
	most := ""
	for _, name := range n.typesOf() {
		isNone := most == "boolean" && !slices.Contains(n.values[most], "true")
		if most == "" || isNone || n.count(name) > n.count(most) && (name != "boolean" || slices.Contains(n.values[name], "true")) {
			most = name
		}
	}
	return most
}

// is reports whether all values that are not null have one type.
func (n *node) is(name string) bool { return slices.Equal(n.typesOf(), []string{name}) }

// forms describes a node, but nothing that it holds: types, with kinds on which a client may
// depend, one of several forms between bars. In full it has all kinds, and shares.
func (n *node) forms(full bool) string {
	forms := []string{}
	empty := n.count("string") - len(withoutEmpty(n.values["string"]))
	for _, name := range n.typesOf() {
		note := ""
		if k := n.kinds[name]; full || k.strict {
			note = k.name
		}
		if full && n.enum != nil {
			note = strings.Join(n.enum, ", ")
		}
		if note != "" {
			name += " (" + note + ")"
		}
		if name != "string" || empty < n.count(name) {
			forms = append(forms, name)
		}
	}
	for _, lack := range []struct {
		what  string
		count int
	}{{"string (empty)", empty}, {"null", n.count("null")}, {"absent", n.of - n.there}} {
		switch {
		case full && 0 < lack.count && lack.count < n.of:
			forms = append(forms, fmt.Sprintf("%s %.0f%%", lack.what, 100*share(lack.count, n.of)))
		case lack.count > 0:
			forms = append(forms, lack.what)
		}
	}
	return strings.Join(forms, " | ")
}

// share returns a part as a share, with two digits. Something that is there is not
// rounded away.
func share(part, of int) float64 {
	if part == 0 || of == 0 || part == of {
		return float64(part) / float64(max(of, 1))
	}
	return min(0.99, max(0.01, float64((part*200+of)/(2*of))/100))
}

// at returns the node at a path of keys, nil if there is none.
func (n *node) at(path []string) *node {
	for _, key := range path {
		if n == nil {
			return nil
		}
		n = n.keys[key]
	}
	return n
}
