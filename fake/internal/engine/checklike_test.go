package engine_test

import (
	"errors"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fixtures"
)

// A user that is to be given is like one that is there, and is not like another itself. Nobody is
// like one that is like another. A mistake suggests the token of any user that is there.
func TestWhomAUserCanBeLike(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		token, like string
		want        []string // the mistakes; nil if the user is right
	}{
		"one that is there":        {token: "login", like: "flaky"},
		"another one than before":  {token: "tired", like: "demo"},
		"one that was removed":     {token: "orphan", like: "demo"},
		"in place of a plain user": {token: "demo", like: "flaky"},
		"nobody": {
			token: "login",
			like:  "flakey",
			want: []string{
				`users.login.like: no user has the token "flakey"; did you mean flaky?`,
			},
		},
		"a removed one": {
			token: "login",
			like:  "removed",
			want: []string{`users.login.like: no user has the token "removed"; ` +
				"write the token of a user, or add this one; " +
				"fake.WithFixtures(fixtures.Gallery()) adds those of the gallery"},
		},
		"itself": {
			token: "demo",
			like:  "demo",
			want: []string{"users.demo.like: is the token of the user itself; " +
				"write the token of another user, who is not like another"},
		},
		"one that is like another": {
			token: "login",
			like:  "tired",
			want: []string{`users.login.like: the user "tired" is like another itself, ` +
				`which is "flaky"; write flaky`},
		},
		"one that is like a removed one": {
			token: "login",
			like:  "orphan",
			want: []string{
				`users.login.like: the user "orphan" is like another itself, ` +
					`which is "removed"; write the token of a user that is not like another`,
				`users.orphan.like: no user has the token "removed"; ` +
					"write the token of a user, or add this one; " +
					"fake.WithFixtures(fixtures.Gallery()) adds those of the gallery",
			},
		},
		"whom another is like": {
			token: "flaky",
			like:  "demo",
			want: []string{`users.tired.like: the user "flaky" is like another itself, ` +
				`which is "demo"; write demo`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t,
				withUser("flaky", scripted(503)),
				withUser("demo", fixtures.User{}),
				withUser("tired", fixtures.User{Like: "flaky"}))
			err := errors.Join(
				e.SetUser("removed", fixtures.User{}),
				e.SetUser("orphan", fixtures.User{Like: "removed"}),
				e.RemoveUsers(engine.OfTokens("removed"), engine.KeepPast),
			)
			if err != nil {
				t.Fatal(err)
			}
			err = e.SetUser(tt.token, fixtures.User{Like: tt.like})
			if tt.want == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var got []string
			for _, mistake := range mistakesOf(t, err).List {
				got = append(got, mistake.String())
			}
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("the mistakes are\n%s\nwant\n%s",
					strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}
