package observe

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
)

// readList reads the answer with the campaigns. It fails if that is not a success, or not JSON.
func (o *Observation) readList(answer ask.Answer) error {
	if !o.subject.IsFake { // the status is a setting of the fake, which can be any
		err := answer.CheckList()
		if err != nil {
			return err
		}
	}
	list, isJSON := ask.DecodeJSON(answer.Body)
	if !isJSON {
		return fmt.Errorf("the service answers with %d and no JSON; is the base URL right? "+
			"It usually ends in /api", answer.Status)
	}
	headers := make(http.Header)
	contentType := answer.Header.Get("Content-Type")
	if contentType != "" {
		headers.Set("Content-Type", contentType)
	}
	o.found.setting("success.status",
		fixtures.Service{Success: fixtures.Response{Status: answer.Status}})
	o.found.setting("success.headers",
		fixtures.Service{Success: fixtures.Response{Headers: headers}})

	campaigns, otherShape := ask.Campaigns(list)
	o.campaigns = campaigns
	o.found.fact("answer", otherShape)
	if ask.HasNull(list) {
		o.found.fact("null", "campaigns are null where there are none, and [] in a fake")
	}
	if len(campaigns) == 0 {
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

// A field is what campaigns have under one name.
type field struct {
	kinds []string // what the values are, as kindOf names it, sorted; null and missing apart
	count int      // how many campaigns have it
	nulls int      // in how many of these it is null
}

// fields returns the fields of the campaigns by their names: the documented fields, and each field
// that a campaign has.
func (o *Observation) fields() map[string]*field {
	fields := make(map[string]*field)
	for _, name := range documented {
		fields[name] = new(field)
	}
	for _, campaign := range o.campaigns {
		for name, value := range campaign {
			f := fields[name]
			if f == nil {
				f = new(field)
				fields[name] = f
			}
			f.count++
			kind := kindOf(value)
			switch {
			case value == nil:
				f.nulls++
			case !slices.Contains(f.kinds, kind):
				f.kinds = append(f.kinds, kind)
				slices.Sort(f.kinds)
			}
		}
	}
	return fields
}

// documented are the fields of a campaign that the document has. They are text.
var documented = fixtures.FieldNames()

// mostFields is how many fields a campaign can have. If there are more, their names are ids of
// something.
const mostFields = 100

// addFields adds which fields the campaigns have, and what these are.
func (o *Observation) addFields() {
	fields := o.fields()
	var types, gaps, omit []string
	extra := make(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f := fields[name]
		isDocumented := slices.Contains(documented, name)
		others := slices.DeleteFunc(slices.Clone(f.kinds), func(kind string) bool {
			return kind == "text"
		})
		switch {
		case isDocumented && f.count == 0:
			omit = append(omit, name)
			continue
		case f.nulls == len(o.campaigns):
			extra[name] = nil
			continue
		case !isDocumented:
			extra[name] = o.valueInForce(name, f.kinds)
		case len(others) > 0:
			types = append(types, name+" is "+strings.Join(f.kinds, " or "))
		}
		if f.nulls > 0 {
			gaps = append(gaps, name+" is null in some")
		}
		if f.count < len(o.campaigns) {
			gaps = append(gaps, name+" is missing in some")
		}
	}
	o.found.fact("types", strings.Join(types, ", "))
	o.found.fact("fields", strings.Join(gaps, ", "))
	o.found.setting("omit", fixtures.Service{Omit: omit})
	switch {
	case len(fields) > mostFields:
		o.found.fact("extra", fmt.Sprintf("%d fields, whose names may be ids", len(fields)))
	case len(extra) > 0:
		o.found.setting("extra", fixtures.Service{Extra: extra})
	default:
		o.found.setting("extra", fixtures.Service{})
	}
}

// valueInForce returns the value that a further field has in the settings in force, if that is of
// one of some kinds. If not, it returns an empty value, since those of the service belong to its
// customers.
func (o *Observation) valueInForce(name string, kinds []string) any {
	value, isThere := o.subject.InForce.Extra[name]
	isFitting := isThere && slices.Contains(kinds, kindOf(value))
	if isFitting || len(kinds) == 0 {
		return value
	}
	return emptyOf(kinds[0])
}

// texts returns the values of some fields that are text, and not empty.
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

// mostStatuses is how many values of status a service can have. More values may be texts of
// customers.
const mostStatuses = 50

// addStatuses adds the values of status. A service need not show all that are in force.
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
		o.found.fact("statuses", fmt.Sprintf("%d different ones", len(seen)))
		return
	case len(others) > 0 && isAssumed: // else somebody knows them, though they were not seen
		statuses = seen
	}
	o.found.setting("statuses", fixtures.Service{Statuses: statuses})
}

// addOrder adds how the list is sorted. Fewer than eight campaigns may be sorted by chance.
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
	o.found.fact("order", order)
}

// askCORS asks whether pages of the origin may read the campaigns, as browsers judge it.
func (o *Observation) askCORS(ctx context.Context) {
	get := o.subject.Request(http.MethodGet, protocol.CampaignsPath, o.subject.Token)
	get.Header.Set("Origin", o.subject.Origin)
	preflight := o.subject.Request(http.MethodOptions, protocol.CampaignsPath, "")
	preflight.Header.Set("Origin", o.subject.Origin)
	preflight.Header.Set("Access-Control-Request-Method", http.MethodGet)
	preflight.Header.Set("Access-Control-Request-Headers", "authorization")
	allowed := o.send(ctx, preflight)
	list := o.send(ctx, get)
	missing := cmp.Or(allowed.Missing, list.Missing)
	if missing != "" {
		o.unseen["cors"] = missing
		return
	}
	headers := strings.ToLower(allowed.Header.Get("Access-Control-Allow-Headers"))
	mayAsk := allowed.Status/100 == 2 && o.allowsOrigin(allowed) &&
		strings.Contains(headers, "authorization")
	cors := fixtures.CORSOff
	if mayAsk && o.allowsOrigin(list) {
		cors = o.subject.Origin
	}
	o.found.setting("cors", fixtures.Service{CORS: []string{cors}})
}

func (o *Observation) allowsOrigin(a ask.Answer) bool {
	allowed := a.Header.Get("Access-Control-Allow-Origin")
	return allowed == "*" || allowed == o.subject.Origin
}
