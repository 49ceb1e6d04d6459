package report

import (
	"crypto/rand"
	"strings"
	"sync"

	"example.com/campaignfake/fixtures/text"
)

// A Sharing has the tests that share a server. Each test has a run: the text behind the last tilde
// in all its tokens. By this run, a Sharing finds the test of a token. A test that has ended stays
// in the Sharing, but ignores what is reported to it. Any number of goroutines may use a Sharing at
// once. The zero Sharing has no tests.
type Sharing struct {
	mu    sync.RWMutex
	byRun map[string]*Test
}

// runLength is the number of characters of a run. Each character has five random bits. A run is
// that long because it must differ from all other runs, also from the runs of other servers:
// several servers may send their tokens to one upstream.
const runLength = 10

// Add adds a test, and returns its run, such as kd7fj2ma4x. The tokens of the test end in this run,
// so they differ from the tokens of all other tests. They also differ each time the test runs.
func (s *Sharing) Add(t *Test) (run string) {
	run = strings.ToLower(rand.Text()[:runLength])
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byRun == nil {
		s.byRun = make(map[string]*Test)
	}
	s.byRun[run] = t
	return run
}

// Of returns the test whose run stands at the end of a token, and nil if there is none. It ignores
// the part before the run, which may be misspelt.
func (s *Sharing) Of(token string) *Test {
	_, run, _ := text.CutRun(token)
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.byRun[run]
}

// TokenOf returns the token of a test for its run: NAME~RUN. The generated campaigns are the same
// for each RUN, because only NAME shapes them.
func TokenOf(t *Test, run string) string {
	return text.WithRun(inToken(nameOf(t.TB)), run)
}

// nameOf returns the name of a test, or "test" if the TB has no name.
func nameOf(tb TB) string {
	named, isNamed := tb.(interface{ Name() string })
	if !isNamed || named.Name() == "" {
		return "test"
	}
	return named.Name()
}

// inToken returns the name of a test in a form that can stand in a token. It shortens a long name
// to its end, because subtests differ there.
func inToken(name string) string {
	const longest = 100
	start := max(len(name)-longest, 0)
	return strings.Map(tokenCharacter, name[start:])
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
