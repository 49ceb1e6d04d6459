package fake_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// flaky fails twice, and then shows three campaigns.
var flaky = fixtures.User{
	Generate: &fixtures.Generate{Count: 3},
	Replies:  []fixtures.Reply{{Status: 503, Times: 2}},
}

// A run sees what its user sees, and has a life of its own: replies, counts and journal.
func TestRuns(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("flaky", flaky), fake.WithLenient())
	expect := expecting(t, srv)
	expect("flaky~1", "503 503 200")
	expect("flaky~2", "503")
	expect("flaky", "503 503")
	_, own := list(t, srv, "flaky~1")
	if _, base := list(t, srv, "flaky"); own != base || strings.Count(own, `"id"`) != 3 {
		t.Errorf("flaky has %s, and flaky~1 %s", base, own)
	}
	srv.CheckRequests(t, "flaky~1", 4)
	srv.Enqueue("flaky~2", fixtures.Reply{Status: 500})
	expect("flaky~2", "500 503 200")
	srv.Reset("flaky~2")
	expect("flaky~2", "503 503 200")
}

// The list has the latest runs beside the users. It shows the user of each run, and its waiting
// replies.
func TestRunsAreListed(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("flaky", flaky), fake.WithLenient())
	statuses(t, srv, "flaky~1", 1)
	for query, want := range map[string]string{
		"users":                   `{"token":"flaky~1","like":"flaky",`,
		"users?token=flaky~1":     `"like":"flaky"`,
		"users?token=flaky~new":   `"like":"flaky"`,
		"replies?token=flaky~1":   `"played":1`,
		"replies?token=flaky~new": `"played":0`,
	} {
		if _, text := steer(t, srv, "GET", query, ""); !strings.Contains(text, want) {
			t.Errorf("%s is answered %s, want %s in it", query, text, want)
		}
	}
}

// Each unknown token can be answered as a user is, with its own replies and limits. It is still
// unknown, and the control plane says which user it is like.
func TestUnknownTokensLikeAUser(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t,
		fake.WithUser("flaky", flaky),
		fake.WithService(fixtures.Service{UnknownTokens: "like flaky"}))
	expectStatuses(t, srv, "one", "503 503 200")
	expectStatuses(t, srv, "two", "503")
	reason := srv.Requests("one")[0].Reason
	if reason != "unknown token, like flaky: scripted: 503 (1 of 2)" || srv.Tally().Unknown != 4 {
		t.Errorf("the reason is %q, and the tally %+v", reason, srv.Tally())
	}
	const like = `"unknown":{"summary":"like flaky","normal_answer":"3 generated campaigns"}`
	if _, text := steer(t, srv, "GET", "users", ""); !strings.Contains(text, like) {
		t.Errorf("the users are %s", text)
	}
	srv.RemoveUser("flaky")
	expectStatuses(t, srv, "one", "200")
	expectStatuses(t, srv, "new", "401")
}

// If unknown_tokens: like names a missing user, the mistake has the place of the setting.
func TestUnknownTokensLikeNobody(t *testing.T) {
	t.Parallel()
	files := files("users: {demo: {}}\nservice:\n  unknown_tokens: like dmeo\n")
	const wrong = `service.unknown_tokens: no user has the token "dmeo"; did you mean demo?`
	_, err := fake.New(fake.WithFixtures(files))
	if err == nil || err.Error() != "users.yaml:3:3: "+wrong {
		t.Errorf("the error is %v", err)
	}
	_, err = fake.New(
		fake.WithUser("demo", fixtures.User{}),
		fake.WithService(fixtures.Service{UnknownTokens: "like dmeo"}))
	if err == nil || err.Error() != "fake.WithService: "+wrong {
		t.Errorf("the error is %v", err)
	}
	_, err = fake.New(fake.WithFixtures(files), fake.WithUser("dmeo", fixtures.User{}))
	if err != nil {
		t.Errorf("with the user of another option, the error is %v", err)
	}
}

// The parameter run is for all tokens that end in ~ and the run, and for no other.
func TestControlOfARun(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("flaky", flaky))
	for _, run := range []string{"T", "U"} {
		steer(t, srv, "PUT", "users?token=own~"+run, "{}")
		steer(t, srv, "POST", "replies?token=flaky~"+run, `{"status": 501}`)
		expectStatuses(t, srv, "flaky~"+run, "501 503")
		expectStatuses(t, srv, "flaky~1~"+run, "503")
	}
	_, answer := steer(t, srv, "GET", "requests?run=T&await=4&within=1ms", "")
	expect(t, answer, `3 of 4 requests of run \"T\" have arrived: 1ms are over.`)
	steer(t, srv, "DELETE", "users?run=T", "")
	var tokens []string
	for _, user := range ofList[struct{ Token string }](t, srv, "users", "users") {
		tokens = append(tokens, user.Token)
	}
	want := []string{"flaky", "own~U", "flaky~U", "flaky~1~U"}
	if !slices.Equal(tokens, want) {
		t.Errorf("after the run, the users are %q, want %q", tokens, want)
	}
}
