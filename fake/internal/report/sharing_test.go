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
	wantRun := regexp.MustCompile(`^[a-z2-7]{10}$`)
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

// What ends in a run is of the test that the run was given to.
func TestOf(t *testing.T) {
	t.Parallel()
	var s, elsewhere report.Sharing
	test, other := new(report.Test), new(report.Test)
	run := s.Add(test)
	tokens := map[string]bool{
		"TestRetry~" + run:                  true,
		"TestRety~" + run:                   true,
		"flaky~TestRetry~" + run:            true,
		"~" + run:                           true,
		run:                                 false,
		"TestRetry~" + run + "~1":           false,
		"TestRetry~" + run + "0":            false,
		"TestRetry":                         false,
		"TestRetry~" + elsewhere.Add(other): false,
	}
	for token, own := range tokens {
		got := s.Of(token)
		if own && got != test || !own && got != nil {
			t.Errorf("%q is of %v, want the test: %t", token, got, own)
		}
	}
}
