package fake

import (
	"runtime"
	"testing"
	"weak"
)

// The updates hold the token of a user who has been replaced, and nothing else of him.
func TestUpdatesKeepNoUser(t *testing.T) {
	t.Parallel()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	set := func() weak.Pointer[user] {
		if err := s.SetUser("demo", User{}); err != nil {
			t.Fatal(err)
		}
		return weak.Make(s.state.user("demo").user)
	}
	first := set()
	set()
	if runtime.GC(); first.Value() != nil {
		t.Error("a user who has been replaced is kept")
	}
	runtime.KeepAlive(s)
}
