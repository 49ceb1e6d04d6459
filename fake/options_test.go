package fake_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// The users of files and of Go stand beside each other, and a later option replaces a user.
func TestFixtureFiles(t *testing.T) {
	t.Parallel()
	files := files(`
service: {base_path: /v1, unknown_tokens: generate}
users:
  alice: {generate: {count: 2}}
  bob: {}
`)
	srv := fake.NewTestServer(t,
		fake.WithFixtures(files), fake.WithUser("bob", generated(1)),
		fake.WithFixtures(fixtures.Gallery()))
	for token, want := range map[string]int{"alice": 2, "bob": 1, "demo": 8, "whoever": 10} {
		if _, body := list(t, srv, token); strings.Count(body, `"id":`) != want {
			t.Errorf("user %s has %d campaigns, want %d", token, strings.Count(body, `"id":`), want)
		}
	}
}

// A program can declare an Option, and set it only if it is needed.
func TestZeroOptionDoesNothing(t *testing.T) {
	t.Parallel()
	var needed fake.Option
	srv := newHandler(t, needed, fake.WithUser("alice", generated(1)))
	if answer := record(srv, "alice"); answer.Code != http.StatusOK {
		t.Errorf("the answer is %d %s", answer.Code, answer.Body)
	}
}

// A caller can change values after passing them to an option, and can change the settings that
// Service returns.
func TestOptionsAreCopied(t *testing.T) {
	t.Parallel()
	service := fixtures.Service{
		Success: fixtures.Response{Headers: http.Header{"X-Version": {"1"}}},
	}
	user := fixtures.User{Campaigns: []fixtures.Campaign{spring}}
	options := []fake.Option{fake.WithUser("alice", user), fake.WithService(service)}
	user.Campaigns[0].Name = "changed"
	service.Success.Headers["X-Version"][0] = "changed"
	srv := newHandler(t, options...)
	srv.Service().Success.Headers["X-Version"][0] = "changed"
	answer := record(srv, "alice")
	if body := answer.Body.String(); body != `{"campaigns":[`+springJSON+`]}` {
		t.Errorf("the answer is %s", body)
	}
	for _, headers := range []http.Header{answer.Header(), srv.Service().Success.Headers} {
		if got := headers.Get("X-Version"); got != "1" {
			t.Errorf("X-Version is %s", got)
		}
	}
}

// All mistakes in options become one error. Each mistake names its option and its place.
func TestOptionsAreChecked(t *testing.T) {
	t.Parallel()
	_, err := fake.New(
		fake.WithFixtures(files("users: {alice: {dealy: 1s}}")),
		fake.WithFixtures(os.DirFS("testdat")),
		fake.WithFixtures(nil),
		fake.WithUser("bob", fixtures.User{Replies: []fixtures.Reply{{Status: 9}}}),
		fake.WithService(fixtures.Service{IDs: "uid", UnknownTokens: "like alice"}),
		fake.WithLoader(loading(&fixtures.Set{Service: fixtures.Service{BasePath: "api"}})),
		fake.WithLoader(loading(nil)),
		fake.WithLoader(nil),
		fake.WithControlHosts("*"),
		fake.WithTB(nil),
		fake.WithInMemory(),
		fake.WithLenient(),
	)
	expect(t, fmt.Sprint(err),
		"users.yaml:1:17: users.alice.dealy: ",
		"fake.WithFixtures: testdat: is no folder that can be read; give one that exists",
		"WithFixtures: the file system is nil; "+
			`give one, as os.DirFS("testdata") or fixtures.Gallery()`,
		"users.bob.replies[0].status: 9 is out of range",
		`service.ids: "uid" is neither uuid nor sequence`,
		`service.base_path: "api" is not a plain path`,
		"WithLoader: the function returned neither a set nor an error; "+
			"return &fixtures.Set{} for no fixtures",
		"WithLoader: the function is nil; give one that returns a set, or leave the option out",
		"WithControlHosts: ",
		"WithTB: the test is nil; give the *testing.T of the test, or leave the option out",
		"WithInMemory: a server of New listens nowhere until Listen is called; "+
			"leave the option out, or in a test make the server with fake.NewTestServer",
		"WithLenient: the server reports to no test, and so is not strict; "+
			"leave the option out, or add fake.WithTB(t) in a test",
	)
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) || strings.Contains(err.Error(), "like") {
		t.Errorf("the error is %v", err)
	}
}
