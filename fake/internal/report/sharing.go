package report

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.com/campaignfake/fixtures/text"
)

// A Sharing knows the tests that share a server. Each has the tokens that end in its run, and the
// tokens that it has claimed. Any number of goroutines may use a Sharing at once. The zero Sharing
// has no tests.
type Sharing struct {
	mu      sync.RWMutex
	random  string           // begins the runs of all tests; "" until a test is added
	count   int              // how many tests were added
	running map[int]*Test    // the running tests, by their numbers from 1
	claimed map[string]*Test // the running tests, by the tokens that they have claimed
	ended   *Test            // stands for every test that has ended
}

// randomLength is the number of random characters at the start of a run, five bits each. Two
// servers may send tokens of their tests to one upstream, which has to tell them apart.
const randomLength = 8

// Add adds a test, and returns its run, as kd7fj2ma-1. The run makes the tokens of the test differ
// from the tokens of all other tests, and of another run of the same test.
func (s *Sharing) Add(t *Test) (run string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.random == "" {
		s.random = strings.ToLower(rand.Text()[:randomLength])
		s.running = make(map[int]*Test)
		s.claimed = make(map[string]*Test)
		s.ended = New(NoTest{})
		s.ended.End()
	}
	s.count++
	s.running[s.count] = t
	return fmt.Sprintf("%s-%d", s.random, s.count)
}

// Claim gives a token to a test until the test is removed. The caller has added the test, and the
// token does not end in a run. Claim fails if another test has the token and has not ended. If the
// test itself has ended, Claim does nothing.
func (s *Sharing) Claim(t *Test, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.HasEnded() {
		return nil
	}
	other := s.ofLocked(token)
	switch {
	case other == t:
		return nil
	case other != nil && !other.HasEnded():
		return fmt.Errorf("another test, %s, has this token, and still runs; "+
			"log in anew for each test, or do not run the two in parallel", nameOf(other.TB))
	}
	s.claimed[token] = t
	return nil
}

// Claimed returns the tokens that a test has claimed, sorted.
func (s *Sharing) Claimed(t *Test) (tokens []string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for token, claimant := range s.claimed {
		if claimant == t {
			tokens = append(tokens, token)
		}
	}
	slices.Sort(tokens)
	return tokens
}

// Remove forgets a test that has ended, and the tokens that it has claimed.
func (s *Sharing) Remove(t *Test) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for number, other := range s.running {
		if other == t {
			delete(s.running, number)
		}
	}
	for token, other := range s.claimed {
		if other == t {
			delete(s.claimed, token)
		}
	}
}

// Of returns the test to which a token belongs, and nil for no test. A token that ends in the run
// of a test belongs to this test, even if the part before the run is misspelt. After the test was
// removed, Of returns a test that ignores everything.
func (s *Sharing) Of(token string) *Test {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.ofLocked(token)
}

// IsRunning reports whether a token belongs to a test that has not ended.
func (s *Sharing) IsRunning(token string) bool {
	test := s.Of(token)
	return test != nil && !test.HasEnded()
}

// ofLocked does the work of Of. Its caller has locked mu.
func (s *Sharing) ofLocked(token string) *Test {
	claimant := s.claimed[token]
	if claimant != nil {
		return claimant
	}
	number := s.numberOf(token)
	if number == 0 {
		return nil
	}
	test := s.running[number]
	if test == nil {
		return s.ended
	}
	return test
}

// HasMade reports whether a token ends in the run of a test. Such a token is no secret.
func (s *Sharing) HasMade(token string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.numberOf(token) != 0
}

// numberOf returns the number of the test in whose run a token ends, and 0 for other tokens. Its
// caller has locked mu.
func (s *Sharing) numberOf(token string) int {
	_, run, _ := text.CutRun(token)
	random, digits, isNumbered := strings.Cut(run, "-")
	if !isNumbered || random != s.random {
		return 0
	}
	number, err := strconv.Atoi(digits)
	if err != nil || number < 1 || number > s.count {
		return 0
	}
	return number
}

// TokenOf returns the token of a test for its run: NAME~RUN. The campaigns are the same in each
// run, because only the name shapes data.
func TokenOf(t *Test, run string) string {
	return text.WithRun(inToken(nameOf(t.TB)), run)
}

// nameOf returns the name of a test.
func nameOf(tb TB) string {
	named, isNamed := tb.(interface{ Name() string })
	if !isNamed || named.Name() == "" {
		return "test"
	}
	return named.Name()
}

// inToken returns the name of a test in a form that can stand in a token. Of a long name it takes
// the end, because subtests differ there.
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
