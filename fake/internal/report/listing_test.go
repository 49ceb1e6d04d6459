package report_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/journal"
)

// requests returns a request for each of some tokens, in their order.
func requests(tokens ...string) (list []journal.Request) {
	for i, token := range tokens {
		list = append(list, journal.Request{
			Number: i + 1,
			Method: "GET",
			URL:    "/api/user/campaigns",
			Token:  token,
			Status: 200,
			Reason: "0 campaigns",
		})
	}
	return list
}

// A message about a token lists its requests, or else requests that no other test has sent: the
// client may have sent a wrong token.
func TestListing(t *testing.T) {
	t.Parallel()
	var s report.Sharing
	other := "TestOther~" + s.Add(&report.Test{TB: &recorder{name: "TestOther"}})
	own := "TestOwn~" + s.Add(&report.Test{TB: &recorder{name: "TestOwn"}})
	misspelt := "flaky~" + strings.Replace(own, "Own", "Oown", 1)
	open := requests("", "", "")
	open[1].Status, open[1].Reason = 0, "scripted: reset"
	open[2].Status, open[2].Reason = 0, ""
	var many strings.Builder
	many.WriteString("\nThe journal has these:\n\t(2 earlier ones)")
	for number := 3; number <= 12; number++ {
		fmt.Fprintf(&many, "\n\t%d. GET /api/user/campaigns with token %q: 200, 0 campaigns",
			number, "alice")
	}
	for name, tt := range map[string]struct {
		token    string
		requests []journal.Request
		ofNobody []journal.Request
		isClosed bool
		want     string
	}{
		"its own, and those that may have lost the token": {
			token:    "alice",
			requests: requests("alice", "", "bob", "", "x", other),
			ofNobody: requests("", "", "", "x", other),
			want: `
The journal has these:
	1. GET /api/user/campaigns with token "alice": 200, 0 campaigns
Others have no token, or one that no user has:
	(1 earlier one)
	2. GET /api/user/campaigns without a token: 200, 0 campaigns
	3. GET /api/user/campaigns without a token: 200, 0 campaigns
	4. GET /api/user/campaigns with token "x": 200, 0 campaigns`,
		},
		"those of others": {
			token:    "alice",
			requests: requests("bob", other, "flaky~"+other, ""),
			want: `
The journal has only others:
	1. GET /api/user/campaigns with token "bob": 200, 0 campaigns
	4. GET /api/user/campaigns without a token: 200, 0 campaigns`,
		},
		"those of the same test": {
			token:    own,
			requests: requests("flaky~"+own, other, misspelt, "bob"),
			want: fmt.Sprintf(`
The journal has only others:
	1. GET /api/user/campaigns with token %q: 200, 0 campaigns
	3. GET /api/user/campaigns with token %q: 200, 0 campaigns
	4. GET /api/user/campaigns with token "bob": 200, 0 campaigns`, "flaky~"+own, misspelt),
		},
		"those of other tests alone": {
			token:    "alice",
			requests: requests(other),
			want: `
The journal has no request of this test. Give the client the server's BaseURL, and its HTTP client.`,
		},
		"none, of a server that is closed": {
			token:    "alice",
			isClosed: true,
			want: `
The journal has no request of this test.
The server is closed: Close came too early, or the server is that of another test.`,
		},
		"without a status": {
			requests: open,
			want: `
The journal has these:
	1. GET /api/user/campaigns without a token: 200, 0 campaigns
	2. GET /api/user/campaigns without a token: scripted: reset
	3. GET /api/user/campaigns without a token: no answer yet`,
		},
		"many": {
			token:    "alice",
			requests: requests(strings.Fields(strings.Repeat("alice ", 12))...),
			want:     many.String(),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := s.Listing(tt.token, tt.requests, tt.ofNobody, tt.isClosed)
			if got != tt.want {
				t.Errorf("the list is\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
