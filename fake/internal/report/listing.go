package report

import (
	"fmt"
	"strings"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
)

// noRequest is written if there is no request to list.
const noRequest = "\nThe journal has no request of this test."

// Listing lists requests of the journal for a message about a token. It lists the requests of the
// token. If there are none, the client may have sent a wrong token: then it lists the requests of
// the same test and those that are of no test. It never lists requests of another test.
func (s *Sharing) Listing(token string, requests []journal.Request) string {
	test := s.Of(token)
	var ofToken, others []journal.Request
	for _, r := range requests {
		sender := s.Of(r.Token)
		switch {
		case r.Token == token:
			ofToken = append(ofToken, r)
		case sender == nil || sender == test:
			others = append(others, r)
		}
	}
	switch {
	case len(ofToken) > 0:
		return listUnder("The journal has these", ofToken)
	case len(others) > 0:
		return listUnder("The journal has only others", others)
	default:
		return noRequest + " Give the client the server's BaseURL, and its HTTP client."
	}
}

// listUnder lists the latest ten requests under a title, each on a line.
func listUnder(title string, requests []journal.Request) string {
	const most = 10
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s:", title)
	earlier := max(len(requests)-most, 0)
	if earlier > 0 {
		fmt.Fprintf(&b, "\n\t(%s)", words.Counted(earlier, "earlier one"))
	}
	for _, r := range requests[earlier:] {
		fmt.Fprintf(&b, "\n\t%d. %s %s %s: %s",
			r.Number, r.Method, r.URL, words.WithToken(r.Token), answerOf(r))
	}
	return b.String()
}

// answerOf describes the answer to a request: by its status and the reason, or by the reason alone.
func answerOf(r journal.Request) string {
	if r.Status != 0 {
		return fmt.Sprintf("%d, %s", r.Status, r.Reason)
	}
	if r.Reason != "" {
		return r.Reason
	}
	return "no answer yet"
}
