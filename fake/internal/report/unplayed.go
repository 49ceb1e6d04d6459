package report

import (
	"fmt"
	"strings"

	"example.com/campaignfake/fake/internal/journal"
	"example.com/campaignfake/fake/internal/words"
)

// An Unplayed is a reply that a test gave a finite number of times, and that has not been
// played so often.
type Unplayed struct {
	Token   string `json:"token"`
	Summary string `json:"summary"` // describes the reply in words
	Played  int    `json:"played"`  // how often it has been played
	Times   int    `json:"times"`   // how often it was to be played

	Required bool `json:"-"` // a strict test fails
}

// String describes the reply on one line, without its token.
func (u Unplayed) String() string {
	text := u.Summary + ": never played"
	if u.Played > 0 {
		text = fmt.Sprintf("%s: played %d of %d times", u.Summary, u.Played, u.Times)
	}
	return text
}

// ReportUnplayed fails a strict test if replies have not been played. If the test has
// already failed, they are written to its log.
func (t *Test) ReportUnplayed(unplayed []Unplayed, requests []journal.Request, hint string) {
	t.Helper()
	skipped, _ := t.TB.(interface{ Skipped() bool })
	if !t.Strict || len(unplayed) == 0 || skipped != nil && skipped.Skipped() {
		return
	}
	var b strings.Builder
	for _, reply := range unplayed {
		b.WriteString("\n\t" + words.OfToken(reply.Token) + ": " + reply.String())
	}
	writeRequests(&b, "These requests arrived", requests, NotCounted)
	b.WriteString(hint)
	fail := t.Errorf
	if t.Failed() {
		fail = t.Logf
	}
	fail("campaignfake: replies were not played:%s\nRemove the replies that are not needed, "+
		"give them Times: fake.Always, or make the server with fake.WithLenient().", b.String())
}
