package fake_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A user with the key like has the campaigns of the other, and a life of its own, through every
// door. So do tokens that are like it.
func TestUsersLikeOthers(t *testing.T) {
	t.Parallel()
	onBoth(t, likeTired,
		fake.WithUser("tired", fixtures.User{Like: "flaky"}), // which comes later
		fake.WithUser("flaky", flaky),
		fake.WithService(fixtures.Service{UnknownTokens: "like tired"}),
	)
}

func likeTired(t *testing.T, srv door) {
	expect := expecting(t, srv)
	expect("tired", "503 503 200")
	expect("flaky", "503 503 200")
	expect("tired~1", "503 503 200")
	expect("somebody", "503 503 200")
	_, of := list(t, srv, "flaky")
	for _, token := range []string{"tired", "tired~1", "somebody"} {
		if _, own := list(t, srv, token); own != of || strings.Count(own, `"id"`) != 3 {
			t.Errorf("flaky has %s, and %s %s", of, token, own)
		}
	}
	srv.CheckRequests(t, "tired", 4)
	srv.Enqueue("tired", fixtures.Reply{Status: 500})
	expect("tired", "500 200")
	srv.Reset("tired")
	expect("tired", "503 503 200")

	// A login's token becomes one while the server runs, and is what it was afterwards.
	srv.SetUser("a.login", fixtures.User{Like: "flaky", Description: "Who logged in"})
	expect("a.login", "503 503 200")
	srv.SetUser("flaky", fixtures.User{Replies: []fixtures.Reply{{Status: 502}}})
	expect("a.login", "200")
	srv.SetUser("a.login", fixtures.User{Like: "flaky"})
	expect("a.login", "502 200")
	srv.RemoveUser("flaky")
	expect("a.login", "200")
	srv.ResetAll()
	expect("a.login", "503 503 200")
}

// A user that would be like nobody, or like one that is like another, is refused.
func TestUsersLikeNobody(t *testing.T) {
	t.Parallel()
	srv := listening(t,
		fake.WithUser("flaky", flaky),
		fake.WithUser("demo", fixtures.User{}),
		fake.WithUser("tired", fixtures.User{Like: "flaky"}),
	)
	for name, tt := range map[string]struct {
		token string
		like  string
		want  string
	}{
		"nobody": {
			token: "login",
			like:  "flakey",
			want:  `users.login.like: no user has the token "flakey"; did you mean flaky?`,
		},
		"itself": {
			token: "demo",
			like:  "demo",
			want: "users.demo.like: is the token of the user itself; " +
				"write the token of another user, who is not like another",
		},
		"a chain": {
			token: "login",
			like:  "tired",
			want: `users.login.like: the user "tired" is like another itself, which is "flaky"; ` +
				"write flaky",
		},
		"a chain from another": {
			token: "flaky",
			like:  "demo",
			want: `users.tired.like: the user "flaky" is like another itself, which is "demo"; ` +
				"write demo",
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := srv.SetUser(tt.token, fixtures.User{Like: tt.like})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want %s", err, tt.want)
			}
			over := overHTTP{t: t, srv: srv}
			put := map[string]string{"like": tt.like}
			err = over.call(t.Context(), http.MethodPut, "users?token="+tt.token, put, nil)
			path, _, _ := strings.Cut(tt.want, ": ")
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("over HTTP the error is %v, want one at %s", err, path)
			}
		})
	}
}

// A reload that takes away a user whom one that was set since is like, is refused, and names it.
func TestReloadKeepsWhomOthersAreLike(t *testing.T) {
	t.Parallel()
	text := "users: {flaky: {generate: {count: 3}}}"
	srv := listening(t, fake.WithLoader(func() (*fixtures.Set, error) {
		return fixtures.LoadText("set.yaml", text)
	}))
	if err := srv.SetUser("login", fixtures.User{Like: "flaky"}); err != nil {
		t.Fatal(err)
	}
	_, before := list(t, srv, "login")

	text = "users: {other: {}}"
	err := srv.Reload()
	if !errors.As(err, new(*fixtures.Mistakes)) || !strings.Contains(err.Error(), "users.login.like") {
		t.Errorf("the error of the reload is %v", err)
	}
	expecting(t, srv)("flaky", "200")
	if _, now := list(t, srv, "login"); now != before {
		t.Errorf("the login had %s, and has %s", before, now)
	}

	text = "users: {flaky: {generate: {count: 2}}}"
	if err := srv.Reload(); err != nil {
		t.Fatal(err)
	}
	_, flaky := list(t, srv, "flaky")
	if _, now := list(t, srv, "login"); now != flaky || strings.Count(now, `"id"`) != 2 {
		t.Errorf("flaky has %s, and the login %s", flaky, now)
	}
}

// A user that is like one which was removed does not stand in the way of a reload.
func TestReloadBesideAUserLikeARemovedOne(t *testing.T) {
	t.Parallel()
	srv := listening(t, fake.WithUser("demo", fixtures.User{}))
	srv.SetUser("added", fixtures.User{})
	srv.SetUser("login", fixtures.User{Like: "added"})
	srv.RemoveUser("added")
	err := srv.Reload()
	if err != nil {
		t.Errorf("the error of the reload is %v", err)
	}
	expecting(t, srv)("login", "401")
}
