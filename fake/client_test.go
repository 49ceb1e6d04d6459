package fake_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// named is a test with a name.
type named struct {
	recorder
	name string
}

func (tb *named) Name() string { return tb.name }

// through sends a request for a path with a token, and returns the status of the answer.
func through(t *testing.T, srv *fake.Server, path, token string) int {
	t.Helper()
	response, _ := ask(t, srv, "GET", path, bearer(token))
	return response.StatusCode
}

// What goes wrong fails the test whose token it has, and only that.
func TestForAttributes(t *testing.T) {
	t.Parallel()
	wrong := fixtures.User{Replies: []fixtures.Reply{{Status: 99}}}
	twice := fixtures.Reply{Status: 503, Times: 2}
	for name, tt := range map[string]struct {
		act func(srv *fake.Server, c *fake.Client)
		// what the tests are told, where TOKEN stands for the token of the own test
		own, owner string
	}{
		"all right": {
			act: func(srv *fake.Server, c *fake.Client) { through(t, srv, listPath, c.Token()) },
		},
		"a wrong path": {
			act: func(srv *fake.Server, c *fake.Client) {
				through(t, srv, "/api/users", c.Token())
			},
			own: "a request matched nothing",
		},
		"a wrong path of a run": {
			act: func(srv *fake.Server, c *fake.Client) {
				through(t, srv, "/api/users", c.Like("alice").Token())
			},
			own: "a request matched nothing",
		},
		"a query": {
			act: func(srv *fake.Server, c *fake.Client) {
				through(t, srv, listPath+"?page=2", c.Token())
			},
			own: "a query parameter was sent",
		},
		"a wrong path without a token": {
			act:   func(srv *fake.Server, c *fake.Client) { through(t, srv, "/api/users", "") },
			owner: "a request matched nothing",
		},
		"a wrong path with another token": {
			act: func(srv *fake.Server, c *fake.Client) {
				through(t, srv, "/api/users", "alice")
			},
			owner: "a request matched nothing",
		},
		"a wrong user": {
			act: func(srv *fake.Server, c *fake.Client) { c.SetUser(wrong) },
			own: "campaignfake: SetUser: ",
		},
		"a wrong reply": {
			act: func(srv *fake.Server, c *fake.Client) { c.Enqueue(wrong.Replies...) },
			own: "campaignfake: Enqueue: ",
		},
		"no user to remove": {
			act: func(srv *fake.Server, c *fake.Client) { c.RemoveUser(); c.RemoveUser() },
			own: `campaignfake: RemoveUser: no user has the token "TOKEN"`,
		},
		"replies that are left": {
			act: func(srv *fake.Server, c *fake.Client) { c.Enqueue(twice) },
			own: `of token "TOKEN": enqueued reply 1 of 1 (503): never played`,
		},
		"replies that are left to a run": {
			act: func(srv *fake.Server, c *fake.Client) { c.Like("alice").Enqueue(twice) },
			own: `of token "alice~TOKEN": enqueued reply 1 of 1 (503): never played`,
		},
		"replies that are left to the server": {
			act:   func(srv *fake.Server, c *fake.Client) { srv.Enqueue("alice", twice) },
			owner: `of token "alice": enqueued reply 1 of 1 (503): never played`,
		},
		"another number of requests": {
			act: func(srv *fake.Server, c *fake.Client) { c.CheckRequests(1) },
			own: `0 requests of token "TOKEN", want 1`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			owner := new(recorder)
			own := &named{name: "TestOwn"}
			other := &named{name: "TestOther/ä b"}
			srv := fake.NewTestServer(owner, fake.WithUser("alice", fixtures.User{}))
			c, others := srv.For(own), srv.For(other)
			if !strings.HasPrefix(c.Token(), "TestOwn~") ||
				!strings.HasPrefix(others.Token(), "TestOther---b~") {
				t.Errorf("the tokens are %q and %q", c.Token(), others.Token())
			}
			c.SetUser(fixtures.User{})
			tt.act(srv, c)
			own.finish()
			other.finish()
			if status := through(t, srv, "/api/later", c.Token()); status != 404 {
				t.Errorf("after its test, the token is answered %d", status)
			}
			if got := len(srv.Requests(c.Token())); got != 1 { // that of later
				t.Errorf("after its test, the token has %d requests", got)
			}
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
	test := &named{name: "TestEnds"}
	c := srv.For(test)
	test.finish()
	for call, err := range map[string]error{
		"SetUser":       c.SetUser(fixtures.User{}),
		"SetUserLike":   c.SetUserLike("alice"),
		"RemoveUser":    c.RemoveUser(),
		"Enqueue":       c.Enqueue(fixtures.Reply{}),
		"AwaitRequests": c.AwaitRequests(t.Context(), 1),
		"AwaitAnswers":  c.AwaitAnswers(t.Context(), 1),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "the test of this client has ended") {
			t.Errorf("%s: the error is %v", call, err)
		}
	}
	if got := test.text(); got != "" {
		t.Errorf("the test is told %q", got)
	}
}

// The tally describes what fails the run: not what has failed a test already, but what a client
// sends for a test that has ended.
func TestTallyDescribesRequestsOfNoTest(t *testing.T) {
	t.Parallel()
	srv := newHandler(t)
	if err := srv.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	test := &named{name: "TestEnds"}
	c := srv.For(test)
	through(t, srv, "/api/own", c.Token())
	test.finish()
	through(t, srv, "/api/late", c.Token())
	through(t, srv, "/api/foreign", "bob")
	ask(t, srv, "GET", "/api/without", nil)
	if !strings.Contains(test.text(), "GET /api/own") {
		t.Errorf("the test failed with %q", test.text())
	}
	tally := srv.Tally()
	var paths []string
	for _, request := range tally.Wrong {
		path, _, _ := strings.Cut(request, ":")
		paths = append(paths, path)
	}
	want := []string{"GET /api/late", "GET /api/foreign", "GET /api/without"}
	if !slices.Equal(paths, want) || tally.Unmatched != 4 {
		t.Errorf("of %d requests the tally describes %q, want %q of 4",
			tally.Unmatched, paths, want)
	}
}

// What a lenient server lets pass fails no test that shares it.
func TestForOfALenientServer(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient())
	own := &named{name: "TestOwn"}
	c := srv.For(own)
	c.SetUser(fixtures.User{Replies: []fixtures.Reply{{Status: 503}}})
	through(t, srv, "/api/users", c.Token())
	own.finish()
	if own.Failed() {
		t.Errorf("the test is told %q", own.text())
	}
}

// The calls of a client are about its token alone, and those of Like about another one.
func TestClientHasOneToken(t *testing.T) {
	t.Parallel()
	user := fixtures.User{Replies: []fixtures.Reply{{Status: 503, Times: 2}}}
	srv := fake.NewTestServer(t, fake.WithUser("flaky", user), fake.WithLenient())
	own := &named{name: "TestOwn"}
	c := srv.For(own)
	like := c.Like("flaky")
	likeToken := "flaky~" + c.Token()
	if c.BaseURL() != srv.BaseURL() || like.Token() != likeToken ||
		like.Like("flaky").Token() != likeToken {
		t.Errorf("the base URL is %s, and the token %s", c.BaseURL(), like.Token())
	}
	get := func(token, want string) {
		t.Helper()
		expectStatuses(t, srv, token, want)
	}
	for _, tt := range []struct {
		client *fake.Client
		fresh  string
	}{{c, "200"}, {like, "503"}} {
		tt.client.SetUser(fixtures.User{Replies: []fixtures.Reply{{Status: 500}}})
		tt.client.Enqueue(fixtures.Reply{Status: 501})
		get(tt.client.Token(), "501 500 200")
		if err := tt.client.AwaitRequests(t.Context(), 3); err != nil {
			t.Error(err)
		}
		if err := tt.client.AwaitAnswers(t.Context(), 3); err != nil {
			t.Error(err)
		}
		if requests := tt.client.Requests(); len(requests) != 3 || requests[0].Status != 501 {
			t.Errorf("the requests of %s are %+v", tt.client.Token(), requests)
		}
		tt.client.CheckRequests(3)
		tt.client.ClearRequests()
		tt.client.CheckRequests(0)
		if tt.client.Release() != 0 {
			t.Error("a request is released that nobody has sent")
		}
		tt.client.Reset()
	}
	get(c.Token(), "401")
	get("flaky", "503 503 200")
	get(like.Token(), "503 503 200")
	like.SetUser(fixtures.User{})
	get(like.Token(), "200")
	like.RemoveUser()
	get(like.Token(), "503")
	if len(srv.Requests("flaky")) != 3 {
		t.Errorf("the user's requests are %+v", srv.Requests("flaky"))
	}
	own.finish()
	if own.Failed() {
		t.Errorf("the test is told %q", own.text())
	}
	if requests := srv.Requests(c.Token(), likeToken); len(requests) != 0 {
		t.Errorf("after the test, its requests are %+v", requests)
	}
}

// Each run of a test has tokens of its own, on one server and on several that are in front of the
// same upstream, and in each of them the same campaigns.
func TestRunsOfATest(t *testing.T) {
	t.Parallel()
	generated := fixtures.User{Generate: &fixtures.Generate{Count: 3}}
	first := fake.NewTestServer(t, fake.WithUser("many", generated))
	second := fake.NewTestServer(t, fake.WithUser("many", generated))
	tokens := make(map[string]bool)
	bodies := make(map[string]bool)
	for _, srv := range []*fake.Server{first, first, second} {
		run := &named{name: "TestOwn"}
		c := srv.For(run)
		c.SetUser(generated)
		for _, token := range []string{c.Token(), c.Like("many").Token()} {
			_, body := list(t, srv, token)
			tokens[token] = true
			bodies[body] = true
		}
		run.finish()
	}
	if len(tokens) != 6 {
		t.Errorf("of three runs with two tokens each, the tokens are %v", tokens)
	}
	if len(bodies) != 2 { // that of TestOwn, and that of many~TestOwn
		t.Errorf("of three runs with two users each, there are %d lists", len(bodies))
	}
}

// Lines of the log about a token of a test go to the log of that test, with the token as it is,
// unless the server has a log for all.
func TestLogOfATestThatShares(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	text := slog.New(slog.NewTextHandler(&all, nil))
	for name, tt := range map[string]struct {
		options []fake.Option
		own     bool // the test's log has lines
		all     bool // the one for all has
	}{
		"by default":    {nil, true, false},
		"a log for all": {[]fake.Option{fake.WithLogger(text)}, false, true},
		"no log":        {[]fake.Option{fake.WithLogger(nil)}, false, false},
		"a log before WithTB": {
			options: []fake.Option{fake.WithLogger(text), fake.WithTB(new(recorder))},
			own:     true,
			all:     false,
		},
	} {
		all.Reset()
		srv := newHandler(t, tt.options...)
		if err := srv.Listen("127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
		own, other := &named{name: "TestOwn"}, &named{name: "TestOther"}
		c := srv.For(own)
		srv.For(other)
		through(t, srv, listPath, c.Token())
		through(t, srv, listPath, "nobody~"+c.Token())
		c.WithToken("a-login-somewhere")
		through(t, srv, listPath, "a-login-somewhere")
		srv.Close()
		var logged []string
		for _, line := range strings.Split(strings.Join(own.logged, "\n")+all.String(), "\n") {
			_, behind, isLine := strings.Cut(line, "token=")
			if isLine {
				token, _, _ := strings.Cut(behind, " ")
				logged = append(logged, token)
			}
		}
		want := []string{c.Token(), "nobody~" + c.Token(), "a-lo…"}
		if !tt.own && !tt.all {
			want = nil
		}
		if !slices.Equal(logged, want) || tt.own != (own.logged != nil) ||
			tt.all != (all.Len() > 0) {
			t.Errorf("%s: the test's log is %q, and the one for all %q",
				name, own.logged, all.String())
		}
		if other.logged != nil {
			t.Errorf("%s: another test's log has %q", name, other.logged)
		}
	}
}

// What a test is told that has asked with a token which it should not names that token.
func TestMisspeltTokens(t *testing.T) {
	t.Parallel()
	for name, misspell := range map[string]func(token string) string{
		"the user": func(token string) string { return "flakky~" + token },
		"a run":    func(token string) string { return "flaky~" + token },
		"the test": func(token string) string {
			return "flaky~" + strings.Replace(token, "Own", "Oown", 1)
		},
		"the run":       func(token string) string { return "flaky~" + token + "0" },
		"another token": func(token string) string { return "demo" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, fake.WithUser("flaky", fixtures.User{}))
			own := &named{name: "TestOwn"}
			c := srv.For(own)
			c.SetUser(fixtures.User{Replies: []fixtures.Reply{{Status: 503}}})
			sent := misspell(c.Token())
			through(t, srv, listPath, sent)
			c.CheckRequests(1)
			own.finish()
			want := fmt.Sprintf("1. GET /api/user/campaigns with token %q", sent)
			checked, unplayed, _ := strings.Cut(own.text()+strings.Join(own.logged, "\n"),
				"replies were not played")
			if !strings.Contains(checked, want) || !strings.Contains(unplayed, want) {
				t.Errorf("the test is told %s%s, want %s in each", checked, unplayed, want)
			}
		})
	}
}

// A token that a test has learnt is its own until it ends: its methods steer it, what goes wrong
// with it fails this test alone, and then it is as it was.
func TestWithToken(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		act func(srv *fake.Server, login *fake.Client)
		own string // what the test is told
	}{
		"all right": {
			act: func(srv *fake.Server, login *fake.Client) {
				login.Enqueue(fixtures.Reply{Status: 503})
				expectStatuses(t, srv, "login~1", "503 200")
				login.CheckRequests(2)
			},
		},
		"a copy": {
			act: func(srv *fake.Server, login *fake.Client) {
				login.SetUserLike("flaky")
				expectStatuses(t, srv, "login~1", "503 200")
			},
		},
		"a wrong path": {
			act: func(srv *fake.Server, login *fake.Client) {
				through(t, srv, "/api/users", "login~1")
			},
			own: "a request matched nothing",
		},
		"replies that are left": {
			act: func(srv *fake.Server, login *fake.Client) {
				login.Enqueue(fixtures.Reply{Status: 503})
			},
			own: `of token "login~1": enqueued reply 1 of 1 (503): never played`,
		},
		"a wrong reply": {
			act: func(srv *fake.Server, login *fake.Client) {
				login.Enqueue(fixtures.Reply{Status: 99})
			},
			own: "campaignfake: Enqueue: ",
		},
		"another number of requests": {
			act: func(srv *fake.Server, login *fake.Client) { login.CheckRequests(1) },
			own: `0 requests of token "login~1", want 1`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			owner, own := new(recorder), &named{name: "TestOwn"}
			srv := fake.NewTestServer(owner,
				fake.WithUser("flaky", scripted(fixtures.Reply{Status: 503})),
				fake.WithService(fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate}))
			expectStatuses(t, srv, "flaky", "503")
			c := srv.For(own)
			login := c.WithToken("login~1")
			if login.Token() != "login~1" ||
				login.Like("flaky").Token() != c.Like("flaky").Token() {
				t.Errorf("the tokens are %s, and %s", login.Token(), login.Like("flaky").Token())
			}
			tt.act(srv, login)
			own.finish()
			if got := own.text(); tt.own == "" && got != "" || !strings.Contains(got, tt.own) {
				t.Errorf("the test is told %q, want %q", got, tt.own)
			}
			if owner.Failed() {
				t.Errorf("the test of the server is told %q", owner.text())
			}
			if requests := srv.Requests("login~1"); len(requests) != 0 {
				t.Errorf("after the test, its requests are %+v", requests)
			}
			expectStatuses(t, srv, "login~1", "200")
			through(t, srv, "/api/later", "login~1")
			expect(t, owner.text(), "/api/later") // the token is nobody's again
			owner.finish()
		})
	}
}

// A token that cannot be sent, or that another running test has, ends the test at once. The message
// does not repeat the token, which may be a secret.
func TestWithTokenRefuses(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	other := &named{name: "TestOther/a b"}
	others := srv.For(other)
	others.WithToken("login")
	others.WithToken("login") // once more is nothing
	const busy = "another test, TestOther/a b, has this token, and still runs; " +
		"log in anew for each test, or do not run the two in parallel"
	const unsendable = "the token cannot be sent; give it alone, in visible ASCII characters " +
		"without spaces"
	for token, want := range map[string]string{
		"login":        busy,
		others.Token(): busy,
		"Bearer login": unsendable,
		"":             unsendable,
	} {
		told := ended(t, func(tb *recorder) { srv.For(tb).WithToken(token) })
		if told != "campaignfake: WithToken: "+want {
			t.Errorf("with the token %q, the test is told %q, want %q", token, told, want)
		}
	}
	other.finish()
	own := new(recorder)
	c := srv.For(own)
	c.WithToken("login")
	own.finish()
	c.WithToken("login") // which the test does not get any more
	srv.For(t).WithToken("login")
}

// A client releases the requests of its token.
func TestClientReleases(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t,
			fake.WithInMemory(),
			fake.WithUser("alice", fixtures.User{}),
		)
		own := &named{name: "TestOwn"}
		c := srv.For(own)
		c.SetUser(fixtures.User{Delay: &fixtures.Delay{UntilReleased: true}})
		done := make(chan int)
		begin := time.Now()
		go func() { done <- through(t, srv, listPath, c.Token()) }()
		if err := c.AwaitRequests(t.Context(), 1); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if n := c.Like("alice").Release(); n != 0 {
			t.Errorf("%d requests of another token are released", n)
		}
		if n := c.Release(); n != 1 {
			t.Errorf("%d requests are released", n)
		}
		if status := <-done; status != 200 || time.Since(begin) != 0 {
			t.Errorf("after %s the answer is %d", time.Since(begin), status)
		}
		own.finish()
		if own.Failed() {
			t.Errorf("the test is told %q", own.text())
		}
	})
}

// A server without an address cannot be shared, and says why.
func TestForWithout(t *testing.T) {
	t.Parallel()
	told := ended(t, func(tb *recorder) { newHandler(t).For(tb) })
	const want = "campaignfake: For: a server made by fake.New has no address; " +
		"use fake.NewTestServer, or call Listen first"
	if told != want {
		t.Errorf("the test is told %q, want %q", told, want)
	}
}

// A server that is closed cannot be shared either.
func TestForAfterClose(t *testing.T) {
	t.Parallel()
	for name, closeServer := range map[string]func(srv *fake.Server){
		"Close":    func(srv *fake.Server) { srv.Close() },
		"Shutdown": func(srv *fake.Server) { srv.Shutdown(t.Context()) },
	} {
		srv := listening(t)
		closeServer(srv)
		told := ended(t, func(tb *recorder) { srv.For(tb) })
		const want = "campaignfake: For: the server is closed; make another server"
		if told != want {
			t.Errorf("after %s the test is told %q, want %q", name, told, want)
		}
	}
}

// Bodies that a client leaves open end with the test, without a word, so that a bubble can end.
func TestOpenBodies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tb recorder
		srv := fake.NewTestServer(&tb, fake.WithInMemory(), fake.WithLogger(nil),
			fake.WithUser("alice", fixtures.User{Generate: &fixtures.Generate{Count: 1000}}))
		for range 3 {
			if _, err := srv.Client().Do(listRequest(t, srv, "alice")); err != nil {
				t.Error(err)
			}
		}
		tb.finish()
		if tb.Failed() || len(tb.logged) != 0 {
			t.Errorf("the test is told %q, and its log %q", tb.text(), tb.logged)
		}
	})
}

// matchesNothing is the variable that makes a test send a request to the shared server that matches
// nothing.
const matchesNothing = "TEST_BINARY_MATCHES_NOTHING"

// A request that matched nothing, and had the token of no test, ends the tests with an error: see
// TestMain in example_test.go.
func TestSharedServerIsStrict(t *testing.T) {
	t.Parallel()
	if os.Getenv(matchesNothing) != "" {
		ask(t, shared, "GET", "/api/users", nil)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestSharedServerIsStrict$")
	cmd.Env = append(os.Environ(), matchesNothing+"=1")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 || !strings.HasPrefix(string(out), "PASS") {
		t.Errorf("the test binary ends with %v:\n%s", err, out)
	}
	expect(t, string(out), "this was wrong: GET /api/users: no route has this path")
}

// A server that all tests of this package share: see TestMain in example_test.go.
func TestSharedServer(t *testing.T) {
	t.Parallel()
	for i := range 10 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			c := shared.For(t)
			c.SetUser(fixtures.User{Replies: []fixtures.Reply{{Status: 503}}})
			expectStatuses(t, shared, c.Token(), "503 200")
			c.CheckRequests(2)
		})
	}
}

// What a test is told lists its own requests and those of nobody, but not those of the
// other tests that share the server.
func TestForListsNoOtherTests(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient())
	own, other := &named{name: "TestOwn"}, &named{name: "TestOther"}
	c, others := srv.For(own), srv.For(other)
	through(t, srv, listPath, others.Token())
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	var checked recorder
	srv.CheckRequests(&checked, c.Token(), 1)
	c.CheckRequests(1)
	for name, got := range map[string]string{
		"the server's check": checked.text(),
		"the client's check": own.text(),
		"the server's await": srv.AwaitRequests(ctx, c.Token(), 1).Error(),
		"the client's await": c.AwaitRequests(ctx, 1).Error(),
	} {
		const want = "The journal has no request of this test."
		if strings.Contains(got, "TestOther") || !strings.Contains(got, want) {
			t.Errorf("%s says %s", name, got)
		}
	}
	through(t, srv, listPath, "nobody")
	var tb recorder
	srv.CheckRequests(&tb, c.Token(), 1)
	if !strings.Contains(tb.text(), `"nobody"`) {
		t.Errorf("a request of nobody is not listed: %s", tb.text())
	}
}

// The name of a user that is misspelt ends the test at once, and a copy fails it.
func TestUsersThatAreNotThere(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("flaky", fixtures.User{}))
	const noUser = `no user has the token "%s"; ` +
		"name one that was given by WithUser, WithFixtures or SetUser"
	for token, want := range map[string]string{
		"flakky":  noUser + "; did you mean flaky?",
		"flaky~1": noUser, // a run of a user is no user
		"nobody":  noUser,
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
}

// A test that has set no user reads in the answer, and in the journal, what to call.
func TestTokenWithoutAUser(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	c := srv.For(t)
	status, body := list(t, srv, c.Token())
	const want = "o user was set for this test: call SetUser on the client that For returned, "
	reason := c.Requests()[0].Reason
	if status != 401 || !strings.Contains(body, `"N`+want) || !strings.Contains(reason, "; n"+want) {
		t.Errorf("the answer is %d %s, and the reason %q", status, body, reason)
	}
}
