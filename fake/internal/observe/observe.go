package observe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
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
	if err != nil {
		return nil, noVerdict("the list was seen once, and not again: %s", strings.TrimPrefix(err.Error(), "no verdict: "))
	}
	t.confirm(successTraits(again, other))
	a.askRefusals(ctx, t)
	if head := a.unlessSkipped(ctx, askHead); head.ok() && !head.fails() {
		t.set("head", likeGet(head.status, first.status))
	}
	cors, both := corsOf(again, a.unlessSkipped(ctx, askBrowser))
	if len(l.campaigns) > 1 {
		a.askWithQuery(ctx, t, l)
	}
	a.confirmRefusals(ctx, t)
	if cors != nil {
		if !both {
			confirmed, _ := corsOf(again, a.ask(ctx, askBrowser.confirm()))
			both = same(cors, confirmed)
		}
		t["cors"] = Trait{Value: cors, Once: !both}
	}
	if canceled(ctx) {
		return nil, noVerdict("it was interrupted")
	}
	a.skip(t)
	a.lists = []*listing{l, other}
	return t, nil
}

// canceled reports whether the caller has given up.
func canceled(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// Empty reports whether there was no campaign to conclude anything from.
func (a *Asker) Empty() bool {
	return !slices.ContainsFunc(a.lists, func(l *listing) bool { return len(l.campaigns) > 0 })
}

// Stopped says why not everything was asked, "" if it was.
func (a *Asker) Stopped() string { return a.stopped }

// Withhold removes the traits that hold a secret: a part of the token, an id or a name
// of a campaign, or the host. It returns their names, with what they hold. What the fake
// has, too, is no secret, unless it is a part of the token.
func (a *Asker) Withhold(t, fake Traits) []Withheld {
	s := newSecrets(a.Token, a.BaseURL.Hostname(), a.lists...)
	for name, trait := range fake {
		s.known = append(s.known, textsOf(name, trait.Value)...)
	}
	return s.withhold(t)
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

// unlessSkipped asks a question, or returns nil if it is skipped.
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
func (a *Asker) askRefusals(ctx context.Context, t Traits) {
	noToken := a.unlessSkipped(ctx, askNoToken)
	anyType := a.unlessSkipped(ctx, askPlainly)
	alike := noToken.ok() && anyType.ok() && noToken.status == anyType.status && mediaType(noToken.header) == mediaType(anyType.header)
	if noToken.ok() && anyType.ok() {
		t.set("accept", acceptWords[alike])
	}
	a.refusals = []*refusal{{"missing_token", askNoToken, noToken, true}}
	if alike {
		a.refusals[0].confirm = false
		t.add(refused("missing_token", noToken, anyType))
	}
	unknown := &refusal{"invalid_token", askUnknown, a.unlessSkipped(ctx, askUnknown), true}
	switch {
	case !unknown.first.ok() || unknown.first.fails():
	case unknown.first.status < 300:
		t.set("unknown_tokens", "generate")
	default:
		t.set("unknown_tokens", "reject")
	}
	a.refusals = append(a.refusals, unknown, &refusal{"not_found", askNothing, a.unlessSkipped(ctx, askNothing), true})
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
		if r.name == "invalid_token" {
			accepted := r.first.status < 300
			t["unknown_tokens"] = Trait{Value: t["unknown_tokens"].Value, Once: !second.ok() || second.fails() || second.status < 300 != accepted}
			if accepted {
				continue
			}
		}
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
	filtered := a.unlessSkipped(ctx, askQuery)
	if !filtered.ok() || filtered.fails() {
		return
	}
	words := "ignored"
	if other, err := seen(filtered); err != nil || len(other.campaigns) < len(l.campaigns) {
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
