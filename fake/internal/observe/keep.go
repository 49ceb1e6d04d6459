package observe

import (
	"cmp"
	"encoding/json"

	"example.com/campaignfake/fixtures"
)

// Keep returns settings that were learnt of a service, and in them what stood in the
// settings before wherever it agrees with the service: a form that cannot be learnt, and
// was written by hand, stays. fake is a view of the settings before.
func Keep(fake, real *View, before, learnt fixtures.Service) fixtures.Service {
	unlike := make(unlike)
	for _, f := range Compare(fake, real, nil, nil) {
		unlike[f.Setting] = f.Verdict == Differs || f.Verdict == Warning || f.Narrow
	}
	if unlike.none("ids") {
		learnt.IDs = cmp.Or(before.IDs, learnt.IDs)
	}
	if isUnlike, isFound := unlike["timestamps"]; real.setting("timestamps") == "" || isFound && !isUnlike {
		learnt.Timestamps = cmp.Or(before.Timestamps, learnt.Timestamps)
	} else {
		for path, isDated := range fake.shape.Dated {
			unlike[path] = unlike[path] || isDated
		}
	}
	learnt.Campaign = unlike.keep(before.Campaign, learnt.Campaign, "campaign")
	learnt.Success.Body = unlike.keep(before.Success.Body, learnt.Success.Body, "success.body")
	if unlike.none("responses") {
		learnt.Responses = learnt.Overlay(before).Responses
	}
	return learnt
}

// unlike are the paths at which the settings before do not agree, or know less.
type unlike map[string]bool

// none reports whether there is none at a path, or below it.
func (u unlike) none(path string) bool {
	for other, isUnlike := range u {
		if isUnlike && isUnder(other, path) {
			return false
		}
	}
	return true
}

// keep returns a shape that was learnt, and in it what agrees of the shape before.
func (u unlike) keep(before, learnt any, path string) any {
	old, _ := plainJSON(before).(tree)
	now, _ := learnt.(tree)
	switch {
	case before != nil && u.none(path):
		return before
	case old == nil || now == nil || u[path] || old["$value"] != nil || now["$value"] != nil:
		return learnt
	}
	merged := make(tree)
	for key, inner := range now {
		merged[key] = u.keep(old[key], inner, path+"."+key)
	}
	return merged
}

// isNarrower reports whether more was learnt at a path than the fake knows: a documented field
// that it has nowhere, a kind on which a client may depend, or the only values.
func (c *comparer) isNarrower(f, r *node) bool {
	field, k := c.shaper.fields[r.path], r.kinds["string"]
	return field != "" && c.fake.places[field] == nil || k.strict && !all(f.values["string"], k.fits) || f.enum == nil && r.enum != nil
}

// plainJSON returns a shape as JSON has it.
func plainJSON(shape any) any {
	text, _ := json.Marshal(shape)
	value, _ := decode(text)
	return value
}
