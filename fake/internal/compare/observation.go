package compare

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// A side is who answers.
type side string

const (
	theService side = "the service"
	theFake    side = "the fake"
)

// An observation is what was seen of one side.
type observation struct {
	of      side
	inForce *fixtures.Service         // the settings of the fake
	places  map[string]fixtures.Place // where the settings are
	origin  string                    // of the page from which both sides are asked
	token   tokenForms                // of the service

	answers   map[question][]ask.ServiceAnswer
	missing   map[question]string // why one of the answers is missing
	keys      []string            // of the object in which the campaigns are
	campaigns []map[string]any
	fields    map[string]*field // of the campaigns
	further   []string          // the names of those that are not documented
	refusals  map[question]refusal
}

// observe sends the requests to one side. It stops if the service limits how often it is asked, and
// fails if there is no list of campaigns.
func (c *Comparison) observe(
	ctx context.Context, of side, endpoint ask.Endpoint, token tokenForms,
) (*observation, error) {
	o := &observation{
		of:      of,
		inForce: c.InForce,
		places:  c.Places,
		origin:  c.Origin,
		token:   token,
		answers: make(map[question][]ask.ServiceAnswer),
		missing: make(map[question]string),
	}
	if o.origin == "" {
		o.origin = "http://localhost:5173" // any: what is answered to it is not compared
	}
	var answer ask.ServiceAnswer
	isLimited := false
	for _, r := range requests {
		if !isLimited { // else the last answer is the one to all that follows
			answer = endpoint.Send(ctx, r.to(endpoint, o.origin))
			isLimited = o.isLimit(answer)
		}
		o.answers[r.asks] = append(o.answers[r.asks], answer)
		if answer.Missing != "" {
			o.missing[r.asks] = answer.Missing
		}
		if r.asks == askList {
			err := o.readList(answer)
			if err != nil {
				return nil, err
			}
		}
	}
	return o, nil
}

// isLimit reports whether an answer says that the service was asked too often.
func (o *observation) isLimit(a ask.ServiceAnswer) bool {
	return o.of == theService && a.Status == http.StatusTooManyRequests
}

// readList reads the campaigns. Without a list it fails, and says what is there.
func (o *observation) readList(a ask.ServiceAnswer) error {
	if o.isLimit(a) { // it may have a list at another time
		o.missing[askCampaigns] = a.Missing
		return nil
	}
	// The status with which the fake sends its list is a setting of it, which may be wrong.
	if o.of == theService {
		err := a.CheckList()
		if err != nil {
			return err
		}
	}
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(a.Body))
	decoder.UseNumber() // JSON has larger numbers than float64
	if !json.Valid(a.Body) || decoder.Decode(&object) != nil {
		return fmt.Errorf("%s answers no JSON object with a list under campaigns", o.of)
	}
	o.keys = slices.Sorted(maps.Keys(object))
	list, isList := object["campaigns"].([]any)
	if !isList {
		return fmt.Errorf("%s answers an object without a list under campaigns; its keys are: %s",
			o.of, o.shown(strings.Join(o.keys, ", ")))
	}
	for _, element := range list {
		campaign, isObject := element.(map[string]any)
		if !isObject {
			return fmt.Errorf("the list under campaigns has %s in it; it should have objects alone",
				kindOf(element))
		}
		o.campaigns = append(o.campaigns, campaign)
	}
	if len(list) == 0 {
		o.missing[askCampaigns] = "shows no campaigns to this token"
	}
	o.fields = fieldsOf(o.campaigns)
	o.further = furtherNames(o.fields)
	return nil
}

// texts returns the values of some fields that are text, and not empty.
func (o *observation) texts(names ...string) []string {
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

// shown returns a text of the service for people: short, and without the token.
func (o *observation) shown(long string) string {
	short := text.CutToBytes(long, 400)
	if o.token.isIn(short) {
		return "(hidden: it repeats part of the token)"
	}
	return short
}

// omissionsText says which parts of an answer are left out, and why.
func (o *observation) omissionsText(list []omission) string {
	const most = 5
	var texts []string
	for _, omission := range list[:min(len(list), most)] {
		path := cmp.Or(omission.path, "all but its type")
		texts = append(texts, o.shown(path)+" ("+omission.why+")")
	}
	if len(list) > most {
		texts = append(texts, fmt.Sprintf("%d more", len(list)-most))
	}
	return strings.Join(texts, ", ")
}

// canBeWritten reports whether settings may stand in a file of fixtures.
func (o *observation) canBeWritten(settings fixtures.Service) bool {
	return settings.Check() == nil && !o.token.isIn(jsonOf(settings))
}
