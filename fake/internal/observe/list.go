package observe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fixtures"
)

// readList reads the answer with the campaigns. It fails if the answer is no success, or not JSON.
func (o *Observation) readList(answer ask.Answer) error {
	err := answer.CheckList()
	if err != nil {
		return err
	}
	list, isJSON := ask.DecodeJSON(answer.Body)
	if !isJSON {
		return fmt.Errorf("the service answers with %d and no JSON; is the base URL right? "+
			"It usually ends in /api", answer.Status)
	}
	o.settings["success.status"] = answer.Status
	o.settings["success.headers"] = map[string]any{"Content-Type": contentType(answer)}
	o.campaigns, o.facts["answer"] = ask.Campaigns(list)
	if ask.HasNull(list) {
		o.facts["null"] = "campaigns are null where there are none, and [] in a fake"
	}
	if len(o.campaigns) == 0 {
		for _, name := range []string{"types", "extra", "omit", "ids", "timestamps", "statuses"} {
			o.unseen[name] = "shows no campaigns to this token"
		}
		return nil
	}
	o.addFields()
	o.addOrder()
	o.addStatuses()
	o.addIDs()
	o.addTimestamps()
	return nil
}

// documented has the names of the documented fields of a campaign. The values of these fields are
// text.
var documented = fixtures.FieldNames()

// mostFields bounds how many different fields campaigns have. If they have more, the names of
// fields are probably ids.
const mostFields = 100

// addFields adds the settings extra and omit. It also adds facts: which documented fields have
// values that are not text, and which fields are null or missing in some campaigns.
func (o *Observation) addFields() {
	var types, gaps, omit []string
	extra := make(map[string]any)
	for _, name := range o.fieldNames() {
		kinds := o.kindsOf(name)
		values := slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool {
			return kind == "null" || kind == missing
		})
		isDocumented := slices.Contains(documented, name)
		isText := slices.Equal(values, []string{"text"})
		switch {
		case slices.Equal(kinds, []string{missing}):
			omit = append(omit, name)
		case slices.Equal(kinds, []string{"null"}):
			extra[name] = nil
		case !isDocumented:
			extra[name] = o.valueInForce(name, values)
		case !isText && len(values) > 0:
			types = append(types, name+" is "+strings.Join(values, " or "))
		}
		for _, gap := range []string{"null", missing} {
			if len(kinds) > 1 && slices.Contains(kinds, gap) {
				gaps = append(gaps, name+" is "+gap+" in some")
			}
		}
	}
	o.facts["types"] = strings.Join(types, ", ")
	o.facts["fields"] = strings.Join(gaps, ", ")
	o.settings["omit"] = nil
	if len(omit) > 0 {
		o.settings["omit"] = omit
	}
	o.settings["extra"] = nil
	if len(extra) > 0 {
		o.settings["extra"] = extra
	}
}

// fieldNames returns the names of the documented fields and of all fields of the campaigns, sorted.
// If there are more than mostFields names, it returns only the documented fields. It then notes the
// number of fields as a fact of the observation.
func (o *Observation) fieldNames() []string {
	all := make(map[string]bool)
	for _, name := range documented {
		all[name] = true
	}
	for _, campaign := range o.campaigns {
		for name := range campaign {
			all[name] = true
		}
	}
	if len(all) > mostFields {
		o.facts["extra"] = fmt.Sprintf("%d fields, whose names may be ids", len(all))
		return documented
	}
	return slices.Sorted(maps.Keys(all))
}

// missing is the kind that kindsOf returns for a campaign without the field.
const missing = "missing"

// kindsOf returns the kinds of values that a field has in the campaigns, such as "null" and "text".
// Each kind is there once, and they are sorted.
func (o *Observation) kindsOf(name string) []string {
	var kinds []string
	for _, campaign := range o.campaigns {
		kind := missing
		value, isThere := campaign[name]
		if isThere {
			kind = kindOf(value)
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// valueInForce returns a value for a further field in the setting extra. The argument `name` is the
// name of the field. The argument `kinds` has the kinds of values that the service has shown for
// this field, except "null" and "missing". If the fake's own value for the field is of one of these
// kinds, valueInForce returns this value. Otherwise it returns an empty value of the first kind,
// such as "" for a text. Without kinds it returns nil. It never returns a value of the service,
// because such a value belongs to customers.
func (o *Observation) valueInForce(name string, kinds []string) any {
	value := o.subject.InForce.Extra[name]
	switch {
	case len(kinds) == 0:
		return nil
	case slices.Contains(kinds, kindOf(value)):
		return value
	}
	return emptyOf(kinds[0])
}

// texts returns the values of the named fields in all campaigns. It leaves out values that are ""
// or no text.
func (o *Observation) texts(names ...string) []string {
	var texts []string
	for _, name := range names {
		for _, campaign := range o.campaigns {
			text, _ := campaign[name].(string)
			if text != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// mostStatuses bounds how many statuses an observation adds to the statuses in force. If the
// service has shown more, they may be texts of customers.
const mostStatuses = 50

// addStatuses adds the setting statuses: the statuses in force, and new ones that the service has
// shown. Configured statuses stay, since a service need not show all of its statuses. Default
// statuses go as soon as the service shows a new status. If the service shows more than
// mostStatuses new ones, addStatuses adds a fact in place of the setting.
func (o *Observation) addStatuses() {
	seen := o.texts("status")
	if len(seen) == 0 {
		return
	}
	slices.Sort(seen)
	seen = slices.Compact(seen)
	inForce := o.subject.InForce.Statuses
	others := slices.DeleteFunc(slices.Clone(seen), func(status string) bool {
		return slices.Contains(inForce, status)
	})
	isAssumed := slices.Equal(inForce, fixtures.DefaultService().Statuses)
	statuses := slices.Concat(inForce, others)
	switch {
	case len(others) > mostStatuses:
		o.facts["statuses"] = fmt.Sprintf("%d different ones", len(seen))
		return
	case len(others) > 0 && isAssumed:
		statuses = seen
	}
	o.settings["statuses"] = statuses
}

// addOrder adds a fact that says how the list is sorted. It needs at least eight campaigns, since
// fewer may be sorted by chance.
func (o *Observation) addOrder() {
	order := ""
	for _, name := range []string{"name", "updated_at", "created_at"} {
		values := o.texts(name)
		isInAll := len(values) == len(o.campaigns)
		if len(values) < 8 || !isInAll || slices.Min(values) == slices.Max(values) {
			continue
		}
		if slices.IsSorted(values) {
			order = "by " + name
		}
		slices.Reverse(values)
		if slices.IsSorted(values) {
			order = "by " + name + ", the last first"
		}
	}
	o.facts["order"] = order
}
