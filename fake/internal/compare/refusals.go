package compare

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// refused returns the conclusion about an answer without campaigns: its status, headers and
// body. Values that vary are made up.
func refused(name fixtures.ResponseName, question string) func(*Sight) conclusion {
	return func(s *Sight) conclusion {
		answers := s.answers[question]
		one, two := answers[0], answers[len(answers)-1]
		write := new(fixtures.Service)
		if one.status != two.status || one.status < 300 {
			if write.UnknownTokens = fixtures.UnknownTokensGenerate; question != askMadeUpToken {
				write = nil
			} else if s.InForce.UnknownTokens != fixtures.UnknownTokensReject {
				return conclusion{}
			}
			return conclusion{text: fmt.Sprintf("%d and %d, and so not always a refusal", one.status, two.status), write: write}
		}
		response := fixtures.Response{Status: one.status, Headers: make(http.Header), Body: s.settle(bodyOf(one), bodyOf(two))}
		for _, name := range []string{"Content-Type", "WWW-Authenticate"} {
			if value := one.header.Get(name); value != "" && (len(one.body) > 0 || name != "Content-Type") {
				response.Headers.Set(name, s.settle(value, two.header.Get(name)).(string))
			}
		}
		switch name {
		case fixtures.ResponseMissingToken:
			write.Responses.MissingToken = response
		case fixtures.ResponseInvalidToken:
			write.Responses.InvalidToken = response
		case fixtures.ResponseNotFound:
			write.Responses.NotFound = response
		}
		return conclusion{text: fmt.Sprintf("%d, headers %s, body %s", one.status, jsonOf(response.Headers), jsonOf(response.Body)), write: write}
	}
}

// bodyOf returns a body as an object of JSON, or else as text.
func bodyOf(a answer) any {
	var object map[string]any
	if json.Unmarshal(a.body, &object) == nil && object != nil {
		return object
	}
	return string(a.body)
}

// settle returns a value in which all that varies is replaced. The replacement is what the
// fake is to send, so that it has the same one.
func (s *Sight) settle(one, two any) any {
	tree, isTree := one.(map[string]any)
	again, isAgain := two.(map[string]any)
	_, isText := one.(string)
	switch {
	case isTree && isAgain:
		settled := make(map[string]any)
		for key := range tree {
			settled[key] = s.settle(tree[key], again[key])
		}
		return settled
	case s.isStable(one, two):
		return one
	case isText:
		return "varies"
	}
	return nil
}

// passing matches what two answers of the same second may have in common, though it varies: a
// time of day, a UUID, a long number. It also matches what repeats the question, and words
// that mean something else in settings.
var passing = regexp.MustCompile(`(?i)\d\d:\d\d:\d\d|[0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{16}|\d{10}|\{(status|title|detail)\}|` + madeUp)

// isStable reports whether a value is the same in a second answer, and probably in the next.
// Whole pages are not worth the question.
func (s *Sight) isStable(one, two any) bool {
	text := jsonOf(one)
	return text == jsonOf(two) && len(text) < 4<<10 && !passing.MatchString(text) && !s.secret.in(text)
}

// jsonOf writes a value as JSON on one line, without the escapes that are for HTML.
func jsonOf(value any) string {
	encoded, _ := text.AppendJSON(nil, value) // which was read as JSON, or is made up
	return string(encoded)
}
