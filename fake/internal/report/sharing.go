package report

import (
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Sharing is the tests that share a server, each by a token of its own, and by those that it has
// claimed. Any number of goroutines may use it at once. The zero Sharing has no tests.
type Sharing struct {
	mu      sync.RWMutex
	run     string           // in the tokens of all tests; "" until the first is added
	count   int              // of the tests that were added
	running map[int]*Test    // by their numbers, which count from 1
	claimed map[string]*Test // by the tokens that they have claimed
	ended   *Test            // stands for all that are not running any more
}

// runLength is how many characters, of five random bits each, tell the tokens of one server from
// those of another, which may send them to the same upstream.
const runLength = 8

// Add adds a test, and returns its token: NAME@RUN, where RUN has the number of the test. No other
// test has this token, nor has another run of the same test. What is generated for it is the same
// in each run, since what follows the last @ shapes no data.
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

// Claim makes a token that was not made by Add one of a test that was added, until that is removed.
// It fails if the token is of another test that has not ended. A test that has ended gets none.
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

// Claimed returns the tokens that a test has claimed, in their order.
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
	maps.DeleteFunc(s.running, func(_ int, other *Test) bool { return other == t })
	maps.DeleteFunc(s.claimed, func(_ string, other *Test) bool { return other == t })
}

// Of returns the test that a token is of, and nil if there is none. A token that was made by Add
// stays one of a test: if its test was removed, Of returns one that is told nothing. So is a token
// that is like a user, as flaky~NAME@RUN, and one in which a name is misspelt, since its number
// tells.
func (s *Sharing) Of(token string) *Test {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.ofLocked(token)
}

// ofLocked returns what Of does. Its caller has locked mu.
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

// claimantOf returns the test that has claimed a token, or what a token that is like a user has
// behind a tilde; nil if there is none. Its caller has locked mu.
func (s *Sharing) claimantOf(token string) *Test {
	for {
		claimant := s.claimed[token]
		if claimant != nil {
			return claimant
		}
		_, behind, hasTilde := strings.Cut(token, "~")
		if !hasTilde {
			return nil
		}
		token = behind
	}
}

// HasMade reports whether a token is one of Add, or like a user and of the same test. It is no
// secret then.
func (s *Sharing) HasMade(token string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.numberOf(token) != 0
}

// numberOf returns the number of the test in a token of Add, and 0 if it is another token. Its
// caller has locked mu.
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
