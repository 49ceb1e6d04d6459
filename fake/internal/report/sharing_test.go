package report_test

import (
	"regexp"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/report"
)

// A test gets a token that can be sent: its name, and behind the tilde its run.
func TestTokenOfATest(t *testing.T) {
	t.Parallel()
	wantRun := regexp.MustCompile(`^[a-z2-7]{8}-1$`)
	for name, want := range map[string]string{
		"TestRetry/after_1.5s":                 "TestRetry-after_1.5s",
		"TestRetry/ä b~c@d":                    "TestRetry---b-c-d",
		"":                                     "test",
		strings.Repeat("x", 60) + "/" + "0123": strings.Repeat("x", 60) + "-0123",
		strings.Repeat("x", 99) + "/" + "0123": strings.Repeat("x", 95) + "-0123",
	} {
		var s report.Sharing
		test := &report.Test{TB: &recorder{name: name}}
		run := s.Add(test)
		if got := report.TokenOf(test, run); got != want+"~"+run || !wantRun.MatchString(run) {
			t.Errorf("the token of %q is %s, want %s~%v", name, got, want, wantRun)
		}
	}
	var s report.Sharing
	test := &report.Test{TB: report.NoTest{}}
	if got := report.TokenOf(test, s.Add(test)); !strings.HasPrefix(got, "test~") {
		t.Errorf("the token of a test without a name is %s", got)
	}
}

// What ends in a run is of the test that the run was given to. If that has been removed, it is of a
// test that is told nothing.
func TestOf(t *testing.T) {
	t.Parallel()
	var s, elsewhere report.Sharing
	tb := &recorder{name: "TestRetry"}
	test := &report.Test{TB: tb, Strict: true}
	run := s.Add(test)
	tokens := map[string]bool{
		"TestRetry~" + run:            true,
		"TestRety~" + run:             true,
		"flaky~TestRetry~" + run:      true,
		"~" + run:                     true,
		run:                           false,
		"TestRetry~" + run + "~1":     false,
		"TestRetry~" + run + "0":      false,
		"TestRetry~" + run[:9] + "0":  false,
		"TestRetry~" + run[:9] + "-1": false,
		"TestRetry":                   false,
		"TestRetry~" + elsewhere.Add(&report.Test{TB: tb}): false,
	}
	for token, own := range tokens {
		got := s.Of(token)
		if own && got != test || !own && got != nil {
			t.Errorf("%q is of %v, want the test: %t", token, got, own)
		}
		if s.HasMade(token) != own {
			t.Errorf("%q was made here: %t, want %t", token, !own, own)
		}
	}
	test.End()
	s.Remove(test)
	for token, own := range tokens {
		got := s.Of(token)
		if got == test || own != (got != nil) {
			t.Errorf("after its end, %q is of %v", token, got)
		}
		if got != nil {
			got.Fail("told")
		}
	}
	if tb.Failed() {
		t.Errorf("after its end, the test is told %q", tb.failures)
	}
}

// A token that a test has claimed is its own, and no other's while it runs.
func TestClaim(t *testing.T) {
	t.Parallel()
	var s report.Sharing
	first := &report.Test{TB: &recorder{name: "TestFirst/a b"}}
	second := &report.Test{TB: &recorder{name: "TestSecond"}}
	own := "TestFirst~" + s.Add(first)
	s.Add(second)
	claim := func(test *report.Test, token, want string) {
		t.Helper()
		got := ""
		if err := s.Claim(test, token); err != nil {
			got, _, _ = strings.Cut(err.Error(), " has this token")
		}
		if got != want {
			t.Errorf("the claim of %q is refused because of %q, want %q", token, got, want)
		}
	}
	of := func(token string, want *report.Test) {
		t.Helper()
		if got := s.Of(token); got != want || s.HasMade(token) {
			t.Errorf("%q is of %v, want %v", token, got, want)
		}
	}
	for _, token := range []string{"lo~gin", "lo~gin", "another", own} {
		claim(first, token, "")
	}
	claim(second, "lo~gin", "another test, TestFirst/a b,")
	claim(second, own, "another test, TestFirst/a b,")
	if got := s.Claimed(first); strings.Join(got, " ") != "another lo~gin" {
		t.Errorf("the first test has claimed %q", got)
	}
	of("lo~gin", first)
	of("lo~gin~1", nil)

	first.End()
	claim(second, "lo~gin", "")
	s.Remove(first)
	claim(first, "too late", "")
	of("lo~gin", second)
	of("another", nil)
	of("too late", nil)
}
