package report

import (
	"fmt"
	"strings"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
)

// An Unplayed is a reply that was played less often than its Times demands.
type Unplayed struct {
	Token   string `json:"token"`
	Summary string `json:"summary"` // describes the reply in words
	Played  int    `json:"played"`  // how often it was played
	Times   int    `json:"times"`   // how often it should have been played

	Required bool `json:"-"` // a strict test fails if it is not played
}

// String describes the reply on one line, without its token.
func (u Unplayed) String() string {
	if u.Played == 0 {
		return u.Summary + ": never played"
	}
	return fmt.Sprintf("%s: played %d of %d times", u.Summary, u.Played, u.Times)
}

// ReportUnplayed fails a strict test if replies have not been played, and lists the requests of the
// test that the journal holds. If the test has already failed, it writes the list to the log of the
// test, without advice: because of the failure, the client may have sent fewer requests.
func (t *Test) ReportUnplayed(unplayed []Unplayed, requests []journal.Request) {
	t.Helper()
	if !t.Strict || len(unplayed) == 0 || isSkipped(t.TB) {
		return
	}
	var b strings.Builder
	b.WriteString("campaignfake: replies were not played:")
	for _, reply := range unplayed {
		fmt.Fprintf(&b, "\n\t%s: %s", words.OfToken(reply.Token), reply)
	}
	if len(requests) > 0 {
		b.WriteString(listUnder("These requests arrived", requests, mostListed))
	} else {
		b.WriteString(noRequest)
	}
	if t.Failed() {
		t.Logf("%s", b.String())
		return
	}
	b.WriteString("\nLet the client send more requests with the token, " +
		"remove the replies that are not needed, give them Times: fixtures.Always, " +
		"or use fake.WithLenient().")
	t.Errorf("%s", b.String())
}

// isSkipped reports whether a test was skipped. Not every TB has this method.
func isSkipped(tb TB) bool {
	skipped, canTell := tb.(interface{ Skipped() bool })
	return canTell && skipped.Skipped()
}
