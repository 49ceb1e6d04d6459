package observe

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// Observe asks the service, and returns what its answers show. It fails if the list
// itself could not be seen.
func (a *Asker) Observe(ctx context.Context) (Traits, error) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	first := a.ask(ctx, askList)
	l, err := seen(first)
	if err != nil {
		return nil, fmt.Errorf("no verdict: %w", err)
	}
	t := successTraits(first, l)
	again := a.ask(ctx, askAgain)
	other, err := seen(again)
	if err != nil {
		return nil, fmt.Errorf("no verdict: the list was seen once, and not again: %w", err)
	}
	t.confirm(successTraits(again, other))
	unsure := a.askRefusals(ctx, t)
	if head := a.ask(ctx, askHead); head.tells() {
		words := "answered like GET"
		if head.status != first.status {
			words = fmt.Sprintf("answered %d", head.status)
		}
		t.set("head", words)
	}
	cors, both := corsOf(again, a.ask(ctx, askBrowser))
	if len(l.campaigns) > 1 {
		a.askWithQuery(ctx, t, l)
	}
	a.confirmRefusals(ctx, t, unsure)
	if cors != nil {
		if !both {
			confirmed, _ := corsOf(again, a.ask(ctx, askBrowser.confirm()))
			both = same(cors, confirmed)
		}
		t["cors"] = Trait{Value: cors, Once: !both}
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, errors.New("no verdict: it was interrupted")
	}
	maps.DeleteFunc(t, func(name string, _ Trait) bool { return Skipped(name, a.Skip) })
	a.campaigns = slices.Concat(l.campaigns, other.campaigns)
	return t, nil
}

// Empty reports whether there was no campaign to conclude anything from.
func (a *Asker) Empty() bool { return len(a.campaigns) == 0 }

// seen returns the list in an answer. The error says why there is none.
func seen(a *answer) (*listing, error) {
	switch {
	case a == nil:
		return nil, errors.New("the list was not asked for")
	case a.err != nil:
		return nil, a.err
	case challenged(a):
		return nil, fmt.Errorf("a firewall in front of the service wants to see a browser (%d)", a.status)
	case a.status == http.StatusUnauthorized || a.status == http.StatusForbidden:
		return nil, fmt.Errorf("the token is refused (%d)", a.status)
	case a.status >= 300 && a.status < 400:
		return nil, fmt.Errorf("the list is redirected to another place (%d), to which the token is not sent; look whether the base URL is right", a.status)
	case a.status == http.StatusNotFound:
		return nil, fmt.Errorf("there is no list at {base URL}/%s (404); look whether the base URL is right", list)
	case a.status >= 400:
		return nil, fmt.Errorf("the list is answered %d", a.status)
	}
	return readListing(a.body)
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

// A refusal is a question that is not answered with campaigns, and its first answer.
type refusal struct {
	question Question
	first    *answer
}

// askRefusals asks what is not answered with campaigns, and returns what has to be
// asked again.
func (a *Asker) askRefusals(ctx context.Context, t Traits) (unsure []refusal) {
	noToken, anyType := a.ask(ctx, askNoToken), a.ask(ctx, askPlainly)
	both := noToken.ok() && anyType.ok()
	if both && noToken.status == anyType.status && mediaType(noToken.header) == mediaType(anyType.header) {
		t.set("accept", "an error does not depend on it")
		maps.Copy(t, refused(askNoToken.setting, noToken, anyType))
	} else {
		if both {
			t.set("accept", "an error depends on it")
		}
		unsure = append(unsure, refusal{askNoToken, noToken})
	}
	return append(unsure, refusal{askUnknown, a.ask(ctx, askUnknown)}, refusal{askNothing, a.ask(ctx, askNothing)})
}

// confirmRefusals asks once more what one answer alone has shown.
func (a *Asker) confirmRefusals(ctx context.Context, t Traits, unsure []refusal) {
	for _, r := range unsure {
		if !r.first.tells() {
			continue
		}
		second := a.ask(ctx, r.question.confirm())
		if r.question.token == unknownToken {
			words, accepted := "reject", r.first.status < 300
			if accepted {
				words = "generate"
			}
			t["unknown_tokens"] = Trait{Value: words, Once: !second.tells() || second.status < 300 != accepted}
			if accepted {
				continue
			}
		}
		conclusions := refused(r.question.setting, r.first, second)
		conclusions.confirm(refused(r.question.setting, second, r.first))
		maps.Copy(t, conclusions)
	}
}

// askWithQuery asks whether a query changes the list.
func (a *Asker) askWithQuery(ctx context.Context, t Traits, l *listing) {
	filtered := a.ask(ctx, askQuery)
	if !filtered.tells() {
		return
	}
	words := "ignored"
	if other, err := seen(filtered); err != nil || len(other.campaigns) < len(l.campaigns) {
		words = "not ignored"
	}
	t.set("query", words)
}
