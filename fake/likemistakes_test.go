package fake_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Mistakes in what users are like are told beside those of their file, of another file, and of
// users in Go. Each of these gives users that others can be like.
func TestMistakesInLikeBesideOthers(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"a.yaml": {Data: []byte("users:\n  tired: {like: flaky}\n  worn: {like: nobdy}\n")},
		"b.yaml": {Data: []byte("users:\n  flaky: {dealy: 2s}\n  late: {like: nobody}\n")},
	}
	_, err := fake.New(
		fake.WithFixtures(files, "b.yaml"),
		fake.WithFixtures(files, "a.yaml"),
		fake.WithUser("nobody", fixtures.User{Replies: []fixtures.Reply{{Status: 42}}}),
		fake.WithUser("slow", fixtures.User{Like: "flakey"}),
	)
	const want = "b.yaml:2:11: users.flaky.dealy: is not a known key; did you mean delay?\n" +
		"  2 |   flaky: {dealy: 2s}\n" +
		"    |           ^\n" +
		"users.nobody.replies[0].status: 42 is out of range; write a status from 200 to 599\n" +
		"users.slow.like: no user has the token \"flakey\"; did you mean flaky?\n" +
		"a.yaml:3:16: users.worn.like: no user has the token \"nobdy\"; did you mean nobody?"
	if err == nil || err.Error() != want {
		t.Errorf("the error is\n%v\nwant\n%s", err, want)
	}
}

// A loader that gives no set beside its mistakes may have any user.
func TestLoaderWithMistakesAlone(t *testing.T) {
	t.Parallel()
	_, err := fake.New(
		fake.WithLoader(func() (*fixtures.Set, error) {
			return nil, &fixtures.Mistakes{List: []fixtures.Mistake{{Problem: "is wrong"}}}
		}),
		fake.WithUser("slow", fixtures.User{Like: "flaky"}),
	)
	if err == nil || err.Error() != "is wrong" {
		t.Errorf("the error is %v, want the mistake of the loader alone", err)
	}
}

// What a loader returns beside another error than mistakes counts for nothing.
func TestLoaderWithAnotherError(t *testing.T) {
	t.Parallel()
	gone := errors.New("the file is gone")
	_, err := fake.New(fake.WithLoader(func() (*fixtures.Set, error) {
		wrong := fixtures.User{Like: "nobody"}
		return &fixtures.Set{Users: map[string]fixtures.User{"a": wrong}}, gone
	}))
	if !errors.Is(err, gone) || strings.Contains(err.Error(), "nobody") {
		t.Errorf("the error is %v, want that of the loader alone", err)
	}
}
