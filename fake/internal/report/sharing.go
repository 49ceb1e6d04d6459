package report

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync"

	"example.com/campaignfake/fake/internal/words"
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
	token := TokenOf(t.TB, "", func(token string) bool { return s.tests[token].runs() || isUser(token) })
	if s.tests == nil {
		s.tests = make(map[string]*Test)
	}
	s.tests[token] = t
	return token
}

// TokenOf returns a token for a test: its name, after that of its package. If that is taken, it
// has an @, which no name has, and a number.
func TokenOf(tb TB, inPackage string, isTaken func(token string) bool) string {
	name := inPackage + "test"
	if named, ok := tb.(interface{ Name() string }); ok && named.Name() != "" {
		name = inPackage + inToken(named.Name())
	}
	token := name
	for number := 2; isTaken(token); number++ {
		token = fmt.Sprintf("%s@%d", name, number)
	}
	return token
}

// PackageOf returns the path of the package whose tests run, as a token, with a dot at its end.
// It is "" if that is not known.
func PackageOf() string {
	built, _ := debug.ReadBuildInfo()
	if built == nil || built.Path == "" {
		return ""
	}
	return inToken(strings.TrimSuffix(built.Path, ".test")) + "."
}

// Own returns the part of a token that tells whose it is, if it is like a user, as TestRetry of
// flaky~TestRetry, or else the token.
func Own(token string) string { return token[strings.Index(token, "~")+1:] }

// outside matches a character that is not taken over into a token.
var outside = words.Pattern(`[^\w.]`)

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
