package report

import (
	"fmt"
	"strings"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
)

const (
	// noRequest is the text of a listing without requests.
	noRequest = "\nThe journal has no request of this test."

	// closed is the text about a closed server. Its clients see only that nothing listens.
	closed = "\nThe server is closed: Close came too early, or the server is that of another test."
)

const (
	mostListed   = 10 // bounds how many requests are listed
	mostOfNobody = 3  // bounds how many requests without a known token are listed
)

// Listing lists requests of the journal for a message about a token. First it lists the requests of
// the token. Then it lists the latest requests of the argument ofNobody. These requests have no
// token or an unknown token: the client may have lost its token.
//
// If the token has no requests, the client may have sent a wrong token. Then Listing lists only the
// other requests of the same test, and the requests of no test. It never lists requests of another
// test. If isClosed is true, the listing says at its end that the server is closed.
func (s *Sharing) Listing(
	token string, requests, ofNobody []journal.Request, isClosed bool,
) string {
	list := s.list(token, requests, ofNobody)
	switch {
	case isClosed:
		return list + closed
	case list == noRequest:
		return list + " Give the client the server's BaseURL, and its HTTP client."
	}
	return list
}

func (s *Sharing) list(token string, requests, ofNobody []journal.Request) string {
	ofToken, others := s.divide(token, requests)
	switch {
	case len(ofToken) > 0:
		list := listUnder("The journal has these", ofToken, mostListed)
		_, lost := s.divide(token, ofNobody)
		if len(lost) > 0 {
			const title = "Others have no token, or one that no user has"
			list += listUnder(title, lost, mostOfNobody)
		}
		return list
	case len(others) > 0:
		return listUnder("The journal has only others", others, mostListed)
	default:
		return noRequest
	}
}

// divide splits requests into two lists. The list ofToken has the requests of the token. The list
// others has the requests of the same test with another token, and the requests of no test. divide
// leaves out the requests of other tests.
func (s *Sharing) divide(
	token string, requests []journal.Request,
) (ofToken, others []journal.Request) {
	test := s.Of(token)
	for _, r := range requests {
		sender := s.Of(r.Token)
		switch {
		case r.Token == token:
			ofToken = append(ofToken, r)
		case sender == nil || sender == test:
			others = append(others, r)
		}
	}
	return ofToken, others
}

// listUnder lists the latest requests under a title, each on a line. If there are more than the
// argument most, listUnder says how many earlier requests it leaves out.
func listUnder(title string, requests []journal.Request, most int) string {
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
