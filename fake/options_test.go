package fake_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

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

func TestOptionsAreChecked(t *testing.T) {
	t.Parallel()
	unsendable := fixtures.Campaign{Extra: map[string]any{"f": func() {}}}
	tests := map[string]struct {
		option fake.Option
		want   string
	}{
		"a token": {
			fake.WithUser("a b", fixtures.User{}),
			`users["a b"]: is a token with ' ' in it`,
		},
		"a count": {
			fake.WithUser("a", generated(-1)),
			"users.a.generate.count: -1 is out of range",
		},
		"an extra": {
			fake.WithUser("a", fixtures.User{Campaigns: []fixtures.Campaign{unsendable}}),
			"users.a.campaigns[0].extra.f: cannot be sent as JSON",
		},
		"a setting": {
			fake.WithService(fixtures.Service{IDs: "uid"}),
			`service.ids: "uid" is neither uuid nor sequence`,
		},
		"a file": {
			fake.WithFixtures(files("usrs: {}")),
			"users.yaml:1:1: has neither users nor service at its top",
		},
		"no file system": {
			fake.WithFixtures(nil),
			"WithFixtures: the file system is nil; " +
				`give one, as os.DirFS("testdata") or fixtures.Gallery()`,
		},
		"no files": {
			fake.WithFixtures(fstest.MapFS{}),
			"fake.WithFixtures: .: is a folder without fixtures; " +
				"put files that end in .yaml or .yml into it",
		},
		"a loader": {
			fake.WithLoader(loading(&fixtures.Set{Service: fixtures.Service{BasePath: "api"}})),
			"service.base_path: \"api\" is not a plain path",
		},
		"a loader without a set": {
			fake.WithLoader(loading(nil)),
			"WithLoader: the function returned neither a set nor an error; " +
				"return &fixtures.Set{} for no fixtures",
		},
		"a loader that is nil": {
			fake.WithLoader(nil),
			"WithLoader: the function is nil; give one that returns a set, or leave the option out",
		},
		"a test that is nil": {
			fake.WithTB(nil),
			"WithTB: the test is nil; give the *testing.T of the test, or leave the option out",
		},
		"in memory without a test server": {
			fake.WithInMemory(),
			"WithInMemory: a server of New listens nowhere until Listen is called; " +
				"leave the option out, or in a test make the server with fake.NewTestServer",
		},
		"lenient without a test": {
			fake.WithLenient(),
			"WithLenient: the server reports to no test, and so is not strict; " +
				"leave the option out, or add fake.WithTB(t) in a test",
		},
		"a bad body": {
			fake.WithService(fixtures.Service{Responses: fixtures.Responses{
				NotFound: fixtures.Response{Body: make(chan int)},
			}}),
			"service.responses.not_found.body: cannot be sent as JSON",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := fake.New(test.option)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want it to say %q", err, test.want)
			}
			if strings.Contains(fmt.Sprint(err), "mounted") {
				t.Errorf("the error is that of a container: %v", err)
			}
		})
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

// What an option was given can be changed afterwards.
func TestOptionsAreCopied(t *testing.T) {
	t.Parallel()
	user := fixtures.User{Campaigns: []fixtures.Campaign{spring}}
	service := fixtures.Service{
		Success: fixtures.Response{Headers: http.Header{"X-Version": {"1"}}},
	}
	options := []fake.Option{fake.WithUser("alice", user), fake.WithService(service)}
	user.Campaigns[0].Name = "changed"
	service.Success.Headers["X-Version"][0] = "changed"
	srv := newHandler(t, options...)
	answer := record(srv, "alice")
	if body := answer.Body.String(); body != `{"campaigns":[`+springJSON+`]}` {
		t.Errorf("the answer is %s", body)
	}
	if got := srv.Service().Success.Headers.Get("X-Version"); got != "1" {
		t.Errorf("the setting is %s", got)
	}
	srv.Service().Success.Headers["X-Version"][0] = "changed"
	if got := srv.Service().Success.Headers.Get("X-Version"); got != "1" {
		t.Errorf("when the settings that were returned are changed, the setting is %s", got)
	}
}

// Two servers can have one set: each writes the dates that are relative to now in its own format.
func TestServersShareASet(t *testing.T) {
	t.Parallel()
	set, err := fixtures.LoadText("a.yaml",
		"users: {alice: {campaigns: [{created_at: {ago: 1h}}]}}")
	if err != nil {
		t.Fatal(err)
	}
	inUnix := newHandler(t, fake.WithLoader(loading(set)),
		fake.WithService(fixtures.Service{Timestamps: "unix"}))
	inSQL := newHandler(t, fake.WithLoader(loading(set)),
		fake.WithService(fixtures.Service{Timestamps: "sql"}))
	for want, srv := range map[string]*fake.Server{
		`"created_at":"\d+"`:                            inUnix,
		`"created_at":"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"`: inSQL,
	} {
		body := record(srv, "alice").Body.String()
		if !regexp.MustCompile(want).MatchString(body) {
			t.Errorf("the answer is %s, want %s in it", body, want)
		}
	}
}

// Mistakes of several options are one error. The user that tokens are like may be in what is wrong.
func TestMistakesOfSeveralOptions(t *testing.T) {
	t.Parallel()
	_, err := fake.New(
		fake.WithFixtures(files("users: {alice: {dealy: 1s}}")),
		fake.WithUser("bob", fixtures.User{Replies: []fixtures.Reply{{Status: 9}}}),
		fake.WithFixtures(files("users: {carol: {delay: 3}}")),
		fake.WithService(fixtures.Service{UnknownTokens: "like alice"}),
		fake.WithControlHosts("*"),
	)
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) || len(mistakes.List) != 3 {
		t.Fatalf("the error is %v", err)
	}
	if strings.Contains(err.Error(), "like") || !strings.Contains(err.Error(), "WithControlHosts") {
		t.Errorf("the error is %v", err)
	}
}

// The message about a folder names it, and the option.
func TestFoldersWithoutFixtures(t *testing.T) {
	t.Parallel()
	empty := filepath.ToSlash(t.TempDir())
	for name, tt := range map[string]struct {
		option fake.Option
		want   string
	}{
		"no folder": {
			fake.WithFixtures(os.DirFS("testdat")),
			"testdat: is no folder that can be read; give one that exists",
		},
		"an empty folder": {
			fake.WithFixtures(os.DirFS(empty)),
			empty + ": is a folder without fixtures; put files that end in .yaml or .yml into it",
		},
		"a pattern": {
			fake.WithFixtures(os.DirFS(empty), "b*.yaml"),
			empty + "/b*.yaml: matches no file or folder; write a pattern that matches one",
		},
		"a file": {
			fake.WithFixtures(os.DirFS(empty), "b.yaml"),
			empty + "/b.yaml: does not exist; name a file or a folder of fixtures",
		},
		"a file of another file system": {
			fake.WithFixtures(fstest.MapFS{}, "b.yaml"),
			"b.yaml: does not exist; name a file or a folder of fixtures",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := fake.New(tt.option)
			if err == nil || !strings.HasPrefix(err.Error(), "fake.WithFixtures: "+tt.want) {
				t.Errorf("the error is %v, want it to begin with %s", err, tt.want)
			}
		})
	}
}
