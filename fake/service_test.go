package fake_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// bodyOf returns the body of a token's answer.
func bodyOf(t *testing.T, srv *fake.Server, token string) string {
	t.Helper()
	_, body := ask(t, srv, "GET", listPath, bearer(token))
	return body
}

// Settings that are laid over those of a running server hold for every user, whenever
// it was set, until a reset; and replies go on where they were.
func TestSetService(t *testing.T) {
	t.Parallel()
	for door, set := range map[string]func(t *testing.T, srv *fake.Server, s fake.Service, json string) error{
		"Go": func(t *testing.T, srv *fake.Server, s fake.Service, _ string) error { return srv.SetService(s) },
		"HTTP": func(t *testing.T, srv *fake.Server, _ fake.Service, json string) error {
			if status, answer := steer(t, srv, "PUT", "service", json); status != 200 {
				return fmt.Errorf("%d %s", status, answer)
			}
			return nil
		},
		"a client": func(t *testing.T, srv *fake.Server, s fake.Service, _ string) error {
			return fake.Connect(t, srv.BaseURL(), fake.WithHTTPClient(srv.Client())).SetService(s)
		},
	} {
		t.Run(door, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithService(fake.Service{IDs: "sequence", UnknownTokens: "generate"}), fake.WithSeed(7),
				fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 1}, Replies: []fake.Reply{{Status: 503}, {Status: 502}}}))
			srv.SetUser("bob", fake.User{Campaigns: []fake.Campaign{{ID: "17"}}})
			srv.Enqueue("carol", fake.Reply{Status: 500})
			if got := bodyOf(t, srv, "alice"); !strings.Contains(got, "503") {
				t.Errorf("the first answer is %s", got)
			}
			if err := set(t, srv, fake.Service{Success: fake.Response{Body: "{campaigns}"}, IDs: "integers"}, `{"success": {"body": "{campaigns}"}, "ids": "integers"}`); err != nil {
				t.Fatal(err)
			}
			srv.SetUser("dave", fake.User{Campaigns: []fake.Campaign{{ID: "18"}}})
			for _, want := range []struct{ token, start string }{
				{"alice", `{"type":"about:blank","title":"Bad Gateway"`}, {"alice", `[{"id":1,`}, {"bob", `[{"id":17,`}, {"dave", `[{"id":18,`},
				{"carol", `{"type":"about:blank","title":"Internal`}, {"carol", `[{"id":1,`}, {"anybody", `[{"id":1,`},
			} {
				if got := bodyOf(t, srv, want.token); !strings.HasPrefix(got, want.start) {
					t.Errorf("%s is answered %.60s…, want %s…", want.token, got, want.start)
				}
			}
			if s := srv.Service(); s.Seed != 7 || s.UnknownTokens != "generate" {
				t.Errorf("the other settings are %+v", s)
			}
			srv.Reload()
			if got := bodyOf(t, srv, "bob"); !strings.HasPrefix(got, `[{"id":17,`) {
				t.Errorf("after a reload, bob is answered %s", got)
			}
			if err := set(t, srv, fake.Service{}, `{}`); err != nil {
				t.Fatal(err)
			}
			if got := bodyOf(t, srv, "bob"); !strings.HasPrefix(got, `{"campaigns":[{"id":"17",`) {
				t.Errorf("without the settings, bob is answered %s", got)
			}
			if err := set(t, srv, fake.Service{Success: fake.Response{Body: map[string]any{"data": "{campaigns}"}}}, `{"success": {"body": {"data": "{campaigns}"}}}`); err != nil {
				t.Fatal(err)
			}
			srv.ResetAll()
			if got := bodyOf(t, srv, "nobody"); !strings.HasPrefix(got, `{"campaigns":[{"id":"1",`) {
				t.Errorf("after a reset, the answer is %s", got)
			}
		})
	}
}

// Replies that wait have the shape that is in force when they are played, whether their
// campaigns are complete or not; and they keep their places.
func TestSetServiceWhileRepliesWait(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fake.User{}))
	complete := []fake.Campaign{{ID: "17", Name: "n", CreatedAt: "c", UpdatedAt: "u", Status: "s"}}
	srv.Enqueue("alice", fake.Reply{Status: 500, Times: 3}, fake.Reply{Campaigns: complete}, fake.Reply{Campaigns: []fake.Campaign{{ID: "18"}}}, fake.Reply{Status: 500, Body: "own"})
	bodyOf(t, srv, "alice")
	service := fake.Service{Campaign: "{id}", Responses: fake.Responses{Default: fake.Response{Body: []any{"{status}"}}}}
	if err := srv.SetService(service); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"[500]", "[500]", `{"campaigns":["17"]}`, `{"campaigns":["18"]}`, "own", `{"campaigns":[]}`} {
		if got := bodyOf(t, srv, "alice"); got != want {
			t.Errorf("the answer is %s, want %s", got, want)
		}
	}
}

// A reload leaves replies that wait as they are.
func TestReloadWhileRepliesWait(t *testing.T) {
	t.Parallel()
	campaign := []any{"{id}", map[string]any{"$fake": "1"}} // which is drawn
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithLoader(func() (*fixtures.Set, error) {
		return &fixtures.Set{Service: fake.Service{Campaign: campaign}}, nil
	}))
	campaigns := []fake.Campaign{{ID: "17"}}
	srv.SetUser("alice", fake.User{Campaigns: campaigns, Replies: []fake.Reply{{Campaigns: campaigns}}})
	campaign = []any{"{created_at}"}
	if err := srv.Reload(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, want := bodyOf(t, srv, "alice"), `{"campaigns":[["17","1"]]}`; got != want {
			t.Errorf("the answer is %s, want %s", got, want)
		}
	}
}

// Settings that cannot be used change nothing, and say why.
func TestSetServiceRefuses(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 20}}))
	for body, want := range map[string]string{
		`{"ids": "c#"}`:                  "20 campaigns do not fit into the 10 ids of service.ids",
		`{"seed": 1`:                     "body:1:",
		`{"success": {"body": "x"}}`:     "success.body: has no",
		`{"base_path": "/api/", "a": 1}`: "ends in a slash",
	} {
		status, answer := steer(t, srv, "PUT", "service", body)
		if status != 400 || !strings.Contains(answer, want) {
			t.Errorf("%s is answered %d %s, want 400 with %q", body, status, answer, want)
		}
	}
	if got := bodyOf(t, srv, "alice"); !strings.HasPrefix(got, `{"campaigns":[`) {
		t.Errorf("after that, the answer is %.60s", got)
	}
}

// Settings, users and replies may be set at once by any number of goroutines.
func TestSetServiceAtOnce(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithService(fake.Service{UnknownTokens: "generate"}))
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for j := range 20 {
				srv.SetUser(fmt.Sprint(i), fake.User{Campaigns: []fake.Campaign{{ID: fmt.Sprint(j)}}})
				srv.Enqueue(fmt.Sprint(i), fake.Reply{Campaigns: []fake.Campaign{{Name: "x"}}, Times: 2}, fake.Reply{Status: 500})
				srv.SetService(fake.Service{Success: fake.Response{Body: []any{"{campaigns}", map[string]any{"data": "{campaigns}"}}[j%2]}})
				srv.ResetAll()
			}
		})
		group.Go(func() {
			for range 20 {
				bodyOf(t, srv, fmt.Sprint(i))
			}
		})
	}
	group.Wait()
}

// A user and replies that are set while the settings change are answered by the new ones.
func TestSettingsReachWhatIsSetMeanwhile(t *testing.T) {
	t.Parallel()
	campaigns := make([]fake.Campaign, 500) // so that preparing them takes a while
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("bob", fake.User{}))
	for range 50 {
		var group sync.WaitGroup
		group.Go(func() { srv.SetUser("alice", fake.User{Campaigns: campaigns}) })
		group.Go(func() { srv.Enqueue("bob", fake.Reply{Campaigns: campaigns}) })
		group.Go(func() {
			srv.SetService(fake.Service{Success: fake.Response{Body: map[string]any{"data": "{campaigns}"}}})
		})
		group.Wait()
		for _, token := range []string{"alice", "bob"} {
			if got := bodyOf(t, srv, token); !strings.HasPrefix(got, `{"data":[{`) {
				t.Fatalf("%s is answered %.60s, want what the settings have", token, got)
			}
		}
		srv.ResetAll()
	}
}

// A reload does not bring back the settings that a reset takes away meanwhile.
func TestReloadKeepsNoSettingsThatAreReset(t *testing.T) {
	t.Parallel()
	users := make(map[string]fake.User)
	for i := range 200 { // so that preparing them takes a while
		users[fmt.Sprint("user-", i)] = fake.User{Campaigns: make([]fake.Campaign, 20)}
	}
	srv := fake.NewTestServer(t, fake.WithLoader(func() (*fake.Set, error) { return &fake.Set{Users: users}, nil }))
	start := time.Now()
	srv.Reload()
	const times = 40
	pause := 2 * time.Since(start) / times
	for i := range times {
		if err := srv.SetService(fake.Service{IDs: "sequence"}); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		group.Go(func() { srv.Reload() })
		time.Sleep(time.Duration(i) * pause)
		srv.ResetAll()
		group.Wait()
		if got := srv.Service().IDs; got != "uuid" {
			t.Fatalf("after a reload and a reset, ids is %s", got)
		}
	}
}

// What a caller changes after a server was made changes none of its answers, not even when
// other settings are laid over those that it had.
func TestBodiesOfResponsesAreCopies(t *testing.T) {
	t.Parallel()
	body, shape, over := &struct{ Error string }{"first"}, &struct{ ID string }{"{id}"}, &struct{ Budget int }{1}
	srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient(),
		fake.WithService(fake.Service{Campaign: shape, Responses: fake.Responses{InvalidToken: fake.Response{Status: 401, Body: body}}}),
		fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{{ID: "17", Extra: map[string]any{"o": over}}}}))
	body.Error, shape.ID, over.Budget = "second", "{nonsense}", 2
	for range 2 {
		for token, want := range map[string]string{"nobody": `{"Error":"first"}`, "alice": `{"campaigns":[{"ID":"17","o":{"Budget":1}}]}`} {
			if _, answer := ask(t, srv, "GET", listPath, bearer(token)); answer != want {
				t.Errorf("%s is answered %s, want %s", token, answer, want)
			}
		}
		if err := srv.SetService(fake.Service{IDs: "sequence"}); err != nil {
			t.Fatal(err)
		}
	}
}
