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

// A Sharing knows the tests that share a server. Each has a token of its own, and the tokens that
// it has claimed. Any number of goroutines may use a Sharing at once. The zero Sharing has no
// tests.
type Sharing struct {
	mu      sync.RWMutex
	run     string           // is in the tokens of all tests; "" until the first is added
	count   int              // how many tests were added
	running map[int]*Test    // the tests that run, by their numbers, which begin with 1
	claimed map[string]*Test // the tests that run, by the tokens that they have claimed
	ended   *Test            // stands for every test that does not run any more
}

// runLength is how many characters of five random bits the run has. Two servers may send their
// tokens to the same upstream, which has to tell them apart.
const runLength = 8

// Add adds a test, and returns its token: NAME@RUN, where RUN has the number of the test. No other
// test has this token, and neither has another run of the same test. The campaigns are the same in
// each run, because what follows the last @ shapes no data.
func (s *Sharing) Add(t *Test) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == "" {
		s.run = strings.ToLower(rand.Text()[:runLength])
		s.running = make(map[int]*Test)
		s.claimed = make(map[string]*Test)
		s.ended = New(NoTest{})
		s.ended.End()
	}
	s.count++
	s.running[s.count] = t
	return fmt.Sprintf("%s@%s-%d", inToken(nameOf(t.TB)), s.run, s.count)
}

// Claim gives a token to a test until the test is removed. The test was added, and the token was
// not made by Add. Claim fails if another test has the token and has not ended. If the test itself
// has ended, Claim does nothing.
func (s *Sharing) Claim(t *Test, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.hasEnded() {
		return nil
	}
	other := s.ofLocked(token)
	switch {
	case other == t:
		return nil
	case other != nil && !other.hasEnded():
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

// Of returns the test to which a token belongs, and nil if it belongs to none. A token that was
// made by Add also belongs to a test after that was removed: Of returns a test that ignores
// everything then. The number in the token decides. So flaky~NAME@RUN belongs to the same test, and
// so does a token in which the name is misspelt.
func (s *Sharing) Of(token string) *Test {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.ofLocked(token)
}

// IsRunning reports whether a token belongs to a test that has not ended.
func (s *Sharing) IsRunning(token string) bool {
	test := s.Of(token)
	return test != nil && !test.hasEnded()
}

// ofLocked does the work of Of. Its caller has locked mu.
func (s *Sharing) ofLocked(token string) *Test {
	claimant := s.claimantOf(token)
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

// claimantOf returns the test that has claimed a token, or the part of the token behind a tilde: a
// token as flaky~TOKEN is like the user flaky. It returns nil if there is none. Its caller has
// locked mu.
func (s *Sharing) claimantOf(token string) *Test {
	for {
		claimant := s.claimed[token]
		if claimant != nil {
			return claimant
		}
		_, behind, isLike := text.CutLike(token)
		if !isLike {
			return nil
		}
		token = behind
	}
}

// HasMade reports whether a token was made by Add, or is one as flaky~NAME@RUN, which has such a
// token at its end. It is no secret then.
func (s *Sharing) HasMade(token string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.numberOf(token) != 0
}

// numberOf returns the number of the test in a token that was made by Add, and 0 for other tokens.
// Its caller has locked mu.
func (s *Sharing) numberOf(token string) int {
	at := strings.LastIndexByte(token, '@')
	run, digits, isNumbered := strings.Cut(token[at+1:], "-")
	if !isNumbered || run != s.run {
		return 0
	}
	number, err := strconv.Atoi(digits)
	if err != nil || number < 1 || number > s.count {
		return 0
	}
	return number
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
