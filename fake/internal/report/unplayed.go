package report

import (
	"cmp"
	"fmt"
	"strings"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
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
	if u.Played == 0 {
		return u.Summary + ": never played"
	}
	return fmt.Sprintf("%s: played %d of %d times", u.Summary, u.Played, u.Times)
}

// ReportUnplayed fails a strict test if replies have not been played, and lists its requests. If
// the test has already failed, that is written to its log.
func (t *Test) ReportUnplayed(unplayed []Unplayed, requests []journal.Request) {
	t.Helper()
	skipped, _ := t.TB.(interface{ Skipped() bool })
	if !t.Strict || len(unplayed) == 0 || skipped != nil && skipped.Skipped() {
		return
	}
	var b strings.Builder
	for _, reply := range unplayed {
		b.WriteString("\n\t" + words.OfToken(reply.Token) + ": " + reply.String())
	}
	b.WriteString(cmp.Or(listed("These requests arrived", requests), none))
	fail := t.Errorf
	if t.Failed() {
		fail = t.Logf
	}
	fail("campaignfake: replies were not played:%s\nRemove the replies that are not needed, "+
		"give them Times: fixtures.Always, or use fake.WithLenient().", b.String())
}
