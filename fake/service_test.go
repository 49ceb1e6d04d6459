package fake_test

import (
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

// What a caller changes after a server was made changes none of its answers, not even
// after a reload.
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
		if err := srv.Reload(); err != nil {
			t.Fatal(err)
		}
	}
}
