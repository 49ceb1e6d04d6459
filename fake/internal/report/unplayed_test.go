package report_test

import (
	"testing"

	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/journal"
)

// unplayed are replies of three tokens. One of the replies was played in part.
var unplayed = []report.Unplayed{
	{Token: "alice", Summary: "reply 1 of 2 (503)", Played: 1, Times: 3},
	{Token: "alice", Summary: "reply 2 of 2 (reset)", Times: 1},
	{Token: "", Summary: "reply 1 of 1 (500)", Times: 2},
}

// Replies that were not played fail a strict test that was not skipped. If the test has failed
// already, they are only written to its log, without advice: the failure may be the cause.
func TestReportUnplayed(t *testing.T) {
	t.Parallel()
	const (
		start = `campaignfake: replies were not played:
	of token "alice": reply 1 of 2 (503): played 1 of 3 times
	of token "alice": reply 2 of 2 (reset): never played
	without a token: reply 1 of 1 (500): never played
`
		arrived = `These requests arrived:
	1. GET /api/user/campaigns with token "alice": 200, 0 campaigns`
		remedy = `
Let the client send more requests with the token, remove the replies that are not needed, give them Times: fixtures.Always, or use fake.WithLenient().`
	)
	for name, tt := range map[string]struct {
		lenient  bool
		tb       recorder
		requests []journal.Request
		failures []string
		logged   []string
	}{
		"strict": {
			requests: requests("alice"),
			failures: []string{start + arrived + remedy},
		},
		"without requests": {
			failures: []string{start + "The journal has no request of this test." + remedy},
		},
		"lenient": {
			lenient: true,
		},
		"skipped": {
			tb: recorder{skipped: true},
		},
		"failed": {
			tb:       recorder{failures: []string{"wrong"}},
			requests: requests("alice"),
			failures: []string{"wrong"},
			logged:   []string{start + arrived},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test := &report.Test{TB: &tt.tb, Strict: !tt.lenient}
			test.ReportUnplayed(unplayed, tt.requests)
			expectTold(t, "failures", tt.tb.failures, tt.failures...)
			expectTold(t, "lines", tt.tb.logged, tt.logged...)
		})
	}
}
