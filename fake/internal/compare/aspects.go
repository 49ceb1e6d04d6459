package compare

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"example.com/campaignfake/fixtures"
)

// An aspect is one thing in which a fake is true or not. If there is a setting for it, it has
// the setting's name.
type aspect struct {
	name     string
	needs    []string // the questions that have to be answered
	conclude func(*Sight) conclusion
}

// A conclusion is what one side does. If its text is empty, there was nothing to conclude
// from, which another aspect says.
type conclusion struct {
	text   string
	write  *fixtures.Service // with which the fake does the same; nil if no setting can say it
	isNote bool              // a difference fails nothing
}

// aspects are judged and listed in this order.
var aspects = []aspect{
	{"success.status", []string{askList}, successStatus},
	{"success.headers", []string{askList}, successHeaders},
	{"answer", []string{askList}, answerKeys},
	{"types", []string{askCampaigns}, types},
	{"ids", []string{askCampaigns}, ids},
	{"timestamps", []string{askCampaigns}, timestamps},
	{"statuses", []string{askCampaigns}, statuses},
	{"extra", []string{askCampaigns}, extra},
	{"omit", []string{askCampaigns}, omitted},
	{"null", []string{askCampaigns}, nulls},
	{"order", []string{askCampaigns}, order},
	{"responses.missing_token", []string{askWithoutToken}, refused("missing_token", askWithoutToken)},
	{"responses.invalid_token", []string{askMadeUpToken}, refused("invalid_token", askMadeUpToken)},
	{"responses.not_found", []string{askOtherPath}, refused("not_found", askOtherPath)},
	{"cors", []string{askFromPage, askPreflight}, readableByPages},
}

// documented are the fields of a campaign that the document has. They are text.
var documented = fixtures.FieldNames()

func successStatus(s *Sight) conclusion {
	status := s.answers[askList][0].status
	return conclusion{text: fmt.Sprint(status), write: &fixtures.Service{Success: fixtures.Response{Status: status}}}
}

func successHeaders(s *Sight) conclusion {
	contentType := s.answers[askList][0].header.Get("Content-Type")
	headers := http.Header{"Content-Type": {contentType}}
	return conclusion{text: "Content-Type: " + contentType, write: &fixtures.Service{Success: fixtures.Response{Headers: headers}}}
}

// answerKeys are the keys of the object. The document has campaigns alone.
func answerKeys(s *Sight) conclusion {
	return conclusion{text: "an object of " + strings.Join(s.keys, ", ")}
}

const missing = "missing"

// kinds returns what a field is in the campaigns.
func (s *Sight) kinds(field string) []string {
	kinds := make(map[string]bool)
	for _, campaign := range s.campaigns {
		kind := missing
		if value, found := campaign[field]; found {
			kind = kindOf(value)
		}
		kinds[kind] = true
	}
	return slices.Sorted(maps.Keys(kinds))
}

// types are those of the documented fields that are something else than text, null or
// missing.
func types(s *Sight) conclusion {
	texts, _ := s.gaps("a number", "a boolean", "a list", "an object")
	return conclusion{text: texts}
}

func omitted(s *Sight) conclusion {
	texts, always := s.gaps(missing)
	return conclusion{text: texts, isNote: true, write: &fixtures.Service{Omit: always}}
}

// nulls are the documented fields that are null. The setting for that has further fields, too.
func nulls(s *Sight) conclusion {
	texts, always := s.gaps("null")
	c := conclusion{text: texts, isNote: true}
	for _, field := range always {
		c.write = cmp.Or(c.write, extra(s).write)
		c.write.Extra[field] = nil
	}
	return c
}

// gaps returns which documented fields are one of some kinds, and which always are.
func (s *Sight) gaps(gaps ...string) (text string, always []string) {
	var texts []string
	for _, field := range documented {
		kinds := s.kinds(field)
		for _, kind := range kinds {
			if slices.Contains(gaps, kind) && len(kinds) > 1 {
				texts = append(texts, field+" is "+kind+" in some")
			} else if slices.Contains(gaps, kind) {
				texts, always = append(texts, field+" is "+kind), append(always, field)
			}
		}
	}
	return cmp.Or(strings.Join(texts, ", "), "as documented"), always
}

// statuses are the values of status. A service need not show all that settings list.
func statuses(s *Sight) conclusion {
	seen, listed := s.texts("status"), s.InForce.Statuses
	slices.Sort(seen)
	seen = slices.Compact(seen)
	others := slices.DeleteFunc(slices.Clone(seen), func(status string) bool { return slices.Contains(listed, status) })
	switch {
	case len(seen) == 0:
		return conclusion{}
	case len(others) == 0:
		return conclusion{text: "those of " + strings.Join(listed, ", ")}
	case len(seen) > 50: // which may be text of customers
		return conclusion{text: fmt.Sprintf("%d different ones", len(seen))}
	case !slices.Equal(listed, fixtures.DefaultService().Statuses): // somebody knows them, though they were not seen
		seen = append(slices.Clone(listed), others...)
	}
	return conclusion{text: "also " + strings.Join(others, ", "), write: &fixtures.Service{Statuses: seen}}
}

// extra are the fields that the document does not have, with values that are made up.
func extra(s *Sight) conclusion {
	examples := map[string]any{"text": "text", "a number": 1, "a boolean": true, "a list": []any{}, "an object": map[string]any{}}
	var texts []string
	fields := make(map[string]any)
	for _, campaign := range s.campaigns {
		for field := range campaign {
			if _, known := fields[field]; known || slices.Contains(documented, field) {
				continue
			}
			kinds := slices.DeleteFunc(s.kinds(field), func(kind string) bool { return kind == missing || kind == "null" })
			texts = append(texts, field+" is "+cmp.Or(strings.Join(kinds, " or "), "null"))
			fields[field] = examples[append(kinds, "null")[0]]
		}
	}
	slices.Sort(texts)
	return conclusion{text: cmp.Or(strings.Join(texts, ", "), "none"), write: &fixtures.Service{Extra: fields}}
}

// order is how the list is sorted. Less than eight campaigns may be sorted by chance.
func order(s *Sight) conclusion {
	c := conclusion{text: "none that is seen", isNote: true}
	for _, field := range []string{"name", "updated_at", "created_at"} {
		values := s.texts(field)
		if len(values) < 8 || len(values) < len(s.campaigns) || slices.Min(values) == slices.Max(values) {
			continue
		}
		if slices.IsSorted(values) {
			c.text = "by " + field
		}
		if slices.Reverse(values); slices.IsSorted(values) {
			c.text = "by " + field + ", the last first"
		}
	}
	return c
}

// readableByPages is whether pages of the origin may read the campaigns.
func readableByPages(s *Sight) conclusion {
	list, preflight := s.answers[askFromPage][0], s.answers[askPreflight][0]
	allows := func(header http.Header) bool {
		origin := header.Get("Access-Control-Allow-Origin")
		return origin == "*" || origin == s.Origin
	}
	names := strings.ToLower(preflight.header.Get("Access-Control-Allow-Headers"))
	if preflight.status/100 == 2 && allows(preflight.header) && strings.Contains(names, "authorization") && allows(list.header) {
		return conclusion{text: "pages of " + s.Origin + " may read it", write: &fixtures.Service{CORS: []string{s.Origin}}}
	}
	return conclusion{text: "pages of " + s.Origin + " may not read it", write: &fixtures.Service{CORS: []string{"off"}}}
}
