package fake_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// through sends a request for a path with a token, and returns the status of the answer.
func through(t *testing.T, srv *fake.Server, path, token string) int {
	t.Helper()
	response, _ := ask(t, srv, "GET", path, bearer(token))
	return response.StatusCode
}

// A wrong request fails the test that has its token, and no other test. When the test ends, its
// token is put back.
func TestForAttributes(t *testing.T) {
	t.Parallel()
	reply := fixtures.Reply{Status: 503}
	for name, tt := range map[string]struct {
		act func(srv *fake.Server, c *fake.Client)
		// The messages to the tests. TOKEN stands for the token of the test's own client.
		own, owner string
	}{
		"a wrong path": {
			act: func(srv *fake.Server, c *fake.Client) {
				through(t, srv, "/api/users", c.Token())
			},
			own: "a request matched nothing",
		},
		"a wrong path without a token": {
			act:   func(srv *fake.Server, c *fake.Client) { through(t, srv, "/api/users", "") },
			owner: "a request matched nothing",
		},
		"a wrong reply": {
			act: func(srv *fake.Server, c *fake.Client) { c.Enqueue(fixtures.Reply{Status: 99}) },
			own: "campaignfake: Enqueue: ",
		},
		"replies that are left": {
			act: func(srv *fake.Server, c *fake.Client) { c.Enqueue(reply) },
			own: `of token "TOKEN": enqueued reply 1 of 1 (503): never played`,
		},
		"replies that are left to the server": {
			act:   func(srv *fake.Server, c *fake.Client) { srv.Enqueue("alice", reply) },
			owner: `of token "alice": enqueued reply 1 of 1 (503): never played`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			owner, own, other := new(recorder), new(recorder), new(recorder)
			srv := fake.NewTestServer(owner, fake.WithUser("alice", fixtures.User{}))
			c := srv.For(own)
			srv.For(other)
			c.SetUser(fixtures.User{})
			tt.act(srv, c)
			own.finish()
			other.finish()
			if requests := srv.Requests(c.Token()); len(requests) > 0 {
				t.Errorf("after its test, the token has %+v", requests)
			}
			expectStatuses(t, srv, c.Token(), "401")
			through(t, srv, "/api/later", c.Token()) // no test is told about this
			owner.finish()
			for who, said := range map[string]struct{ got, want string }{
				"own":      {own.text(), strings.ReplaceAll(tt.own, "TOKEN", c.Token())},
				"other":    {other.text(), ""},
				"server's": {owner.text(), tt.owner},
			} {
				if said.want == "" && said.got != "" || !strings.Contains(said.got, said.want) {
					t.Errorf("the %s test is told %q, want %q", who, said.got, said.want)
				}
			}
		})
	}
}

// A client whose test has ended changes nothing more, waits for nothing, and says why.
func TestClientAfterItsTest(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	var test recorder
	c := srv.For(&test)
	test.finish()
	for call, err := range map[string]error{
		"SetUserLike":   c.SetUserLike("alice"),
		"AwaitRequests": c.AwaitRequests(t.Context(), 1),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "the test of this client has ended") {
			t.Errorf("%s: the error is %v", call, err)
		}
	}
	if test.Failed() {
		t.Errorf("the test is told %q", test.text())
	}
}

// The tally describes wrong requests that fail the run: requests with the token of a test that has
// ended, but not requests that have already failed their test.
func TestTallyDescribesRequestsOfNoTest(t *testing.T) {
	t.Parallel()
	srv := listening(t)
	var test recorder
	c := srv.For(&test)
	through(t, srv, "/api/own", c.Token())
	test.finish()
	through(t, srv, "/api/late", c.Token())
	expect(t, test.text(), "GET /api/own")
	tally := srv.Tally()
	if len(tally.Wrong) != 1 || !strings.HasPrefix(tally.Wrong[0], "GET /api/late: ") {
		t.Errorf("the tally describes %q", tally.Wrong)
	}
}

// A wrong request to a lenient server fails no test that shares the server.
func TestForOfALenientServer(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient())
	var own recorder
	c := srv.For(&own)
	c.SetUser(scripted(fixtures.Reply{Status: 503}))
	through(t, srv, "/api/users", c.Token())
	own.finish()
	if own.Failed() {
		t.Errorf("the test is told %q", own.text())
	}
}

// The calls of a client affect only its own token, and the calls of a client of Like only the token
// of that client.
func TestClientHasOneToken(t *testing.T) {
	t.Parallel()
	user := scripted(fixtures.Reply{Status: 503})
	srv := fake.NewTestServer(t, fake.WithUser("flaky", user), fake.WithLenient())
	c := srv.For(t)
	like := c.Like("flaky")
	if want := "flaky~" + c.Token(); like.Token() != want || like.Like("flaky").Token() != want {
		t.Errorf("the token is %s, want %s", like.Token(), want)
	}
	for client, fresh := range map[*fake.Client]string{c: "401", like: "503"} {
		client.SetUser(scripted(fixtures.Reply{Status: 500}))
		client.Enqueue(fixtures.Reply{Status: 501})
		expectStatuses(t, srv, client.Token(), "501 500 200")
		if requests := client.Requests(); len(requests) != 3 || requests[0].Status != 501 {
			t.Errorf("the requests of %s are %+v", client.Token(), requests)
		}
		client.CheckRequests(3)
		client.ClearRequests()
		client.CheckRequests(0)
		client.RemoveUser()
		expectStatuses(t, srv, client.Token(), fresh)
		client.SetUser(fixtures.User{})
		client.Reset()
		expectStatuses(t, srv, client.Token(), fresh)
	}
	srv.CheckRequests(t, "flaky", 0)
}

// A client waits for the requests of its token, and releases them.
func TestClientReleases(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fixtures.User{}))
		c := srv.For(t)
		c.SetUser(fixtures.User{Delay: untilReleased})
		done := make(chan int)
		go func() { done <- through(t, srv, listPath, c.Token()) }()
		if err := c.AwaitRequests(t.Context(), 1); err != nil {
			t.Error(err)
		}
		others, own := c.Like("alice").Release(), c.Release()
		if others != 0 || own != 1 {
			t.Errorf("%d requests of another token are released, and %d of its own", others, own)
		}
		if status := <-done; status != 200 {
			t.Errorf("the answer is %d", status)
		}
		if err := c.AwaitAnswers(t.Context(), 1); err != nil {
			t.Error(err)
		}
	})
}

// Lines of the log about a token of a test go to the log of that test, with the token as it is,
// unless the server has one log for all tokens.
func TestLogOfATestThatShares(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	forAll := fake.WithLogger(slog.New(slog.NewTextHandler(&all, nil)))
	for name, options := range map[string][]fake.Option{
		"by default":          nil,
		"a log for all":       {forAll},
		"a log before WithTB": {forAll, fake.WithTB(new(recorder))},
	} {
		all.Reset()
		srv := newHandler(t, options...)
		if err := srv.Listen("127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
		var own, other recorder
		c := srv.For(&own)
		srv.For(&other)
		through(t, srv, listPath, c.Token())
		srv.Close()
		logged := strings.Join(own.logged, "\n")
		if name == "a log for all" {
			if logged != "" {
				t.Errorf("%s: the test's log has %s", name, logged)
			}
			logged = all.String()
		}
		expect(t, logged, "token="+c.Token()+" ")
		if strings.Count(logged, "token=") != 1 || other.logged != nil {
			t.Errorf("%s: the log is %s, and that of another test %q", name, logged, other.logged)
		}
	}
}

// If the client of a test has sent a wrong token in place of the test's token, the failure of the
// test shows it.
func TestMisspeltTokens(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("demo", fixtures.User{}))
	var own, other recorder
	c := srv.For(&own)
	c.SetUser(scripted(fixtures.Reply{Status: 503}))
	through(t, srv, listPath, "demo")
	through(t, srv, listPath, srv.For(&other).Token())
	own.finish()
	expect(t, own.text(), "replies were not played", `1. GET /api/user/campaigns with token "demo"`)
	if strings.Contains(own.text(), "2. GET") {
		t.Errorf("the test is told of a request of another test: %s", own.text())
	}
}

// A fuzzing stands for a *testing.F, which is recognized by its method Fuzz.
type fuzzing struct{ *recorder }

func (fuzzing) Fuzz(any) {}

// Tests cannot share a server without an address, or a closed server, and a fuzz test cannot share
// any server.
func TestForWithout(t *testing.T) {
	t.Parallel()
	closed := listening(t)
	closed.Close()
	for want, use := range map[string]func(tb *recorder){
		"a server made by fake.New has no address; ": func(tb *recorder) { newHandler(t).For(tb) },
		"the server is closed; make another server":  func(tb *recorder) { closed.For(tb) },
		"a *testing.F cannot be told what goes wrong in its target; ": func(tb *recorder) {
			listening(t).For(fuzzing{tb})
		},
	} {
		if told := ended(t, use); !strings.HasPrefix(told, "campaignfake: For: "+want) {
			t.Errorf("the test is told %q, want %q", told, want)
		}
	}
}

// With a misspelt user, Like ends the test at once, and SetUserLike fails it.
func TestUsersThatAreNotThere(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("flaky", fixtures.User{}))
	const noUser = `no user has the token "%s"; ` +
		"give it a user with WithUser, WithFixtures or SetUser"
	for token, want := range map[string]string{
		"flakky":  noUser + "; did you mean flaky?",
		"flaky~1": `"%s" is a run, which has no user of its own; name "flaky"`,
	} {
		want := fmt.Sprintf(want, token)
		told := ended(t, func(tb *recorder) { srv.For(tb).Like(token) })
		if told != "campaignfake: Like: "+want {
			t.Errorf("Like: the test is told %q, want %q", told, want)
		}
		tb := new(recorder)
		err := srv.For(tb).SetUserLike(token)
		if err == nil || tb.text() != "campaignfake: SetUserLike: "+want {
			t.Errorf("SetUserLike returns %v, and the test is told %q, want %q",
				err, tb.text(), want)
		}
	}
	var tb recorder
	strict := fake.NewTestServer(&tb, fake.WithUser("flaky", fixtures.User{}))
	strict.Enqueue("flakky", fixtures.Reply{})
	strict.RemoveUser("flakky")
	want := fmt.Sprintf(noUser+"; did you mean flaky?", "flakky")
	if !slices.Equal(tb.failures, []string{
		"campaignfake: Enqueue: " + want, "campaignfake: RemoveUser: " + want,
	}) {
		t.Errorf("the test is told %q", tb.failures)
	}
}

// If a test has set no user, the answer and the journal say what to call.
func TestTokenWithoutAUser(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	c := srv.For(t)
	status, body := list(t, srv, c.Token())
	const want = "o user was set for this test: call SetUser on the client that For returned, "
	expect(t, body, `"N`+want)
	expect(t, c.Requests()[0].Reason, "; n"+want)
	if status != 401 {
		t.Errorf("the answer is %d", status)
	}
}
