package fake

import (
	"fmt"
	"strings"
	"testing"
)

// What is kept of unknown tokens cannot be seen from outside but in the memory
// of the whole process, which other tests share: hence this test from within.
func TestAccountsOfUnknownTokensAreBounded(t *testing.T) {
	t.Parallel()
	known := map[string]*user{"known": {}}
	a := newAccounts(&setup{users: known, order: []string{"known"}, makeUnknown: func(string) *user { return &user{} }})
	sum := func() (bytes int) {
		for e := a.unknown.Front(); e != nil; e = e.Next() {
			bytes += e.Value.(*account).charged
		}
		return bytes
	}
	const body = 10_000
	for i := range 5000 {
		n := a.arrived(fmt.Sprint("token-", i))
		a.charge(n, body)
		a.charge(n, body) // as every later request does
		a.arrived("token-0")
		a.arrived("known")
		if a.bytes > unknownBytes || a.bytes != sum() {
			t.Fatalf("after %d tokens, %d bytes are charged, and %d kept, of %d", i, a.bytes, sum(), unknownBytes)
		}
	}
	if kept := a.unknown.Len(); kept < unknownBytes/(body+2*accountBytes) || len(a.byToken) != kept+1 {
		t.Errorf("%d unknown tokens are kept, and %d accounts", kept, len(a.byToken))
	}
	for token, want := range map[string]bool{"token-0": true, "known": true, "token-4999": true, "token-1": false} {
		if _, ok := a.byToken[token]; ok != want {
			t.Errorf("that %s is kept is %v", token, ok)
		}
	}
	// An account that was given up is not charged any more.
	before := a.bytes
	a.charge(&account{token: "token-1", user: &user{}}, body)
	if a.bytes != before {
		t.Errorf("%d bytes are charged for an account that is gone", a.bytes-before)
	}
}

// A token that was seen, given up and given a user is not said to be counted.
func TestCountsThatWereGivenUp(t *testing.T) {
	t.Parallel()
	a := newAccounts(new(setup))
	a.arrived("early")
	for i := range 2 * unknownBytes / accountBytes {
		a.arrived(fmt.Sprint(i))
	}
	a.set("early", &user{})
	a.set("late", &user{})
	a.arrived("")
	for token, want := range map[string]string{"early": "0 false", "never": "0 false", "": "1 true"} {
		count, certain := a.count(token)
		if got := fmt.Sprint(count, " ", certain); got != want {
			t.Errorf("the count of %q is %s, want %s", token, got, want)
		}
	}
	a.clear([]string{"early"})
	if _, certain := a.count("early"); !certain {
		t.Error("a count that was set to 0 is not certain")
	}
	a.clear(nil)
	if _, certain := a.count("never"); !certain {
		t.Error("after all counts were set to 0, that of a new token is not certain")
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]string{"": "…", "short": "…", strings.Repeat("x", 15): "…", "abcdefghijklmnop": "abcd…"} {
		if got := mask(token); got != want {
			t.Errorf("%q is masked as %q, want %q", token, got, want)
		}
	}
}
