package report_test

import (
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/report"
)

// noUser says that no user has a token.
func noUser(string) bool { return false }

// A test gets its name as a token, which can be sent.
func TestTokenOfATest(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"TestRetry":                            "TestRetry",
		"TestRetry/after_1.5s":                 "TestRetry-after_1.5s",
		"TestRetry/ä b~c@d":                    "TestRetry---b-c-d",
		"TestRetry/\xff":                       "TestRetry--",
		"":                                     "test",
		strings.Repeat("x", 60) + "/" + "0123": strings.Repeat("x", 60) + "-0123",
		strings.Repeat("x", 99) + "/" + "0123": strings.Repeat("x", 95) + "-0123",
	} {
		var s report.Sharing
		test := &report.Test{TB: &recorder{name: name}}
		if got := s.Add(test, noUser); got != want {
			t.Errorf("the token of %q is %s, want %s", name, got, want)
		}
	}
	var s report.Sharing
	if got := s.Add(&report.Test{TB: report.NoTest{}}, noUser); got != "test" {
		t.Errorf("the token of a test without a name is %s", got)
	}
}

// A token is given to one test at a time, and not if it is a user's. When the test has ended, its
// next run gets the same.
func TestTokensAreGivenOnce(t *testing.T) {
	t.Parallel()
	var s report.Sharing
	isUser := func(token string) bool { return token == "TestRetry@2" }
	add := func(want string) *report.Test {
		t.Helper()
		test := &report.Test{TB: &recorder{name: "TestRetry"}}
		if got := s.Add(test, isUser); got != want {
			t.Errorf("the token is %s, want %s", got, want)
		}
		return test
	}
	first := add("TestRetry")
	add("TestRetry@3")
	first.End()
	second := add("TestRetry")
	if got := s.Of("TestRetry"); got != second {
		t.Errorf("the token is of %v, want the second test", got)
	}
}

// What has a token, or one that is like a user's, is of the test that the token was given to.
func TestOf(t *testing.T) {
	t.Parallel()
	var s report.Sharing
	test := &report.Test{TB: &recorder{name: "TestRetry"}}
	s.Add(test, noUser)
	for token, own := range map[string]bool{
		"TestRetry":         true,
		"flaky~TestRetry":   true,
		"flaky~1~TestRetry": true,
		"TestRetry~1":       false,
		"TestRetry2":        false,
		"flaky":             false,
		"":                  false,
	} {
		got := s.Of(token)
		if own && got != test || !own && got != nil {
			t.Errorf("%q is of %v, want the test: %t", token, got, own)
		}
	}
	test.End()
	if s.Of("TestRetry") != test {
		t.Error("after its end, a test no longer has its token")
	}
}
