package reason_test

import (
	"testing"
	"time"

	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fixtures"
)

// A sentence has the parts that were found, in the order in which they are read.
func TestSentences(t *testing.T) {
	t.Parallel()
	like := reason.UnknownToken{
		Like:   "demo",
		Answer: reason.Reply{Summary: "stall", Times: fixtures.Always},
	}
	for want, found := range map[string]reason.Reason{
		"": {},
		"250 generated campaigns": {
			Answer: reason.Campaigns("250 generated campaigns"),
		},
		"2 campaigns; held until released": {
			Answer: reason.Campaigns("2 campaigns"),
			Delay:  reason.Held{},
		},
		"no user has this token; did you mean demo?": {
			Answer: reason.NoUser{Token: "dmeo"},
			Token:  reason.NearToken{Near: "demo"},
		},
		"unknown token, like demo: scripted: stall (always); delayed 2s; did you mean demo?; " +
			"5 of 10 bytes were sent, and then nothing until the client went away": {
			Answer: like,
			Delay:  reason.FixedDelay{Delay: fixtures.Delay{Fixed: 2 * time.Second}},
			Token:  reason.NearToken{Near: "demo"},
			Cut:    reason.StalledBody{Sent: 5, Bytes: 10, Until: reason.ClientGone},
		},
		"2 campaigns; the token has 3000 bytes, and of one with more than 2048 nothing is " +
			"remembered: its replies, rate limit and counts start over with each request": {
			Answer: reason.Campaigns("2 campaigns"),
			State:  reason.LongToken{Bytes: 3000, Most: 2048},
		},
		"0 campaigns; delayed 2s; the server was closed before that; did you mean demo?": {
			Answer: reason.Campaigns("0 campaigns"),
			Delay:  reason.FixedDelay{Delay: fixtures.Delay{Fixed: 2 * time.Second}},
			Unsent: reason.EndedDelay{By: reason.ServerClosed},
			Token:  reason.NearToken{Near: "demo"},
		},
	} {
		if got := found.String(); got != want {
			t.Errorf("the sentence is\n%s\nwant\n%s", got, want)
		}
	}
}

// Each part says in a phrase what was found.
func TestParts(t *testing.T) {
	t.Parallel()
	limit := fixtures.RateLimit{Requests: 5, Per: 90 * time.Second}
	refused := func(cause reason.PreflightCause) reason.RefusedPreflight {
		return reason.RefusedPreflight{Cause: cause, Origin: "http://a.test", Method: "PURGE"}
	}
	for _, tt := range []struct {
		part reason.Part
		want string
	}{
		{reason.Panic{Value: "why"}, "the handler panicked: why"},
		{reason.Reply{Summary: "503", Played: 1, Times: 1}, "scripted: 503"},
		{reason.Reply{Summary: "503", Played: 2, Times: 3}, "scripted: 503 (2 of 3)"},
		{reason.Reply{Summary: "503", Times: fixtures.Always}, "scripted: 503 (always)"},
		{reason.Reply{Enqueued: true, Summary: "503", Times: 1}, "enqueued: 503"},
		{reason.UnknownToken{Answer: reason.Campaigns("1 campaign")}, "unknown token: 1 campaign"},
		{
			reason.UnknownToken{Like: "demo", Answer: reason.Campaigns("1 campaign")},
			"unknown token, like demo: 1 campaign",
		},
		{
			reason.RateLimit{Limit: limit, Wait: 18},
			"rate limit: 5 requests in 1m30s; the next is answered in 18 s",
		},
		{reason.WrongMethod{Method: "POST"}, "the route is there, but not with the method POST"},
		{
			reason.Preflight{Origin: "http://a.test"},
			"preflight: the browser may send the request for origin http://a.test",
		},
		{
			reason.Preflight{Origin: "http://a.test", AnyOrigin: true},
			"preflight: the browser may send the request for origin http://a.test, " +
				"without cookies " +
				`(for credentials: "include", service.cors has to list the origin)`,
		},
		{refused(reason.CORSOff), "preflight refused: service.cors is off"},
		{
			part: refused(reason.NoOrigin),
			want: "preflight refused: it has no Origin, which every browser sends",
		},
		{
			refused(reason.UnlistedOrigin),
			"preflight refused: service.cors does not list the origin http://a.test",
		},
		{
			refused(reason.MethodNotAllowed),
			"preflight refused: browsers cannot be allowed the method PURGE",
		},
		{reason.RunOfNobody{}, "no user has what stands before the tilde of this token"},
		{
			reason.DrawnDelay{
				Length: 12 * time.Millisecond,
				From:   fixtures.Delay{From: time.Millisecond, To: time.Second},
				Number: 3,
				Seed:   7,
			},
			"delayed 12ms, drawn from 1ms..1s for request 3 of the token under seed 7",
		},
		{reason.NoAnswer{Until: reason.ClientGone}, "nothing was sent until the client went away"},
		{reason.NothingToBreak{}, "an answer to HEAD has no body to break"},
		{reason.NothingToBreak{Status: 204}, "an answer with status 204 has no body to break"},
		{
			reason.BrokenBody{Sent: 5, Bytes: 10, By: reason.ServerClosed},
			"5 of 10 bytes were sent before the server was closed",
		},
	} {
		if got := tt.part.String(); got != tt.want {
			t.Errorf("%T says\n%s\nwant\n%s", tt.part, got, tt.want)
		}
	}
}

// A refusal explains itself to who has sent the request.
func TestDetails(t *testing.T) {
	t.Parallel()
	for want, refusal := range map[string]reason.Refusal{
		"There is no Authorization header. Send Authorization: Bearer <token>.": reason.NoHeader,
		"The token is the word null, which is why. " +
			"Send Authorization: Bearer <token>.": reason.Placeholder{
			What: "the token is the word null",
			Why:  "which is why",
		},
		"No user has this bearer token.": reason.NoUser{
			Token: "bob",
		},
		`No user has this bearer token, nor "bob", which stands before its tilde.`: reason.NoUser{
			Token: "bob~1~2",
		},
		"POST is not allowed here. Send one of GET, HEAD.": reason.WrongMethod{
			Method: "POST",
		},
		"OPTIONS is not allowed here. Send one of GET, HEAD.": reason.RefusedPreflight{},
		"The limit is 1 request in 2s. Try again in 2 s.": reason.RateLimit{
			Limit: fixtures.RateLimit{Requests: 1, Per: 2 * time.Second},
			Wait:  2,
		},
	} {
		if got := refusal.Detail(); got != want {
			t.Errorf("the detail of %T is\n%s\nwant\n%s", refusal, got, want)
		}
	}
}
