package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, folder, "a.yaml", users("own", "a"))
	write(t, folder, "b.yml", users("own", "b"))
	for users, args := range map[int][]string{
		0: {file(t, "none.yaml", "users: {}")},
		2: {folder},
		3: {file(t, "c.yaml", users("own", "c")), folder},
	} {
		// Wrong settings of a server are no business of check.
		got := finish(t, []string{"CAMPAIGNFAKE_SEED=x"}, append([]string{"check"}, args...)...)
		if want := fmt.Sprintf("no mistakes; users: %d\n", users); got != (result{0, want, ""}) {
			t.Errorf("check ends with %+v, want the output %q", got, want)
		}
	}
}

func TestCheckReportsEveryMistake(t *testing.T) {
	t.Parallel()
	first := file(t, "first.yaml", "users:\n  a: {campain: []}\n  b: {generate: {count: many}}\n")
	second := file(t, "second.yaml", "users:\n  a: {}\nservce: {}\n")
	got := finish(t, nil, "check", first, second)
	got.failsLike(t, 1,
		first+":2:7: users.a.campain: ", "did you mean campaigns?\n  2 |   a: {campain: []}\n    |       ^\n",
		first+":3:25: users.b.generate.count: ",
		second+":2:3: users.a: ", first+":2", // both places of what is given twice
		second+":3:1: servce: ", "did you mean service?")
	if carets := strings.Count(got.stderr, "^"); carets != 4 {
		t.Errorf("%d mistakes have a caret, want 4:\n%s", carets, got.stderr)
	}
}
