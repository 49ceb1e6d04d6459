package report

import (
	"fmt"
	"strings"
	"sync"
)

// A Sharing is the tests that share a server, each by a token of its own. Any number of
// goroutines may use it at once. The zero Sharing has no tests.
type Sharing struct {
	mu    sync.RWMutex
	tests map[string]*Test // by token
}

// Add adds a test, and returns its token, which no user has, and no test that still runs. So a test
// has the same token in each run, as under go test -count.
func (s *Sharing) Add(t *Test, isUser func(token string) bool) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := nameOf(t.TB)
	token := name
	for number := 2; s.isRunning(token) || isUser(token); number++ {
		token = fmt.Sprintf("%s@%d", name, number) // no name has an @
	}
	if s.tests == nil {
		s.tests = make(map[string]*Test)
	}
	s.tests[token] = t
	return token
}

// isRunning reports whether a test has the token and has not ended. Its caller has locked mu.
func (s *Sharing) isRunning(token string) bool {
	t := s.tests[token]
	return t != nil && !t.hasEnded()
}

// nameOf returns the name of a test as a token.
func nameOf(tb TB) string {
	named, isNamed := tb.(interface{ Name() string })
	if !isNamed || named.Name() == "" {
		return "test"
	}
	return inToken(named.Name())
}

// inToken makes a token of the name of a test. Of a long name it takes the end, which tells
// subtests apart.
func inToken(name string) string {
	const longest = 100
	name = name[max(len(name)-longest, 0):]
	return strings.Map(tokenCharacter, name)
}

// tokenCharacter returns an ASCII letter, a digit, an underscore or a dot as it is, and a hyphen in
// place of any other character.
func tokenCharacter(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		return r
	case '0' <= r && r <= '9', r == '_', r == '.':
		return r
	default:
		return '-'
	}
}

// Own returns the part of a token that tells whose it is, as TestRetry of flaky~TestRetry. Without
// a tilde, that is the token.
func Own(token string) string {
	return token[strings.LastIndex(token, "~")+1:]
}

// Of returns the test that a token is of, even if it has ended, and nil if there is none.
func (s *Sharing) Of(token string) *Test {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.tests[Own(token)]
}
