package report

import (
	"fmt"
	"strings"

	"example.com/campaignfake/fake/internal/journal"
	"example.com/campaignfake/fake/internal/words"
)

// A Listing lists the requests of the journal for a message about a token.
type Listing struct {
	Token   string
	Journal []journal.Request
	Sharing *Sharing // whose tests have tokens of their own; nil for none
	None    string   // is said if there is nothing to list
}

// NoneOfTest is None where the journal has requests of other tests.
const NoneOfTest = "The journal has no request of this test."

// Miscounted returns the message of CheckRequests if count is not n, the number of the
// token's requests that matched the route.
func (l Listing) Miscounted(n, count int) string {
	return fmt.Sprintf("campaignfake: %s %s, want %d%s", words.Counted(count, "request"), words.OfToken(l.Token), n, l.Text(count))
}

// Text returns the listing: the requests of the token first, then others, but not those of
// other tests; each title and each request on a line of its own. count is how many of the
// token matched the route, if only these count.
func (l Listing) Text(count int) string {
	var b strings.Builder
	var own, unmatched, others []journal.Request
	for _, r := range l.Journal {
		switch {
		case r.Token != l.Token:
			if l.Sharing == nil || !l.Sharing.Has(r.Token) {
				others = append(others, r)
			}
		case r.Unmatched && count != NotCounted:
			unmatched = append(unmatched, r)
		default:
			own = append(own, r)
		}
	}
	if count > 0 && len(own) == 0 {
		b.WriteString("\nThe journal does not have these any more.")
	}
	writeRequests(&b, "These were", own, count)
	writeRequests(&b, "These matched nothing, and do not count", unmatched, NotCounted)
	if len(own)+len(unmatched) == 0 {
		writeRequests(&b, "Others were", others, NotCounted)
	}
	if b.Len() == 0 {
		b.WriteString("\n" + l.None)
	}
	return b.String()
}

// NotCounted stands for a number of requests that nobody knows, since the journal may
// have dropped some.
const NotCounted = -1

// writeRequests lists the latest of some requests under a title, and says how many of
// all there were before.
func writeRequests(b *strings.Builder, title string, requests []journal.Request, all int) {
	if len(requests) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:", title)
	latest := requests[max(len(requests)-10, 0):]
	switch {
	case all > len(latest):
		fmt.Fprintf(b, "\n\t(%s)", words.Counted(all-len(latest), "earlier one"))
	case all == NotCounted && len(latest) < len(requests):
		b.WriteString("\n\t(earlier ones are not listed)")
	}
	for _, r := range latest {
		b.WriteString("\n\t" + line(&r))
	}
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
