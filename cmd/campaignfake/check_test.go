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

// Users like those of the gallery are right where serve has --gallery, too. What is counted are the
// users of the fixtures.
func TestCheckBesideGallery(t *testing.T) {
	t.Parallel()
	fixture := file(t, "like.yaml",
		"service: {unknown_tokens: like flaky}\nusers: {tired: {like: demo}}\n")
	tests := map[string]struct{ env, args []string }{
		"flag":     {nil, []string{"check", "--gallery", fixture}},
		"variable": {[]string{"CAMPAIGNFAKE_GALLERY=on"}, []string{"check", fixture}},
	}
	for name, tt := range tests {
		got := finish(t, tt.env, tt.args...)
		want := result{0, "no mistakes; users: 1\n", ""}
		if got != want {
			t.Errorf("%s: check ends with %+v, want %+v", name, got, want)
		}
	}
	finish(t, nil, "check", fixture).failsLike(t, 1, `no user has the token "demo"`,
		`no user has the token "flaky"`)

	wrong := file(t, "wrong.yaml", "users: {tired: {like: demmo}}\n")
	finish(t, nil, "check", "--gallery", wrong).failsLike(t, 1,
		wrong+`:1:23: users.tired.like: no user has the token "demmo"; did you mean demo?`)

	large := "users:\n  last: {generate: {count: 3700}}\n"
	for i := range 8 {
		large += fmt.Sprintf("  user-%d: {generate: {count: 10000}}\n", i)
	}
	alone := file(t, "large.yaml", large)
	if got := finish(t, nil, "check", alone); got.status != 0 {
		t.Errorf("check of a set that just fits ends with %+v", got)
	}
	finish(t, nil, "check", "--gallery", alone).failsLike(t, 1,
		"become larger than 16 MiB in memory")
}

func TestCheckReportsEveryMistake(t *testing.T) {
	t.Parallel()
	first := file(t, "first.yaml", "users:\n  a: {campain: []}\n  b: {generate: {count: many}}\n")
	second := file(t, "second.yaml", "users:\n  a: {}\nservce: {}\n")
	got := finish(t, nil, "check", first, second)
	got.failsLike(t, 1,
		first+":2:7: users.a.campain: ",
		"did you mean campaigns?\n  2 |   a: {campain: []}\n    |       ^\n",
		first+":3:25: users.b.generate.count: ",
		second+":2:3: users.a: ", first+":2", // both places of what is given twice
		second+":3:1: servce: ", "did you mean service?")
	if carets := strings.Count(got.stderr, "^"); carets != 4 {
		t.Errorf("%d mistakes have a caret, want 4:\n%s", carets, got.stderr)
	}
}

// Mistakes in what users are like are told with all others, by check and by serve. A user of the
// gallery is there for those of a file with mistakes, too.
func TestMistakesInLikeAreToldWithOthers(t *testing.T) {
	t.Parallel()
	fixture := file(t, "like.yaml", "users:\n"+
		"  tired: {like: demo}\n"+
		"  worn: {like: tird}\n"+
		"  slow: {dealy: 2s}\n")
	like := fixture + `:3:16: users.worn.like: no user has the token "tird"; did you mean tired?`
	delay := fixture + ":4:10: users.slow.dealy: is not a known key; did you mean delay?"
	for _, command := range []string{"check", "serve", "openapi"} {
		got := finish(t, nil, command, "--gallery", fixture)
		got.failsLike(t, 1, "campaignfake: the fixtures cannot be used:\n"+like+"\n"+delay)
		if strings.Contains(got.stderr, "demo") {
			t.Errorf("%s misses a user of the gallery:\n%s", command, got.stderr)
		}
	}

	text := finish(t,
		[]string{"CAMPAIGNFAKE_FIXTURES=users: {worn: {like: slow}, odd: {times: 2}}"},
		"serve", "--strict", fixture)
	text.failsLike(t, 1, delay, "CAMPAIGNFAKE_FIXTURES:1:35: users.odd.times: ",
		fixture+`:2:17: users.tired.like: no user has the token "demo"`)
}
