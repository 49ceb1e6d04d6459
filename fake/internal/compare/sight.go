// Package compare finds out whether a fake is true: it asks a service and the fake the same
// six questions in eight requests, and compares what the answers of both say.
//
//	ask, questions      what is asked, and within which bounds
//	sight, secret       the answers, read; the token, which is never repeated
//	aspects             what is concluded from answers, a line for each setting
//	formats, refusals   how ids, dates, and answers without campaigns are read
//	report              the findings, and what to write
package compare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/campaignfake/fixtures/text"
)

// A Sight is what was seen of one side: the service, or the fake.
type Sight struct {
	Base      *url.URL
	Token     string
	Transport http.RoundTripper

	*Comparison
	answers   map[string][]answer // by the names of the questions; for askCampaigns if there are none
	keys      []string            // of the object in which the campaigns are
	campaigns []map[string]any
}

// look asks the questions. It stops if the service limits how often it is asked, and fails
// if there is no list of campaigns.
func (s *Sight) look(ctx context.Context) error {
	var a answer
	s.answers = make(map[string][]answer)
	for _, q := range questions {
		for _, token := range q.tokens {
			if a.status != http.StatusTooManyRequests {
				a = send(ctx, s.Transport, s.request(q, token))
			}
			s.answers[q.name] = append(s.answers[q.name], a)
		}
		if q.name == askList {
			if err := s.readList(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// readList reads the campaigns. If there are none, it says what is there.
func (s *Sight) readList(a answer) error {
	var object map[string]any
	isObject := json.Unmarshal(a.body, &object) == nil
	list, isList := object["campaigns"].([]any)
	s.keys = slices.Sorted(maps.Keys(object))
	switch {
	case a.status == http.StatusTooManyRequests:
		s.answers[askCampaigns] = []answer{a}
		return nil
	case a.missing != "":
		return errors.New("the service " + a.missing)
	case a.status == http.StatusUnauthorized || a.status == http.StatusForbidden:
		return fmt.Errorf("the service refuses the token (%d); give one that it accepts", a.status)
	case a.status/100 == 3:
		return fmt.Errorf("the service redirects (%d), which would take the token along; give the base URL to which it redirects", a.status)
	case a.status/100 != 2:
		return fmt.Errorf("the service answers %d to GET %s; is the base URL right? It usually ends in /api", a.status, campaignsPath)
	case !isObject:
		return errors.New("the service answers no JSON object with a list under campaigns")
	case !isList:
		return errors.New("the service answers an object without a list under campaigns; its keys are: " + s.shown(s.keys...))
	}
	for _, element := range list {
		campaign, isObject := element.(map[string]any)
		if !isObject {
			return fmt.Errorf("the list under campaigns has %s in it; it should have objects alone", kindOf(element))
		}
		s.campaigns = append(s.campaigns, campaign)
	}
	if len(list) == 0 {
		s.answers[askCampaigns] = []answer{{missing: "shows no campaigns to this token"}}
	}
	return nil
}

// texts returns the values of some fields that are text, and not empty.
func (s *Sight) texts(fields ...string) (texts []string) {
	for _, field := range fields {
		for _, campaign := range s.campaigns {
			if text, ok := campaign[field].(string); ok && text != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// shown returns texts of the service for people: short, and without the token.
func (s *Sight) shown(texts ...string) string {
	shown := strings.Join(texts, ", ")
	if s.secret.in(shown) {
		return "(hidden: it repeats part of the token)"
	}
	return text.Truncate(shown, 400)
}

// kinds name the types of JSON values.
var kinds = map[string]string{
	"<nil>": "null", "string": "text", "bool": "a boolean", "float64": "a number",
	"[]interface {}": "a list", "map[string]interface {}": "an object",
}

func kindOf(value any) string { return kinds[fmt.Sprintf("%T", value)] }
