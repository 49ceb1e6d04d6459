package fake_test

import (
	"context"
	"fmt"
	"io"
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
func through(t *testing.T, c *fake.Client, path, token string) int {
	t.Helper()
	response, _ := ask(t, remote{c}, "GET", path, bearer(token))
	return response.StatusCode
}

// What goes wrong fails the test whose token it has, and only that.
func TestForAttributes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		act                func(c *fake.Client)
		own, others, owner string // what the tests are told
	}{
		"all right":      {func(c *fake.Client) { through(t, c, listPath, c.Token()) }, "", "", ""},
		"a wrong path":   {func(c *fake.Client) { through(t, c, "/api/users", c.Token()) }, "a request matched nothing", "", ""},
		"like a user":    {func(c *fake.Client) { through(t, c, "/api/users", "alice~"+c.Token()) }, "a request matched nothing", "", ""},
		"a query":        {func(c *fake.Client) { through(t, c, listPath+"?page=2", c.Token()) }, "a query parameter was sent", "", ""},
		"no token":       {func(c *fake.Client) { through(t, c, "/api/users", "") }, "", "", "a request matched nothing"},
		"another token":  {func(c *fake.Client) { through(t, c, "/api/users", "alice") }, "", "", "a request matched nothing"},
		"a wrong user":   {func(c *fake.Client) { c.SetUser(c.Token(), fixtures.User{Replies: []fixtures.Reply{{Status: 99}}}) }, "SetUser: ", "", ""},
		"left replies":   {func(c *fake.Client) { c.Enqueue(c.Token(), fixtures.Reply{Status: 503, Times: 2}) }, "enqueued reply 1 of 1 (503): never played", "", ""},
		"other's left":   {func(c *fake.Client) { c.Enqueue("alice", fixtures.Reply{Status: 503, Times: 2}) }, "never played", "", ""},
		"awaits nothing": {func(c *fake.Client) { c.CheckRequests(new(recorder), c.Token(), 1) }, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			owner, own, other := new(recorder), &named{name: "TestOwn"}, &named{name: "TestOther/ä b"}
			srv := fake.NewTestServer(owner, fake.WithUser("alice", fixtures.User{}))
			c, others := srv.For(own), srv.For(other)
			if c.Token() != "TestOwn" || others.Token() != "TestOther---b" || srv.For(&named{name: "TestOwn"}).Token() != "TestOwn@2" {
				t.Errorf("the tokens are %q and %q", c.Token(), others.Token())
			}
			c.SetUser(c.Token(), fixtures.User{})
			tt.act(c)
			own.finish()
			other.finish()
			if status := through(t, others, "/api/later", c.Token()); status != 404 {
				t.Errorf("after its test, the token is answered %d", status)
			}
			if got := len(srv.Requests(c.Token())); got != 1 { // that of later
				t.Errorf("after its test, the token has %d requests", got)
			}
			owner.finish()
			for who, said := range map[string][2]string{"own": {own.text(), tt.own}, "other": {other.text(), tt.others}, "server's": {owner.text(), tt.owner}} {
				if said[1] == "" && said[0] != "" || !strings.Contains(said[0], said[1]) {
					t.Errorf("the %s test is told %q, want %q", who, said[0], said[1])
				}
			}
		})
	}
}

// A server without an address cannot be shared, and says why.
func TestForWithout(t *testing.T) {
	t.Parallel()
	told := ended(t, func(tb *recorder) { newHandler(t).For(tb) })
	if want := "campaignfake: For: a server made by fake.New has no address"; !strings.HasPrefix(told, want) {
		t.Errorf("the test is told %q, want %q", told, want)
	}
}

// Bodies that a client leaves open are named and closed, so that a bubble can end.
func TestOpenBodies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tb recorder
		srv := fake.NewTestServer(&tb, fake.WithInMemory(), fake.WithLogger(nil), fake.WithUser("alice", fixtures.User{Generate: &fixtures.Generate{Count: 1000}}))
		for range 3 {
			r := listRequest(t, srv, "alice")
			response, err := srv.Client().Do(r)
			if err != nil || response.Request != r {
				t.Error(err)
			}
		}
		ask(t, srv, "GET", listPath, bearer("alice"))
		if response, err := srv.Client().Do(listRequest(t, srv, "alice")); err == nil {
			io.Copy(io.Discard, response.Body)
		}
		tb.finish()
		want := "campaignfake: 3 answers had a body that was neither closed nor read to the end; close the Body of each answer:" +
			strings.Repeat("\n\t"+`GET /api/user/campaigns with token "alice"`, 3)
		if got := strings.Join(tb.logged, "\n"); got != want || tb.Failed() {
			t.Errorf("the log is\n%s\nwant\n%s", got, want)
		}
	})
}

type testsOf func() int

func (run testsOf) Run() int { return run() }

// Main adds what fails the shared server to the result of the tests.
func TestMainStatus(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		setUp        func(fake.TB)
		status, want int
		runs         bool
	}{
		{func(fake.TB) {}, 0, 0, true},
		{func(fake.TB) {}, 2, 2, true},
		{func(tb fake.TB) { tb.Cleanup(func() { tb.Errorf("late") }) }, 0, 1, true},
		{func(tb fake.TB) { tb.Errorf("early") }, 3, 3, true},
		{func(tb fake.TB) { tb.Fatalf("no port") }, 0, 1, false},
	} {
		ran := false
		got := fake.Main(testsOf(func() int { ran = true; return tt.status }), tt.setUp)
		if got != tt.want || ran != tt.runs {
			t.Errorf("the status is %d, and the tests have run: %t; want %d, %t", got, ran, tt.want, tt.runs)
		}
	}
}

// A server that all tests of this package share: see example_test.go.
func TestSharedServer(t *testing.T) {
	t.Parallel()
	for i := range 10 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			c := shared.For(t)
			c.SetUser(c.Token(), fixtures.User{Replies: []fixtures.Reply{{Status: 503}}})
			expectStatuses(t, remote{c}, c.Token(), "503 200")
			c.CheckRequests(t, c.Token(), 2)
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
	through(t, others, listPath, others.Token())
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	for name, message := range map[string]func() string{
		"the server's check": func() string { var tb recorder; srv.CheckRequests(&tb, c.Token(), 1); return tb.text() },
		"the client's check": func() string { var tb recorder; c.CheckRequests(&tb, c.Token(), 1); return tb.text() },
		"the server's await": func() string { return srv.AwaitRequests(ctx, c.Token(), 1).Error() },
		"the client's await": func() string { return c.AwaitRequests(ctx, c.Token(), 1).Error() },
	} {
		if got := message(); strings.Contains(got, "TestOther") || !strings.Contains(got, "The journal has no request of this test. Give the client the server's BaseURL") {
			t.Errorf("%s says %s", name, got)
		}
	}
	through(t, others, listPath, "nobody")
	var tb recorder
	if srv.CheckRequests(&tb, c.Token(), 1); !strings.Contains(tb.text(), `"nobody"`) {
		t.Errorf("a request of nobody is not listed: %s", tb.text())
	}
}
