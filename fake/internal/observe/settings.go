package observe

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"example.com/campaignfake/fixtures"
)

// Service returns the settings with which the fake has these traits, too. It leaves out
// what one request alone has shown, traits without a setting, and most that are the
// default. statuses are those that the fake has already.
func (t Traits) Service(statuses []string) fixtures.Service {
	s := fixtures.Service{}
	t = maps.Clone(t)
	maps.DeleteFunc(t, func(_ string, trait Trait) bool { return trait.Once })
	text := func(name string) string {
		value, _ := t[name].Value.(string)
		return value
	}
	if s.Envelope = text("envelope"); s.Envelope == "campaigns" {
		s.Envelope = ""
	}
	if beside, ok := t["beside"].Value.(map[string]any); ok && len(beside) > 0 && s.Envelope != "none" {
		s.Beside = beside
	}
	s.Omit, _ = t["omit"].Value.([]string)
	s.IDs, s.Timestamps, s.UnknownTokens = text("ids"), text("timestamps"), text("unknown_tokens")
	s.CORS, _ = t["cors"].Value.([]string)
	for name, trait := range t {
		if field, ok := trait.Value.(Field); ok && strings.HasPrefix(name, "fields.") {
			if s.Fields == nil {
				s.Fields = make(map[string]fixtures.Field)
			}
			s.Fields[strings.TrimPrefix(name, "fields.")] = field.setting()
		}
	}
	finding := Finding{Real: t["statuses"].Value}
	if finding.judgeStatuses(statuses); finding.Verdict == Warning {
		s.Statuses, _ = finding.Real.([]string)
	}
	if status, _ := t["success.status"].Value.(int); status != http.StatusOK {
		s.Success.Status = status
	}
	if headers, _ := t["success.headers"].Value.(map[string]string); len(headers) > 0 {
		s.Success.Headers = headers
	}
	defaults := fixtures.DefaultService().Responses
	s.Responses.MissingToken = t.response("missing_token", defaults.MissingToken)
	s.Responses.InvalidToken = t.response("invalid_token", defaults.InvalidToken)
	s.Responses.NotFound = t.response("not_found", defaults.NotFound)
	return s
}

// setting returns the setting by which every campaign has such a field.
func (f Field) setting() fixtures.Field {
	switch f.Type {
	case "integer", "number":
		return fixtures.Field{Fake: f.digits(), Type: f.Type, Null: f.Null}
	case "boolean":
		return fixtures.Field{Fake: "{bool}", Type: "boolean", Null: f.Null}
	case "object", "array":
		return fixtures.Field{Value: f.Shape, Null: f.Null}
	case "string", "mixed":
		if f.longest == 0 {
			return fixtures.Field{Value: "", Null: f.Null}
		}
		return fixtures.Field{Fake: f.text(), Null: f.Null}
	}
	return fixtures.Field{}
}

// digits returns a template of numbers that are about as long.
func (f *Field) digits() string {
	const first = "{number:1,9}"
	most := max(1, min(f.longest, maxDigits))
	digits := first + strings.Repeat("#", most-1)
	if least := max(1, f.shortest); least < most && most <= 9 {
		digits = fmt.Sprintf("{number:%s,%s}", "1"+strings.Repeat("0", least-1), strings.Repeat("9", most))
	}
	if f.negative {
		bound := strings.Repeat("9", min(most, 9))
		digits = "{number:-" + bound + "," + bound + "}"
	}
	if f.Type == "number" {
		digits += "." + strings.Repeat("#", max(0, min(f.decimals, 6)-1)) + first
	}
	return digits
}

// text returns a template of texts that are about as long.
func (f *Field) text() string {
	const shortText = 14
	switch {
	case f.Kind == "uuid":
		return "{uuid}"
	case f.Kind == "email":
		return "????##@example.com"
	case f.Kind == "url":
		return "https://example.com/{uuid}"
	case f.Kind != "":
		return dateTemplate(f.Kind)
	case f.longest > shortText:
		return strings.TrimSpace(strings.Repeat("{sentence} ", min(5, 1+f.longest/80)))
	}
	return "{word}"
}

// dateTemplate returns the template of dates in a layout, or in one that has a name.
func dateTemplate(layout string) string {
	for written, name := range layoutNames {
		if name == layout {
			layout = written
		}
	}
	return dateParts.Replace(layout)
}

// dateParts has a template for each part of a layout. The days exist in every month.
var dateParts = strings.NewReplacer(
	"2006", "202{number:0,5}", "01", "0{number:1,9}", "02", "1{number:0,9}", "15", "1{number:0,9}", "04", "{number:10,59}", "05", "{number:10,59}",
	".000000", ".{number:1,9}{number:10000,99999}", ".000", ".{number:100,999}", "Z07:00", "Z", "-07:00", "+02:00", "-0700", "+0200", "MST", "UTC",
	"January", "{monthstring}", "Jan", "Jan", "Monday", "Monday", "Mon", "Mon", "_2", "1{number:0,9}", "06", "2{number:0,5}", " 2,", " 1{number:0,9},", "2 ", "1{number:0,9} ",
)

// response returns the setting of an answer without campaigns: the parts in which it
// differs from the default.
func (t Traits) response(name string, standard fixtures.Response) fixtures.Response {
	var r fixtures.Response
	name = "responses." + name
	if status, _ := t[name+".status"].Value.(int); status != standard.Status && carriesBody(status) {
		r.Status = status
	}
	seen, ok := t[name+".body"].Value.(body)
	if !ok {
		return r
	}
	headers, _ := t[name+".headers"].Value.(map[string]string)
	implied := "application/json"
	switch {
	case seen.isProblem() && headers["Content-Type"] == "application/problem+json":
		implied = "application/problem+json"
	case seen.Kind == "json" && seen.Value != nil:
		r.Body = seen.Value
	case seen.Kind == "json":
		r.Body = json.RawMessage("null")
	case seen.Kind == "html":
		r.Body, implied = "<!doctype html><title>A page</title>", "text/plain"
	default:
		text, _ := seen.Value.(string)
		if text == "" && seen.Kind == "text" {
			text = "A text"
		}
		r.Body, implied = text, "text/plain"
	}
	r.Headers = make(map[string]string)
	maps.Copy(r.Headers, headers)
	if r.Headers["Content-Type"] == implied {
		delete(r.Headers, "Content-Type")
	}
	if maps.Equal(r.Headers, standard.Headers) {
		r.Headers = nil
	}
	return r
}

// carriesBody reports whether the fake can answer with a status.
func carriesBody(status int) bool {
	return fixtures.Service{Success: fixtures.Response{Status: status}}.Check() == nil && status != 0
}

// isProblem reports whether a body is the problem document that the fake sends by
// itself, since the detail is not known.
func (b body) isProblem() bool {
	object, _ := b.Value.(map[string]any)
	for _, key := range []string{"type", "title", "status", "detail"} {
		if _, ok := object[key]; !ok {
			return false
		}
	}
	detail, _ := object["detail"].(string)
	return len(object) == 4 && detail == ""
}
