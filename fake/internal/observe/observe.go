package observe

import (
	"context"
	"fmt"
	"net/http"
)

// Observe asks the service, and returns what its answers show. The error is a
// *NoVerdict if the list itself could not be seen.
func (a *Asker) Observe(ctx context.Context) (Traits, error) {
	ctx, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	first := a.ask(ctx, askList)
	l, err := seen(first)
	if err != nil {
		return nil, err
	}
	t := successTraits(first, l)
	again := a.ask(ctx, askAgain)
	other, err := seen(again)
	if err == nil {
		t.confirm(successTraits(again, other))
	} else {
		t.confirm(nil)
	}
	a.askRefusals(ctx, t, l)
	if head := a.unlessSkipped(ctx, askHead); head.ok() {
		t["head"] = Trait{Value: likeGet(head.status, first.status)}
	}
	if cors, ok := corsOf(again, a.unlessSkipped(ctx, askBrowser)); ok {
		t.set("cors", cors)
	}
	if len(l.campaigns) > 1 {
		a.askWithQuery(ctx, t, l)
	}
	a.confirmRefusals(ctx, t)
	a.skip(t)
	a.lists = []*listing{l, other}
	return t, nil
}

// Stopped says why not everything was asked, "" if it was.
func (a *Asker) Stopped() string { return a.stopped }

// Withhold removes the traits that hold a secret: a part of the token, an id or a name
// of a campaign, or the host. It returns their names, with what they hold.
func (a *Asker) Withhold(t Traits) map[string]string {
	return newSecrets(a.Token, a.BaseURL.Hostname(), a.lists...).withhold(t)
}

// Asked returns how many requests were sent.
func (a *Asker) Asked() int { return a.asked }

// seen returns the list in an answer. The error is a *NoVerdict that says why there is
// none.
func seen(a *answer) (*listing, error) {
	switch {
	case a == nil:
		return nil, noVerdict("the list was not asked for")
	case a.err != nil:
		return nil, noVerdict("%v", a.err)
	case challenged(a):
		return nil, noVerdict("a firewall in front of the service wants to see a browser (%d)", a.status)
	case a.status == http.StatusUnauthorized || a.status == http.StatusForbidden:
		return nil, noVerdict("the token is refused (%d)", a.status)
	case a.status >= 300 && a.status < 400:
		return nil, noVerdict("the list is redirected to another place (%d), to which the token is not sent; look whether the base URL is right", a.status)
	case a.status == http.StatusNotFound:
		return nil, noVerdict("there is no list at {base URL}/%s (404); look whether the base URL is right", list)
	case a.status >= 400:
		return nil, noVerdict("the list is answered %d", a.status)
	}
	l, err := readListing(a.body)
	if err != nil {
		return nil, noVerdict("%v", err)
	}
	return l, nil
}

// successTraits returns what an answer with campaigns shows.
func successTraits(a *answer, l *listing) Traits {
	t := l.traits()
	t.set("success.status", a.status)
	headers := make(map[string]string)
	if kind := mediaType(a.header); kind != "" && kind != "application/json" {
		headers["Content-Type"] = kind
	}
	t.set("success.headers", headers)
	if found := limits(a); found != nil {
		t.set("headers", found)
	}
	return t
}

func likeGet(status, get int) string {
	if status == get {
		return "answered like GET"
	}
	return fmt.Sprintf("answered %d", status)
}

// unlessSkipped asks a question unless it is skipped.
func (a *Asker) unlessSkipped(ctx context.Context, q Question) *answer {
	if q.skipped(a.Skip) {
		return nil
	}
	return a.ask(ctx, q)
}

// A refusal is a question that is not answered with campaigns.
type refusal struct {
	name     string
	question Question
	first    *answer
	confirm  bool // it has to be asked again
}

// askRefusals asks what is not answered with campaigns.
func (a *Asker) askRefusals(ctx context.Context, t Traits, l *listing) {
	noToken := a.unlessSkipped(ctx, askNoToken)
	plainly := a.unlessSkipped(ctx, askPlainly)
	same := noToken.ok() && plainly.ok() && noToken.status == plainly.status && mediaType(noToken.header) == mediaType(plainly.header)
	if noToken.ok() && plainly.ok() {
		t.set("accept", acceptWords[same])
	}
	a.refusals = []*refusal{{"missing_token", askNoToken, noToken, true}}
	if same {
		a.refusals[0].confirm = false
		t.add(refused("missing_token", noToken, plainly))
	}
	unknown := &refusal{"invalid_token", askUnknown, a.unlessSkipped(ctx, askUnknown), true}
	switch {
	case !unknown.first.ok() || unknown.first.fails():
	case unknown.first.status < 300:
		t.set("unknown_tokens", "generate")
	default:
		t.set("unknown_tokens", "reject")
		a.refusals = append(a.refusals, unknown)
	}
	a.refusals = append(a.refusals, &refusal{"not_found", askNothing, a.unlessSkipped(ctx, askNothing), true})
}

// acceptWords say whether an error depends on the header Accept.
var acceptWords = map[bool]string{true: "an error does not depend on it", false: "an error depends on it"}

// confirmRefusals asks once more what one answer alone has shown.
func (a *Asker) confirmRefusals(ctx context.Context, t Traits) {
	for _, r := range a.refusals {
		if !r.confirm || !r.first.ok() || r.first.fails() {
			continue
		}
		second := a.ask(ctx, r.question.confirm())
		conclusions := refused(r.name, r.first, second)
		if second.ok() {
			conclusions.confirm(refused(r.name, second, r.first))
		} else {
			conclusions.confirm(nil)
		}
		t.add(conclusions)
	}
}

// askWithQuery asks whether a query changes the list.
func (a *Asker) askWithQuery(ctx context.Context, t Traits, l *listing) {
	a2 := a.unlessSkipped(ctx, askQuery)
	if !a2.ok() || a2.fails() {
		return
	}
	words := "ignored"
	if other, err := seen(a2); err != nil || len(other.campaigns) < len(l.campaigns) {
		words = "not ignored"
	}
	t.set("query", words)
}

// skip drops what is not compared.
func (a *Asker) skip(t Traits) {
	for name := range t {
		if Skipped(name, a.Skip) {
			delete(t, name)
		}
	}
}
