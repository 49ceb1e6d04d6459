package fake_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"example.com/campaignfake/fake"
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
			srv := fake.NewTestServer(t, fake.Lenient(), fake.WithService(fake.Service{IDs: "sequence", UnknownTokens: "generate"}), fake.WithSeed(7),
				fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 1}, Replies: []fake.Reply{{Status: 503}, {Status: 502}}}))
			srv.SetUser("bob", fake.User{Campaigns: []fake.Campaign{{ID: "17"}}})
			srv.Enqueue("carol", fake.Reply{Status: 500})
			if got := bodyOf(t, srv, "alice"); !strings.Contains(got, "503") {
				t.Errorf("the first answer is %s", got)
			}
			if err := set(t, srv, fake.Service{Envelope: "none", IDs: "integers"}, `{"envelope": "none", "ids": "integers"}`); err != nil {
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
			if err := set(t, srv, fake.Service{Envelope: "data"}, `{"envelope": "data"}`); err != nil {
				t.Fatal(err)
			}
			srv.Reset()
			if got := bodyOf(t, srv, "nobody"); !strings.HasPrefix(got, `{"campaigns":[{"id":"1",`) {
				t.Errorf("after a reset, the answer is %s", got)
			}
		})
	}
}

// Settings that cannot be used change nothing, and say why.
func TestSetServiceRefuses(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.Lenient(), fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 20}}))
	for body, want := range map[string]string{
		`{"envelop": "data"}`:            "body:1:2: service.envelop: is not a known key; did you mean envelope?",
		`{"ids": "c#"}`:                  "20 campaigns do not fit into the 10 ids of service.ids",
		`{"names": "{frstname}"}`:        "did you mean {firstname}?",
		`{"seed": 1`:                     "body:1:",
		`{"success": {"body": "x"}}`:     "body",
		`{"base_path": "/api/", "a": 1}`: "ends in a slash",
	} {
		status, answer := steer(t, srv, "PUT", "service", body)
		if status != 400 || !strings.Contains(answer, want) {
			t.Errorf("%s is answered %d %s, want 400 with %q", body, status, answer, want)
		}
	}
	r := &recorder{}
	strict := fake.NewTestServer(r)
	defer r.finish()
	if err := strict.SetService(fake.Service{IDs: "uid"}); err == nil || !strings.Contains(r.text(), "SetService: ids: \"uid\" is neither") {
		t.Errorf("the error is %v, and the test fails with %q", err, r.text())
	}
	if got := bodyOf(t, srv, "alice"); !strings.HasPrefix(got, `{"campaigns":[`) {
		t.Errorf("after that, the answer is %.60s", got)
	}
}

// Settings and users may be set at once by any number of goroutines.
func TestSetServiceAtOnce(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.Lenient())
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for j := range 20 {
				srv.SetUser(fmt.Sprint(i), fake.User{Campaigns: []fake.Campaign{{ID: fmt.Sprint(j)}}})
				srv.SetService(fake.Service{Envelope: []string{"data", "none"}[j%2]})
				srv.Reset()
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

// What a caller changes after a server was made changes none of its answers.
func TestBodiesOfResponsesAreCopies(t *testing.T) {
	t.Parallel()
	body := &struct{ Error string }{"first"}
	srv := fake.NewTestServer(t, fake.InMemory(), fake.WithService(fake.Service{Responses: fake.Responses{InvalidToken: fake.Response{Status: 401, Body: body}}}))
	body.Error = "second"
	if _, answer := ask(t, srv, "GET", listPath, bearer("nobody")); answer != `{"Error":"first"}` {
		t.Errorf("the answer is %s", answer)
	}
}
