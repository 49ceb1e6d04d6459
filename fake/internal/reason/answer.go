package reason

import (
	"fmt"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// Campaigns is the normal answer of a user in words, as "250 generated campaigns".
type Campaigns string

func (c Campaigns) String() string {
	return string(c)
}

// A Reply is a scripted answer, in place of the normal one.
type Reply struct {
	Enqueued bool   // it was given alone, and not with a user
	Summary  string // the reply in words, as "503, delay 2s"
	Played   int    // how often it has been played, including this time
	Times    int    // how often it is to be played, or fixtures.Always
}

func (r Reply) String() string {
	phrase := "scripted: " + r.Summary
	if r.Enqueued {
		phrase = "enqueued: " + r.Summary
	}
	switch {
	case r.Times == fixtures.Always:
		phrase += " (always)"
	case r.Times > 1:
		phrase += fmt.Sprintf(" (%d of %d)", r.Played, r.Times)
	}
	return phrase
}

// An UnknownToken is answered, although no user has it.
type UnknownToken struct {
	Like   string // the token of the user that it is like; "" if it is like none
	Answer Part   // Campaigns, or a Reply
}

func (u UnknownToken) String() string {
	if u.Like == "" {
		return "unknown token: " + u.Answer.String()
	}
	return "unknown token, like " + words.CutInput(u.Like) + ": " + u.Answer.String()
}

// A RateLimit refuses a request beyond the rate limit of its user.
type RateLimit struct {
	Limit fixtures.RateLimit
	Wait  int // seconds until the next request is answered
}

func (r RateLimit) String() string {
	return fmt.Sprintf("rate limit: %s; the next is answered in %d s", r.allowed(), r.Wait)
}

// Detail says when the client may try again.
func (r RateLimit) Detail() string {
	return fmt.Sprintf("The limit is %s. Try again in %d s.", r.allowed(), r.Wait)
}

// allowed returns the limit in words, as "5 requests in 10s".
func (r RateLimit) allowed() string {
	per := fixtures.Delay{Fixed: r.Limit.Per} // a Delay writes times as YAML has them
	return fmt.Sprintf("%s in %s", words.Counted(r.Limit.Requests, "request"), per)
}
