package report

import (
	"strings"

	"example.com/campaignfake/fake/internal/api"
	"example.com/campaignfake/fake/internal/journal"
	"example.com/campaignfake/fake/internal/words"
)

// ReportUnplayed fails a strict test if replies have not been played. If the test has
// already failed, they are written to its log.
func (t *Test) ReportUnplayed(unplayed []api.Unplayed, requests []journal.Request, hint string) {
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
	fail("campaignfake: replies were not played:%s\nRemove the replies that are not needed, give them Times: fake.Always, or make the server with fake.WithLenient().", b.String())
}
