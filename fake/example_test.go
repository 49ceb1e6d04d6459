package fake_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"testing"
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

// names fetches the campaigns, and returns their names.
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

type printer struct{ testing.TB }

func (printer) Name() string                      { return "TestExample" }
func (printer) Helper()                           {}
func (printer) Cleanup(func())                    {}
func (printer) Context() context.Context          { return context.Background() }
func (printer) Failed() bool                      { return false }
func (printer) Logf(string, ...any)               {}
func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (printer) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (printer) Fatal(args ...any)                 { panic(fmt.Sprint(args...)) }

// A test starts a server, runs its client, and checks the requests.
func Example() {
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{
		Campaigns: []fixtures.Campaign{{
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

// me stands for another path of the API.
func me(w http.ResponseWriter, r *http.Request) {
	io.WriteString(w, `{"name":"Sam"}`)
}

// An app has one base URL for all of its API. A handler of the test answers the other paths.
func ExampleWithFallback() {
	api := http.NewServeMux()
	api.HandleFunc("GET /api/me", me)
	srv := fake.NewTestServer(t, fake.WithFallback(api), fake.WithUser("alice", fixtures.User{
		Generate: &fixtures.Generate{Count: 3},
	}))
	names, err := client{srv.BaseURL(), "alice", srv.Client()}.names()
	fmt.Println(len(names), err)
	answer, err := srv.Client().Get(srv.BaseURL() + "/me")
	fmt.Println(answer.Status, err)
	srv.Close() // a test does that by itself
	// Output:
	// 3 <nil>
	// 200 OK <nil>
}

// New makes a plain handler, for a server or a mux of your own.
func ExampleNew() {
	srv, err := fake.New(fake.WithTB(t), fake.WithUser("alice", fixtures.User{
		Generate: &fixtures.Generate{Count: 3},
	}))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/me", me)
	mux.Handle("/", srv) // and not at the path of the campaigns
	outer := httptest.NewServer(mux)
	defer outer.Close()
	defer srv.Close() // runs first, so that outer waits for no delay or fault
	names, err := client{outer.URL + srv.BaseURL(), "alice", srv.Client()}.names()
	fmt.Println(len(names), err)
	// Output: 3 <nil>
}

// A program that is no test has a server of its own, too. It is there when Listen returns.
func ExampleServer_Listen() {
	srv, err := fake.New(fake.WithUser("alice",
		fixtures.User{Generate: &fixtures.Generate{Count: 3}}))
	if err == nil {
		err = srv.Listen("127.0.0.1:0")
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()

	names, err := client{srv.BaseURL(), "alice", srv.Client()}.names()
	fmt.Println(len(names), err)
	// Output: 3 <nil>
}

// Replies are played one after the other, here to a client that tries again.
// They end in a normal answer.
func ExampleNewTestServer_replies() {
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{
		Replies: []fixtures.Reply{
			{Status: 503, Times: 2, Headers: http.Header{"Retry-After": {"1"}}},
			{Fault: fixtures.FaultTruncate},
		},
	}))
	names, err := retrying(client{srv.BaseURL(), "alice", srv.Client()}, 4)
	fmt.Println(names, err)
	srv.CheckRequests(t, "alice", 4)
	srv.Close() // a test does that by itself
	// Output: [] <nil>
}

// In a bubble, the test of a client that gives up after 30 seconds takes no time.
func TestTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fixtures.User{
			Replies: []fixtures.Reply{{Fault: fixtures.FaultHang}},
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
	srv, err := fake.New()
	if err == nil {
		err = srv.Listen("127.0.0.1:0")
	}
	if err != nil {
		log.Fatal(err)
	}
	shared = srv
	status := m.Run()
	srv.Close()
	for _, request := range srv.Tally().Wrong {
		log.Print("this was wrong: ", request)
		status = 1
	}
	os.Exit(status)
}

// Each test that shares a server has a token of its own.
func ExampleServer_For() {
	c := shared.For(t)
	c.SetUser(fixtures.User{Generate: &fixtures.Generate{Count: 3}})
	names, err := client{c.BaseURL(), c.Token(), c.HTTPClient()}.names()
	fmt.Println(len(names), err)
	c.CheckRequests(1)
	// Output: 3 <nil>
}

// If the app logs in at the real API, the test learns the token of the login, and gives it a copy
// of a user. Here a handler stands for that API.
func ExampleServer_SetUserLike() {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"campaigns":[{"name":"Real"}]}`)
	}))
	defer api.Close()
	base, err := url.Parse(api.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	srv := fake.NewTestServer(t,
		fake.WithUpstream(base),
		fake.WithService(fixtures.Service{UnknownTokens: fixtures.UnknownTokensUpstream}),
		fake.WithUser("broken", fixtures.User{
			Replies: []fixtures.Reply{{Status: 503, Times: fixtures.Always}},
		}),
	)
	defer srv.Close() // a test does that by itself

	const login = "eyJhbGciOi" // as the app has it from the API
	app := client{srv.BaseURL(), login, srv.Client()}
	fmt.Println(app.names())
	srv.SetUserLike(login, "broken")
	fmt.Println(app.names())
	srv.Reset(login)
	fmt.Println(app.names())
	// Output:
	// [Real] <nil>
	// [] campaigns: 503 Service Unavailable
	// [Real] <nil>
}
