package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
)

// none is said of a journal that has no request to list.
const none = "\nThe journal has no request of this test."

// Listing lists requests of the journal for a message about a token: those of the token, or if
// there are none, others, but not those of other tests.
func (s *Sharing) Listing(token string, requests []journal.Request) string {
	own := those(requests, func(r journal.Request) bool { return r.Token == token })
	others := those(requests, func(r journal.Request) bool { return s.Of(r.Token, nil) == nil })
	return cmp.Or(listed("The journal has these", own), listed("The journal has only others", others),
		none+" Give the client the server's BaseURL, and its HTTP client.")
}

// those returns the requests that are selected.
func those(requests []journal.Request, selected func(journal.Request) bool) []journal.Request {
	return slices.DeleteFunc(slices.Clone(requests), func(r journal.Request) bool { return !selected(r) })
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

func line(r *journal.Request) string {
	answer := cmp.Or(r.Reason, "no answer yet")
	if r.Status != 0 {
		answer = fmt.Sprintf("%d, %s", r.Status, r.Reason)
	}
	return fmt.Sprintf("%d. %s %s %s: %s", r.Number, r.Method, r.URL, words.WithToken(r.Token), answer)
}
