package report_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/report"
)

// A recorder is a test that keeps the messages it gets. One goroutine uses it.
type recorder struct {
	name     string
	skipped  bool
	failures []string
	logged   []string
}

func (r *recorder) Helper()        {}
func (r *recorder) Cleanup(func()) {}
func (r *recorder) Failed() bool   { return len(r.failures) > 0 }
func (r *recorder) Skipped() bool  { return r.skipped }
func (r *recorder) Name() string   { return r.name }

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	panic("nobody is to call Fatalf")
}

func (r *recorder) Logf(format string, args ...any) {
	r.logged = append(r.logged, fmt.Sprintf(format, args...))
}

// expectTold compares the messages that a test got, one after the other.
func expectTold(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n---\n") != strings.Join(want, "\n---\n") {
		t.Errorf("the %s are\n%q\nwant\n%q", what, got, want)
	}
}

// A wrong request fails only a strict test, and a wrong call of a method fails any test.
func TestStrictness(t *testing.T) {
	t.Parallel()
	wrong := errors.New("no user has the token")
	for strict, want := range map[bool][]string{
		true:  {"1 request matched nothing", "campaignfake: SetUser: no user has the token"},
		false: {"campaignfake: SetUser: no user has the token"},
	} {
		tb := new(recorder)
		test := &report.Test{TB: tb, Strict: strict}
		test.Fail("%d request matched nothing", 1)
		if err := test.Refuse("SetUser", wrong); err != wrong {
			t.Errorf("the error becomes %v", err)
		}
		if err := test.Refuse("SetUser", nil); err != nil {
			t.Errorf("no error becomes %v", err)
		}
		expectTold(t, "failures", tb.failures, want...)
	}
}

// Nothing is reported to a test that has ended.
func TestEnd(t *testing.T) {
	t.Parallel()
	tb := new(recorder)
	test := &report.Test{TB: tb, Strict: true}
	tell := func(when string) {
		test.Fail("failed %s", when)
		test.Refuse("refused "+when, errors.New("wrong"))
		test.Errorf("wrong %s", when)
		test.Logf("logged %s", when)
		line := "written " + when + "\n"
		if n, err := test.Write([]byte(line)); n != len(line) || err != nil {
			t.Errorf("of %d bytes %d are written, and then %v", len(line), n, err)
		}
	}
	tell("before")
	test.End()
	tell("after")
	test.Fatalf("ended after") // the recorder would panic here
	expectTold(t, "failures", tb.failures, "failed before", "campaignfake: refused before: wrong",
		"wrong before")
	expectTold(t, "lines", tb.logged, "logged before", "campaignfake: written before")
}

// A panicking is a test that ends by a panic when it fails.
type panicking struct{ recorder }

func (p *panicking) Errorf(string, ...any) { panic("failed") }

// Some frameworks end a test by a panic. The goroutine of the request that fails the test goes on.
func TestFailRecovers(t *testing.T) {
	t.Parallel()
	test := &report.Test{TB: new(panicking), Strict: true}
	test.Fail("wrong")
	test.End()
}
