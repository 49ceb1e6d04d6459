package report

import (
	"fmt"
	"strings"
	"sync"

	"example.com/campaignfake/fixtures/text"
)

// A Sharing is the tests that share a server, each by a token of its own. Any number of
// goroutines may use it at once. The zero Sharing has no tests.
type Sharing struct {
	mu    sync.RWMutex
	tests map[string]*Test // by token
}

// Add adds a test, and returns its token, which no test that still runs has, and no user. So a test
// has the same token in each run, as under go test -count.
func (s *Sharing) Add(t *Test, isUser func(token string) bool) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := nameOf(t.TB)
	token := name
	for number := 2; s.tests[token].runs() || isUser(token); number++ {
		token = fmt.Sprintf("%s@%d", name, number)
	}
	if s.tests == nil {
		s.tests = make(map[string]*Test)
	}
	s.tests[token] = t
	return token
}

// nameOf returns the name of a test as a token, which has no @.
func nameOf(tb TB) string {
	named, isNamed := tb.(interface{ Name() string })
	if !isNamed || named.Name() == "" {
		return "test"
	}
	return inToken(named.Name())
}

// Own returns the part of a token that tells whose it is, as TestRetry of flaky~TestRetry. Without
// a tilde, that is the token.
func Own(token string) string {
	return token[strings.LastIndex(token, "~")+1:]
}

// outside matches a character that is not taken over into a token.
var outside = text.Pattern(`[^\w.]`)

// inToken writes the last 100 bytes of a name with ASCII letters, digits, underscores and dots, and
// hyphens in place of all others.
func inToken(name string) string {
	return outside().ReplaceAllString(name[max(len(name)-100, 0):], "-")
}

// Of returns the test that a token is of, be it over, or another if there is none.
func (s *Sharing) Of(token string, otherwise *Test) *Test {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if t := s.tests[Own(token)]; t != nil {
		return t
	}
	return otherwise
}
