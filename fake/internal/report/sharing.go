package report

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Sharing is the tests that share a server, each by a token of its own. Any number of
// goroutines may use it at once. The zero Sharing has no tests.
type Sharing struct {
	mu    sync.RWMutex
	tests map[string]*Test // by token
	last  map[string]int   // the number that was given last, by name
}

// Add adds a test, and returns its token: the test's name, with an @ and a number if
// another test has that already, as under go test -count, or if a user has it. What is drawn
// for a token does not depend on that number.
func (s *Sharing) Add(name string, t *Test, isUser func(token string) bool) (token string) {
	name = inToken(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tests == nil {
		s.tests, s.last = make(map[string]*Test), make(map[string]int)
	}
	token = name
	for s.tests[token] != nil || isUser(token) {
		s.last[name]++
		token = fmt.Sprintf("%s@%d", name, s.last[name]+1)
	}
	s.tests[token] = t
	return token
}

// inToken writes the name of a test with characters that a token may have. Names that
// differ stay different, unless they differ in slashes, spaces and hyphens alone, or are very long.
func inToken(name string) string {
	var b strings.Builder
	for _, r := range name[:min(len(name), 200)] {
		switch {
		case r == '/', r == ' ':
			b.WriteByte('-')
		case r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.-", r)):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "u%x", r)
		}
	}
	return b.String()
}

// Has reports whether a token is that of a test, be it over.
func (s *Sharing) Has(token string) bool { return s.Of(token, nil) != nil }

// Of returns the test with a token, be it over, or another if there is none.
func (s *Sharing) Of(token string, otherwise *Test) *Test {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if t := s.tests[token]; t != nil {
		return t
	}
	return otherwise
}
