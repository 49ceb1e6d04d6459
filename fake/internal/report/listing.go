package report

import (
	"fmt"
	"strings"

	"example.com/campaignfake/fake/internal/journal"
	"example.com/campaignfake/fake/internal/words"
)

// none is said of a journal that has no request to list.
const none = "\nThe journal has no request of this test."

// Listing lists requests of the journal for a message about a token: those of the token, or if
// there are none, others, but not those of other tests.
func (s *Sharing) Listing(token string, requests []journal.Request) string {
	var own, others []journal.Request
	for _, r := range requests {
		if r.Token == token {
			own = append(own, r)
		} else if s.Of(r.Token, nil) == nil {
			others = append(others, r)
		}
	}
	switch {
	case len(own) > 0:
		return listed("The journal has these", own)
	case len(others) > 0:
		return listed("The journal has only others", others)
	}
	return none + " Give the client the server's BaseURL, and its HTTP client."
}

// listed lists the latest of some requests under a title, each on a line. It is empty if there
// are none.
func listed(title string, requests []journal.Request) string {
	if len(requests) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s:", title)
	earlier := max(len(requests)-10, 0)
	if earlier > 0 {
		fmt.Fprintf(&b, "\n\t(%s)", words.Counted(earlier, "earlier one"))
	}
	for _, r := range requests[earlier:] {
		b.WriteString("\n\t" + line(&r))
	}
	return b.String()
}

// line describes a request and its answer in one line.
func line(r *journal.Request) string {
	answer := "no answer yet"
	switch {
	case r.Status != 0:
		answer = fmt.Sprintf("%d, %s", r.Status, r.Reason)
	case r.Reason != "":
		answer = r.Reason
	}
	return fmt.Sprintf("%d. %s %s %s: %s", r.Number, r.Method, r.URL, words.WithToken(r.Token), answer)
}
