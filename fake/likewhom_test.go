package fake_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// once is a user that answers the first request with a status.
func once(status int) fixtures.User { return scripted(fixtures.Reply{Status: status}) }

// A token that is like another has the user that the other has at its first request, whichever way
// it is like it, and keeps that. What it asked before for another path is no such request.
func TestTokensFollowUntilTheyAsk(t *testing.T) {
	t.Parallel()
	for name, token := range map[string]string{
		"by its tilde":              "model~1",
		"by its key":                "tired",
		"like one with the key":     "tired~1",
		"unknown":                   "somebody",
		"unknown, and with a tilde": "nobody~1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, srv door) { followUntilItAsks(t, srv, token) },
				fake.WithUser("model", once(501)),
				fake.WithUser("tired", fixtures.User{Like: "model"}),
				fake.WithService(fixtures.Service{UnknownTokens: "like tired"}),
			)
		})
	}
}

func followUntilItAsks(t *testing.T, srv door, token string) {
	expect := expecting(t, srv)
	ask(t, srv, "POST", listPath, bearer(token))
	srv.SetUser("model", once(502))
	expect(token, "502")
	srv.SetUser("model", once(503))
	expect(token, "200")
	srv.Reset(token)
	expect(token, "503")
	srv.RemoveUser("model")
	expect(token, "200")
	srv.ResetAll()
	expect(token, "501")
}

// What is set or removed for the token itself ends that it keeps the user of another.
func TestChangesForTheTokenItself(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, srv door) {
		expect := expecting(t, srv)
		expect("model~1", "501")
		srv.SetUser("model", once(502))
		srv.SetUser("model~1", fixtures.User{Like: "model"})
		expect("model~1", "502")
		srv.SetUser("model", once(503))
		srv.RemoveUser("model~1")
		expect("model~1", "503")
	}, fake.WithUser("model", once(501)))
}

// A token follows a user that comes only after replies were enqueued for it.
func TestTokensFollowUsersThatCome(t *testing.T) {
	t.Parallel()
	for _, unknown := range []string{"generate", "like other"} {
		t.Run(unknown, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, srv door) {
				srv.Enqueue("model~1", fixtures.Reply{Status: 500})
				srv.SetUser("model", once(501))
				expectStatuses(t, srv, "model~1", "500 501 200")
			},
				fake.WithUser("other", once(504)),
				fake.WithService(fixtures.Service{UnknownTokens: unknown}),
			)
		})
	}
}

// When a user is removed, tokens that are like it keep it if they have asked. Of the others, one
// with the key like has the user of the start, and nobody has one that came while the server ran.
func TestTokensLikeAUserThatIsRemoved(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, srv door) {
		expect := expecting(t, srv)
		for _, model := range []string{"model", "later"} {
			srv.SetUser(model, once(502))
			srv.SetUser("asked-"+model, fixtures.User{Like: model})
			srv.SetUser("new-"+model, fixtures.User{Like: model})
			srv.Enqueue(model+"~new", fixtures.Reply{Status: 500})
			expect("asked-"+model, "502")
			expect(model+"~asked", "502")
			srv.RemoveUser(model)
			expect("asked-"+model, "200")
			expect(model+"~asked", "200")
			expect(model+"~new", "401")
		}
		expect("new-model", "501")
		expect("new-later", "401")
		srv.SetUser("later", once(503))
		expect("new-later", "503")
		expect("later~new", "500 503")
	}, fake.WithUser("model", once(501)))
}

// A user that is like one that was removed can still be seen, and be removed.
func TestUserLikeARemovedOneIsListed(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient())
	srv.SetUser("model", fixtures.User{})
	srv.SetUser("tired", fixtures.User{Like: "model"})
	srv.Enqueue("model~1", fixtures.Reply{Times: fixtures.Always})
	srv.RemoveUser("model")
	got := fmt.Sprint(ofList[likeUser](t, srv, "users", "users"))
	if want := "[{tired model like model}]"; got != want {
		t.Errorf("the users are %s, want %s", got, want)
	}
	for token, want := range map[string]int{
		"tired":   http.StatusOK,
		"model~1": http.StatusNotFound,
	} {
		if status, text := steer(t, srv, "GET", "users?token="+token, ""); status != want {
			t.Errorf("%s is answered %d, %s, want %d", token, status, text, want)
		}
	}
	status, text := steer(t, srv, "DELETE", "users?token=tired", "")
	if status != http.StatusNoContent {
		t.Errorf("DELETE is answered %d, %s", status, text)
	}
	if got := tokens(t, srv); got != "" {
		t.Errorf("the users are %s, want none", got)
	}
}

// A likeUser is what the list of users says about one that is like another.
type likeUser struct{ Token, Like, Summary string }

// The control plane shows of a token what its next request would get.
func TestControlShowsTheNextUser(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t,
		fake.WithLenient(),
		fake.WithUser("model", once(501)),
		fake.WithUser("tired", fixtures.User{Like: "model"}),
		fake.WithUser("asked", fixtures.User{Like: "model"}),
	)
	expectStatuses(t, srv, "asked", "501")
	ask(t, srv, "POST", listPath, bearer("model~1"))
	srv.SetUser("model", once(502))
	const now, former = "502, then 0 campaigns", "501, then 0 campaigns"
	want := []likeUser{
		{Token: "model", Summary: now},
		{Token: "tired", Like: "model", Summary: now},
		{Token: "asked", Like: "model", Summary: former},
		{Token: "model~1", Like: "model", Summary: now},
	}
	got := ofList[likeUser](t, srv, "users", "users")
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the users are %v, want %v", got, want)
	}
	for _, user := range want {
		_, text := steer(t, srv, "GET", "users?token="+user.Token, "")
		if summary := fmt.Sprintf(`"summary":%q`, user.Summary); !strings.Contains(text, summary) {
			t.Errorf("%s is %s, want %s in it", user.Token, text, summary)
		}
		_, text = steer(t, srv, "GET", "replies?token="+user.Token, "")
		hasReply := strings.Contains(text, `"summary":"502"`)
		if hasReply != (user.Summary == now) {
			t.Errorf("the replies of %s are %s", user.Token, text)
		}
	}
}

// A reload has all tokens follow, whether they have asked or not, and in whatever order the server
// comes to them. One whose user is the same goes on with it.
func TestTokensFollowAReload(t *testing.T) {
	t.Parallel()
	const before = "users: {model: {replies: [{status: 501}]}, tired: {like: model}}"
	read := files(before)
	srv := fake.NewTestServer(t, fake.WithFixtures(read), fake.WithLenient())
	srv.SetUser("login", fixtures.User{Like: "model"})
	srv.SetUser("set", scripted(fixtures.Reply{Status: 503}, fixtures.Reply{Status: 504}))
	asked := []string{"tired", "login"}
	for i := range 20 {
		asked = append(asked, fmt.Sprint("model~", i), fmt.Sprint("tired~", i),
			fmt.Sprint("login~", i))
	}
	for _, token := range asked {
		expectStatuses(t, srv, token, "501")
	}
	expectStatuses(t, srv, "set~1", "503")
	read.write("users.yaml", strings.Replace(before, "501", "502", 1))
	if err := srv.Reload(); err != nil {
		t.Fatal(err)
	}
	for _, token := range asked {
		expectStatuses(t, srv, token, "502")
	}
	expectStatuses(t, srv, "set~1", "504")
}

// A user that is like one which a reset makes like a third has none: there are no chains. When they
// end, it has one again.
func TestChainOfUsersAfterAReset(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, srv door) {
		expect := expecting(t, srv)
		srv.SetUser("tired", once(502))
		srv.SetUser("model", fixtures.User{Like: "tired"})
		srv.Reset("tired") // each is like the other now
		expect("tired", "401")
		expect("model", "401")
		srv.Reset("model")
		expect("tired", "501")
	},
		fake.WithUser("model", once(501)),
		fake.WithUser("tired", fixtures.User{Like: "model"}),
	)
}
