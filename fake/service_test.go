package fake_test

import (
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// bodyOf returns the body of a token's answer.
func bodyOf(t *testing.T, srv *fake.Server, token string) string {
	t.Helper()
	_, body := ask(t, srv, "GET", listPath, bearer(token))
	return body
}

// A reload leaves replies that wait as they are.
func TestReloadWhileRepliesWait(t *testing.T) {
	t.Parallel()
	layout := "2006-01-02"
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithLoader(func() (*fixtures.Set, error) {
		return &fixtures.Set{Service: fake.Service{Timestamps: layout}}, nil
	}))
	campaigns := []fake.Campaign{{ID: "17", Name: "Spring", CreatedAt: "2026-01-01", Status: "active"}} // of which one field is drawn
	srv.SetUser("alice", fake.User{Campaigns: campaigns, Replies: []fake.Reply{{Campaigns: campaigns}}})
	layout = "02.01.2006"
	if err := srv.Reload(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, want := bodyOf(t, srv, "alice"), `{"campaigns":[{"id":"17","name":"Spring","created_at":"2026-01-01","updated_at":"2026-`; !strings.HasPrefix(got, want) {
			t.Errorf("the answer is %s, want %s", got, want)
		}
	}
}

// What a caller changes after a server was made changes none of its answers, not even
// after a reload.
func TestBodiesOfResponsesAreCopies(t *testing.T) {
	t.Parallel()
	body, extra, over := &struct{ Error string }{"first"}, &struct{ Unit string }{"EUR"}, &struct{ Budget int }{1}
	srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient(),
		fake.WithService(fake.Service{Extra: map[string]any{"budget": extra}, Responses: fake.Responses{InvalidToken: fake.Response{Status: 401, Body: body}}}),
		fake.WithUser("many", fake.User{Generate: &fake.Generate{Count: 1}}),
		fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{{ID: "17", Omit: []string{"name", "created_at", "updated_at", "status"}, Extra: map[string]any{"o": over}}}}))
	body.Error, extra.Unit, over.Budget = "second", "{nonsense}", 2
	for range 2 {
		for token, want := range map[string]string{"nobody": `{"Error":"first"}`, "alice": `{"campaigns":[{"id":"17","o":{"Budget":1}}]}`, "many": `"budget":{"Unit":"EUR"}`} {
			if _, answer := ask(t, srv, "GET", listPath, bearer(token)); !strings.Contains(answer, want) {
				t.Errorf("%s is answered %s, want %s", token, answer, want)
			}
		}
		if err := srv.Reload(); err != nil {
			t.Fatal(err)
		}
	}
}
