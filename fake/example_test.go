package fake_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// client stands for the client that you test.
type client struct {
	baseURL, token string
	http           *http.Client
}

// names fetches the campaigns, and returns what they are called.
func (c client) names() ([]string, error) {
	r, err := http.NewRequest(http.MethodGet, c.baseURL+"/user/campaigns", nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	response, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("campaigns: %s", response.Status)
	}
	var list struct {
		Campaigns []struct{ Name string }
	}
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil {
		return nil, err
	}
	names := []string{}
	for _, campaign := range list.Campaigns {
		names = append(names, campaign.Name)
	}
	return names, nil
}

// retrying stands for a client that tries again.
func retrying(c client, attempts int) (names []string, err error) {
	for range attempts {
		if names, err = c.names(); err == nil {
			break
		}
	}
	return names, err
}

// t stands for the *testing.T of your test: an example has none, so this one
// prints what a test would fail with.
var t printer

type printer struct{}

func (printer) Helper()                           {}
func (printer) Cleanup(func())                    {}
func (printer) Context() context.Context          { return context.Background() }
func (printer) Failed() bool                      { return false }
func (printer) Logf(string, ...any)               {}
func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (printer) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// A test starts a server, lets its client loose on it, and checks what came.
func Example() {
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{
		Campaigns: []fake.Campaign{{
			ID: "1", Name: "Spring", Status: "active",
			CreatedAt: "2026-01-05T09:30:00Z", UpdatedAt: "2026-01-05T09:30:00Z",
		}},
	}))
	names, err := client{srv.BaseURL(), "alice", srv.Client()}.names()
	fmt.Println(names, err)
	srv.CheckRequests(t, "alice", 1)
	srv.Close() // a test does that by itself
	// Output: [Spring] <nil>
}

// A token that nobody was given is answered 401.
func ExampleNewTestServer() {
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	defer srv.Close()

	_, err := client{srv.BaseURL(), "mallory", srv.Client()}.names()
	fmt.Println(err)
	// Output: campaigns: 401 Unauthorized
}

// New makes a plain handler, for a server or a mux of your own.
func ExampleNew() {
	handler, err := fake.New(fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 3}}))
	if err != nil {
		fmt.Println(err)
		return
	}
	srv := httptest.NewServer(handler)
	defer srv.Close()

	names, err := client{srv.URL + handler.BaseURL(), "alice", srv.Client()}.names()
	fmt.Println(len(names), err)
	// Output: 3 <nil>
}

// Generated campaigns are the same on every machine.
func ExampleGenerate() {
	srv := fake.NewTestServer(t, fake.WithSeed(7), fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 3}}))
	defer srv.Close()

	names, _ := client{srv.BaseURL(), "alice", srv.Client()}.names()
	fmt.Println(strings.Join(names, "\n"))
	// Output:
	// September Newsletter: Success
	// January Perseverance
	// Seattle November Launch
}

// What JSON can carry beyond the documented fields goes into Extra.
func ExampleCampaign() {
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{
		{ID: "1", Omit: []string{"created_at", "updated_at"}, Extra: map[string]any{"name": nil, "status": 7, "budget": 1200}},
	}}))
	defer srv.Close()

	r, _ := http.NewRequest(http.MethodGet, srv.BaseURL()+"/user/campaigns", nil)
	r.Header.Set("Authorization", "Bearer alice")
	response, err := srv.Client().Do(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
	// Output: {"campaigns":[{"id":"1","name":null,"status":7,"budget":1200}]}
}

// Fixture files come from the same folder as the test, or from go:embed.
func ExampleWithFixtures() {
	files := fstest.MapFS{"alice.yaml": {Data: []byte(`
users:
  alice:
    campaigns:
      - {id: 1, name: Spring, status: active, created_at: 2026-01-05, updated_at: 2026-01-05}
`)}} // in a test: os.DirFS("testdata")
	srv := fake.NewTestServer(t, fake.WithFixtures(files, "*.yaml"))
	defer srv.Close()

	fmt.Println(client{srv.BaseURL(), "alice", srv.Client()}.names())
	// Output: [Spring] <nil>
}

// The gallery has a user for every state of a screen.
func ExampleGallery() {
	srv := fake.NewTestServer(t, fake.WithFixtures(fake.Gallery()))
	defer srv.Close()

	for _, token := range []string{"demo", "empty", "many"} {
		names, err := client{srv.BaseURL(), token, srv.Client()}.names()
		fmt.Println(token, len(names), err)
	}
	// Output:
	// demo 8 <nil>
	// empty 0 <nil>
	// many 250 <nil>
}

// Every answer that the interface leaves open is a setting.
func ExampleWithService() {
	srv := fake.NewTestServer(t, fake.WithService(fake.Service{
		BasePath:  "/v2",
		Responses: fake.Responses{InvalidToken: fake.Response{Status: 403, Body: map[string]string{"error": "expired"}}},
	}))
	defer srv.Close()

	_, err := client{srv.BaseURL(), "alice", srv.Client()}.names()
	fmt.Println(err)
	// Output: campaigns: 403 Forbidden
}

// Generated campaigns can have further fields. Texts in them are templates of gofakeit.
func ExampleWithService_extra() {
	srv := fake.NewTestServer(t, fake.WithService(fake.Service{
		Extra: map[string]any{"budget": 1200, "owner": "Team {number:7,7}"},
		Omit:  []string{"name", "created_at", "updated_at", "status"},
		IDs:   fixtures.IDsSequence,
	}), fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 1}}))
	defer srv.Close()

	r, _ := http.NewRequest(http.MethodGet, srv.BaseURL()+"/user/campaigns", nil)
	r.Header.Set("Authorization", "Bearer alice")
	response, err := srv.Client().Do(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
	// Output: {"campaigns":[{"id":"1","budget":1200,"owner":"Team 7"}]}
}

// An in-memory server needs no port, and works inside testing/synctest.
func ExampleWithInMemory() {
	srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{}))
	defer srv.Close()

	fmt.Println(srv.BaseURL())
	fmt.Println(client{srv.BaseURL(), "alice", srv.Client()}.names())
	// Output:
	// http://campaignfake.test/api
	// [] <nil>
}

// The journal tells what the client sent, and why it was answered as it was.
func ExampleServer_Requests() {
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	defer srv.Close()

	client{srv.BaseURL(), "alice", srv.Client()}.names()
	client{srv.BaseURL(), "", srv.Client()}.names()
	for _, r := range srv.Requests() {
		fmt.Println(r.Method, r.URL, r.Status, r.Reason)
	}
	// Output:
	// GET /api/user/campaigns 200 0 campaigns
	// GET /api/user/campaigns 401 there is no token after Bearer
}

// CheckRequests counts what has arrived, whatever it was answered.
func ExampleServer_CheckRequests() {
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	defer srv.Close()

	client{srv.BaseURL(), "alice", srv.Client()}.names()
	srv.CheckRequests(t, "alice", 2)
	// Output:
	// campaignfake: 1 request of token "alice", want 2
	// The journal has these:
	// 	1. GET /api/user/campaigns with token "alice": 200, 0 campaigns
}

// A user can be changed while the server runs, until Reset.
func ExampleServer_SetUser() {
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	defer srv.Close()

	alice := client{srv.BaseURL(), "alice", srv.Client()}
	if err := srv.SetUser("alice", fake.User{Campaigns: []fake.Campaign{{ID: "1", Name: "Spring"}}}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(alice.names())
	srv.Reset("alice")
	fmt.Println(alice.names())
	// Output:
	// [Spring] <nil>
	// [] <nil>
}

// Replies are played one after the other, here to a client that tries again.
// They end in a normal answer.
func ExampleReply() {
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{
		Replies: []fake.Reply{
			{Status: 503, Times: 2, Headers: http.Header{"Retry-After": {"1"}}},
			{Fault: fake.FaultTruncate},
		},
	}))
	names, err := retrying(client{srv.BaseURL(), "alice", srv.Client()}, 4)
	fmt.Println(names, err)
	srv.CheckRequests(t, "alice", 4)
	srv.Close() // a test does that by itself
	// Output: [] <nil>
}

// A client must survive a body that ends too early.
func ExampleReply_fault() {
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{
		Generate: &fake.Generate{Count: 10},
		Replies:  []fake.Reply{{Fault: fake.FaultTruncate}},
	}))
	defer srv.Close()

	_, err := client{srv.BaseURL(), "alice", srv.Client()}.names()
	fmt.Println(err)
	// Output: unexpected EOF
}

// Other campaigns for some requests let a client that polls see progress.
func ExampleReply_campaigns() {
	campaign := func(status string) []fake.Campaign {
		return []fake.Campaign{{ID: "1", Name: "Spring, " + status, Status: status}}
	}
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{
		Campaigns: campaign("completed"),
		Replies:   []fake.Reply{{Campaigns: campaign("scheduled"), Times: 2}, {Campaigns: campaign("active")}},
	}))
	defer srv.Close()

	for range 4 {
		fmt.Println(client{srv.BaseURL(), "alice", srv.Client()}.names())
	}
	// Output:
	// [Spring, scheduled] <nil>
	// [Spring, scheduled] <nil>
	// [Spring, active] <nil>
	// [Spring, completed] <nil>
}

// Enqueue adds replies while the server runs, before those of the user.
func ExampleServer_Enqueue() {
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	defer srv.Close()

	alice := client{srv.BaseURL(), "alice", srv.Client()}
	if err := srv.Enqueue("alice", fake.Reply{Response: "invalid_token"}); err != nil {
		fmt.Println(err)
	}
	_, err := alice.names()
	fmt.Println(err)
	_, err = alice.names()
	fmt.Println(err)
	// Output:
	// campaigns: 401 Unauthorized
	// <nil>
}

// A test against a container has a token of its own there, which can be like one of its users.
// Here another server, with the fixtures that are built in, stands for the container.
func ExampleConnect() {
	container := fake.NewTestServer(t, fake.WithFixtures(fake.Gallery()))
	defer container.Close()
	baseURL := container.BaseURL() // in a suite: os.Getenv("CAMPAIGNS_BASE_URL")

	c := fake.Connect(t, baseURL)
	names, err := retrying(client{c.BaseURL(), "flaky~" + c.Token(), c.HTTPClient()}, 4)
	fmt.Println(len(names), err)
	c.CheckRequests(t, "flaky~"+c.Token(), 3)
	// Output: 10 <nil>
}

// A program that is no test gets its errors returned.
func ExampleOpen() {
	container := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	defer container.Close()
	client{container.BaseURL(), "alice", container.Client()}.names()

	program, err := fake.Open(container.BaseURL())
	if err != nil {
		fmt.Println(err)
		return
	}
	requests, err := program.Requests("alice")
	for _, r := range requests {
		fmt.Println(r.Number, r.Status, r.Reason)
	}
	fmt.Println(err)
	// Output:
	// 1 200 0 campaigns
	// <nil>
}

// A client that gives up after 30 seconds is tested in no time.
func TestTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{
			Replies: []fake.Reply{{Fault: fake.FaultHang}},
		}))
		patient := srv.Client()
		patient.Timeout = 30 * time.Second
		begin := time.Now()
		_, err := client{srv.BaseURL(), "alice", patient}.names()
		if err == nil || time.Since(begin) != 30*time.Second {
			t.Errorf("gave up after %s with %v", time.Since(begin), err)
		}
	})
}

// shared is a server for all tests of the package.
var shared *fake.Server

func TestMain(m *testing.M) {
	os.Exit(fake.Main(m, func(tb fake.TB) { shared = fake.NewTestServer(tb) }))
}

// Each test that shares a server has a token of its own.
func ExampleServer_For() {
	srv := fake.NewTestServer(t)
	c := srv.For(t)
	c.SetUser(c.Token(), fake.User{Generate: &fake.Generate{Count: 3}})
	names, err := client{c.BaseURL(), c.Token(), c.HTTPClient()}.names()
	fmt.Println(len(names), err)
	c.CheckRequests(t, c.Token(), 1)
	// Output: 3 <nil>
}

// AwaitRequests waits for a client that works on its own.
func ExampleServer_AwaitRequests() {
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	defer srv.Close()

	go client{srv.BaseURL(), "alice", srv.Client()}.names()
	fmt.Println(srv.AwaitRequests(context.Background(), "alice", 1))
	// Output: <nil>
}
