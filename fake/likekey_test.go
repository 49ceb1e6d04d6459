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

// When the user that another one is like was removed, the other says so, and it does not count as a
// mistake of a third user.
func TestUserLikeARemovedOne(t *testing.T) {
	t.Parallel()
	srv := listening(t, fake.WithService(fixtures.Service{UnknownTokens: "reject"}))
	srv.SetUser("alice", fixtures.User{})
	srv.SetUser("bob", fixtures.User{Like: "alice"})
	srv.RemoveUser("alice")

	err := srv.SetUser("carl", fixtures.User{Like: "gone"})
	const wantMistake = `users.carl.like: no user has the token "gone"; `
	if err == nil || !strings.HasPrefix(err.Error(), wantMistake) ||
		strings.Contains(err.Error(), "bob") {
		t.Errorf("the error of SetUser is %v, want only %s…", err, wantMistake)
	}
	err = srv.Enqueue("bob", fixtures.Reply{Status: 503})
	const want = `the user of the token "bob" is like "alice", which was removed or reset; ` +
		"set one of the two again"
	if err == nil || err.Error() != want {
		t.Errorf("the error of Enqueue is %v, want %s", err, want)
	}
	over := overHTTP{t: t, srv: srv}
	replies := []fixtures.Reply{{Status: 503}}
	err = over.call(t.Context(), http.MethodPost, "replies?token=bob", replies, nil)
	if err == nil || !strings.Contains(err.Error(), "which was removed or reset") {
		t.Errorf("over HTTP the error of the replies is %v, want %s", err, want)
	}

	expecting(t, srv)("bob", "401")
	const wantReason = "the user of this token is like one that was removed or reset"
	requests := srv.Requests("bob")
	if len(requests) != 1 || requests[0].Reason != wantReason {
		t.Errorf("the requests are %+v, want one with the reason %s", requests, wantReason)
	}
	srv.SetUser("alice", fixtures.User{})
	expecting(t, srv)("bob", "200")
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
	if !errors.As(err, new(*fixtures.Mistakes)) || !strings.Contains(err.Error(),
		`the user of token "login", which was given by SetUser, is like it`) {
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

// A reload that takes away a user whom the token of a login is like says how to drop that, without
// the token, and is made up for as soon as nothing is like it.
func TestReloadWaitsForWhomOthersAreLike(t *testing.T) {
	t.Parallel()
	const login = "0123456789abcdef0123456789abcdef01234567"
	for name, call := range map[string]string{
		"removed":       "DELETE users?token=" + login,
		"reset":         "POST reset?token=" + login,
		"all are reset": "POST reset",
		"like no other": "PUT users?token=" + login,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log strings.Builder
			text := "users: {alice: {}}"
			srv := listening(t, logTo(&log), fake.WithLoader(func() (*fixtures.Set, error) {
				return fixtures.LoadText("set.yaml", text)
			}))
			steer(t, srv, "PUT", "users?token="+login, `{"like":"alice"}`)
			text = "users: {bob: {}}"
			const want = `the fixtures have no user of token "alice" any more, and the user of ` +
				`token "0123…", ` +
				`which was given over HTTP, is like it; add it again, or drop the user of 0123… ` +
				`with DELETE /_fake/users?token=… or POST /_fake/reset`
			err := srv.Reload()
			if err == nil || err.Error() != want {
				t.Errorf("the error of the reload is\n%v\nwant\n%s", err, want)
			}
			if strings.Contains(log.String(), login) {
				t.Errorf("the log has the token: %s", &log)
			}
			expecting(t, srv)("bob", "401")

			method, path, _ := strings.Cut(call, " ")
			steer(t, srv, method, path, "{}")
			expecting(t, srv)("bob", "200")
			if _, health := steer(t, srv, "GET", "health", ""); strings.Contains(health, "error") {
				t.Errorf("the health is %s", health)
			}
			if !strings.Contains(log.String(), "the fixtures were reloaded") {
				t.Errorf("the log is %s", &log)
			}
		})
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
