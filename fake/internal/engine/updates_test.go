package engine

import (
	"runtime"
	"testing"
	"weak"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// The updates hold the token of a user who has been replaced, and nothing else of him.
func TestUpdatesKeepNoUser(t *testing.T) {
	t.Parallel()
	e, err := New(plan.Configure(nil))
	if err != nil {
		t.Fatal(err)
	}
	set := func() weak.Pointer[plan.User] {
		if err := e.SetUser("demo", fixtures.User{}); err != nil {
			t.Fatal(err)
		}
		return weak.Make(e.State.User("demo").User)
	}
	first := set()
	set()
	if runtime.GC(); first.Value() != nil {
		t.Error("a user who has been replaced is kept")
	}
	runtime.KeepAlive(e)
}
