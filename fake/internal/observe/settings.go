package observe

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/campaignfake/fixtures"
)

// settings are those that are written.
type settings struct {
	*shaper
	standard fixtures.Service
	service  fixtures.Service
}

// Service returns the settings with which the fake answers in this way, too. It leaves
// out what a single answer has shown, what is skipped, and most that is the default.
// statuses are those that the fake has already.
func (v *View) Service(statuses []string) fixtures.Service {
	w := &settings{shaper: v.shaper(), standard: fixtures.DefaultService()}
	w.list(statuses)
	unknown, cors := v.facts["unknown_tokens"], v.facts["cors"]
	w.set("unknown_tokens", unknown != "", func(s *fixtures.Service) { s.UnknownTokens = unknown })
	w.set("cors", cors != "", func(s *fixtures.Service) { s.CORS = []string{cors} })
	w.responses()
	return w.service
}

// set makes a change if it is wanted, unless the setting may not be written, or the fake
// would refuse it.
func (w *settings) set(name string, isWanted bool, change func(*fixtures.Service)) {
	var alone fixtures.Service
	if !isWanted || !w.may(name) {
		return
	}
	if change(&alone); alone.Check() == nil {
		change(&w.service)
	}
}

// may reports whether a setting may be written.
func (w *settings) may(name string) bool { return !Skipped(name, w.skip) && !w.isOnce(name) }

// list sets what the answers with the list have shown.
func (w *settings) list(statuses []string) {
	status, _ := strconv.Atoi(w.merged.facts["success.status"])
	w.set("success.status", status != http.StatusOK, func(s *fixtures.Service) { s.Success.Status = status })
	kind := w.merged.facts["success.headers.Content-Type"]
	w.set("success.headers", kind != "application/json" && isMediaType(kind), func(s *fixtures.Service) { s.Success.Headers = http.Header{"Content-Type": {kind}} })
	body := w.shape(w.merged.around)
	w.set("success.body", body != nil && !same(body, w.standard.Success.Body), func(s *fixtures.Service) { s.Success.Body = body })
	if w.Empty() {
		return
	}
	ids, timestamps, news := w.setting("ids"), w.setting("timestamps"), w.newStatuses(statuses)
	w.set("ids", ids != "", func(s *fixtures.Service) { s.IDs = ids })
	w.set("timestamps", timestamps != "", func(s *fixtures.Service) { s.Timestamps = timestamps })
	w.set("statuses", news != nil, func(s *fixtures.Service) { s.Statuses = news })
	campaign := w.shape(w.merged.campaign)
	w.set("campaign", !same(campaign, w.standard.Campaign), func(s *fixtures.Service) { s.Campaign = campaign })
}

// newStatuses returns the statuses that the fake should have, nil if those that it has
// are enough.
func (w *settings) newStatuses(ours []string) []string {
	seen := w.statuses
	if !slices.Equal(ours, w.standard.Statuses) {
		seen = distinct(slices.Concat(ours, seen))
	}
	if len(seen) == 0 || slices.Equal(seen, distinct(w.standard.Statuses)) {
		return nil
	}
	return seen
}

// same reports whether two values are the same JSON.
func same(a, b any) bool {
	first, second := canonical(a), canonical(b)
	return first != nil && bytes.Equal(first, second)
}

// canonical returns a value as JSON with sorted keys, nil if it cannot be JSON.
func canonical(value any) []byte {
	text, err := json.Marshal(value)
	if err == nil {
		value, err = decode(text)
	}
	if err != nil {
		return nil
	}
	text, _ = json.Marshal(value)
	return text
}

// responses sets the answers without campaigns: what those that are alike have in common as
// that of every error, and where one differs from it.
func (w *settings) responses() {
	common := w.standard.Responses.Default
	if w.common != nil {
		var own fixtures.Response
		if body := w.shape(w.common); !same(body, common.Body) {
			own.Body, common.Body = body, body
		}
		if kind := w.facts["responses."+w.alike[0]+".headers.Content-Type"]; kind != w.typeOf(common) && isMediaType(kind) {
			own.Headers = http.Header{"Content-Type": {kind}}
			common.Headers = own.Headers
		}
		w.set("responses.default", true, func(s *fixtures.Service) { s.Responses.Default = own })
	}
	for _, r := range refusals {
		if n := w.errors[r.name]; n != nil {
			own := w.response(r.name, n, common)
			w.set("responses."+r.name, true, func(s *fixtures.Service) { *s.Responses.Named(fixtures.ResponseName(r.name)) = own })
		}
	}
}

// typeOf returns the type that the fake sends with a body of JSON if no header says more.
func (w *settings) typeOf(r fixtures.Response) string {
	if same(r.Body, w.standard.Responses.Default.Body) {
		return "application/problem+json"
	}
	return "application/json"
}

// response returns the setting of an answer without campaigns: the parts in which it
// differs from its default, and from what all errors have.
func (w *settings) response(name string, n *node, common fixtures.Response) (r fixtures.Response) {
	at, standard := "responses."+name, *w.standard.Responses.Named(fixtures.ResponseName(name))
	status, _ := strconv.Atoi(w.facts[at+".status"])
	if status != standard.Status && w.may(at+".status") {
		r.Status = status
	}
	body, implied := w.shape(n), "application/json"
	switch _, isText := body.(string); {
	case isText:
		r.Body, implied = body, "text/plain"
	case body == nil:
		r.Body = json.RawMessage("null")
	case !same(body, common.Body):
		r.Body = body
	default:
		implied = w.typeOf(common)
	}
	r.Headers = w.headers(at, implied, standard, common)
	return r
}

// headers returns the headers of an answer without campaigns, nil if they are the
// default.
func (w *settings) headers(at, implied string, standard, common fixtures.Response) http.Header {
	headers, expected := make(http.Header), make(http.Header)
	maps.Copy(expected, standard.Headers)
	if challenge := w.facts[at+".headers.WWW-Authenticate"]; isChallenge(challenge) {
		headers.Set("WWW-Authenticate", challenge)
	}
	if status := w.facts[at+".status"]; strings.HasPrefix(status, "30") && status != "304" { // without which clients fail
		headers.Set("Location", "/")
	}
	if kind := common.Headers["Content-Type"]; kind != nil && strings.HasSuffix(implied, "json") {
		expected["Content-Type"] = kind
	}
	if kind := w.facts[at+".headers.Content-Type"]; isMediaType(kind) && (kind != implied || expected["Content-Type"] != nil) {
		headers["Content-Type"] = []string{kind}
	}
	if maps.EqualFunc(headers, expected, slices.Equal) {
		return nil
	}
	return headers
}

// A Shape is what the shapes of the fake show: where the documented fields and the list
// are, which values there are, and which of them are objects without keys, since those that
// were seen were data.
type Shape struct {
	Places map[string]Place
	List   Place
	Maps   map[string]bool
	Dated  map[string]bool // paths of texts that hold a documented date
}

// ShapeOf looks into the shapes of a service.
func ShapeOf(service fixtures.Service) Shape {
	s := Shape{Places: make(map[string]Place), Maps: make(map[string]bool), Dated: make(map[string]bool)}
	for part, shape := range map[string]any{"campaign": service.Campaign, "": service.Success.Body} {
		s.look(plainJSON(shape), part, nil)
	}
	return s
}

func (s *Shape) look(value any, path string, at Place) {
	s.Maps[path] = false
	switch value := value.(type) {
	case string:
		field := strings.Trim(value, "{}")
		s.Dated[path] = strings.Contains(value, "_at}")
		if before, ok := s.Places[field]; value == "{"+field+"}" && slices.Contains(documented, field) && (!ok || len(at) < len(before)) {
			s.Places[field] = at
		}
		if value == "{campaigns}" {
			s.List = at
		}
	case tree:
		for _, source := range []string{"$text", "$value"} {
			if inner, ok := value[source]; ok {
				s.look(inner, path, at)
				return
			}
		}
		s.Maps[path] = len(value) == 0
		for key, inner := range value {
			s.look(inner, path+"."+key, append(slices.Clone(at), key))
		}
	case []any:
		for _, item := range value {
			s.look(item, path+"[]", append(slices.Clone(at), "[]"))
		}
	}
}
