package fake_test

import (
	"errors"
	"fmt"
	"net/http"
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

// A run sees what its user sees, and has a life of its own, through every door, and whatever becomes
// of unknown tokens.
func TestRuns(t *testing.T) {
	t.Parallel()
	for _, unknown := range []string{"reject", "generate", "like empty"} {
		t.Run(unknown, func(t *testing.T) {
			t.Parallel()
			onBoth(t, expectRuns,
				fake.WithUser("flaky", flaky),
				fake.WithUser("empty", fixtures.User{}),
				fake.WithUser("flaky~own",
					scripted(fixtures.Reply{Status: 418, Times: fixtures.Always})),
				fake.WithService(fixtures.Service{UnknownTokens: unknown}),
			)
		})
	}
}

func expectRuns(t *testing.T, srv door) {
	expect := expecting(t, srv)
	expect("flaky~1", "503 503 200")
	expect("flaky~2", "503")
	expect("flaky~1~2", "503")
	expect("flaky~own", "418")
	expect("flaky~own~1", "418") // the nearest user
	expect("flaky", "503 503")
	_, own := list(t, srv, "flaky~1")
	if _, base := list(t, srv, "flaky"); own != base || strings.Count(own, `"id"`) != 3 {
		t.Errorf("flaky has %s, and flaky~1 %s", base, own)
	}
	requests := srv.Requests("flaky~2")
	if len(requests) != 1 || requests[0].Reason != "scripted: 503 (1 of 2)" {
		t.Errorf("the requests are %+v", requests)
	}
	srv.CheckRequests(t, "flaky~1", 4)
	if err := srv.AwaitAnswers(t.Context(), "flaky~1", 4); err != nil {
		t.Error(err)
	}
	srv.ClearRequests("flaky~1")
	srv.CheckRequests(t, "flaky~1", 0)
	expect("flaky~1", "200")

	// Enqueue and Reset come before the first request, and after it.
	srv.Enqueue("flaky~3", fixtures.Reply{Status: 500})
	srv.Enqueue("flaky~2", fixtures.Reply{Status: 500})
	expect("flaky~3", "500 503 503 200")
	expect("flaky~2", "500 503 200")
	srv.Reset("flaky~2", "flaky~4")
	expect("flaky~2", "503 503 200")

	// It has the user that is in force when it is made, or reset.
	srv.SetUser("flaky", fixtures.User{Replies: []fixtures.Reply{{Status: 502}}})
	srv.SetUser("flaky~3", fixtures.User{Replies: []fixtures.Reply{{Status: 504}}})
	expect("flaky~2", "200")
	expect("flaky~5", "502 200")
	expect("flaky~3", "504 200")
	srv.RemoveUser("flaky~3")
	expect("flaky~3", "502 200")
	srv.ResetAll()
	expect("flaky~2", "503 503 200")
}

// A run of nobody is unknown, and the answer and the advice say so.
func TestRunsOfNobody(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t,
		fake.WithUser("demo", fixtures.User{}),
		fake.WithUser("demo~own", fixtures.User{}),
	)
	for token, want := range map[string]struct{ detail, title string }{
		"nobody~1":   {`nor \"nobody\", which stands`, `No user has the token "nobody"`},
		"nobody~a~b": {`nor \"nobody\", which stands`, `No user has the token "nobody"`},
		"~1":         {`nor \"\", which stands`, `No user has the token ""`},
		"dmeo~1":     {`nor \"dmeo\", which stands`, "The token is nearly demo~1"},
		"nobody":     {"No user has this bearer token.", ""},
	} {
		response, body := ask(t, srv, "GET", listPath, bearer(token))
		advice := srv.Requests(token)[0].Advice
		if response.StatusCode != 401 || !strings.Contains(body, want.detail) ||
			advice.Title != want.title {
			t.Errorf("%s is answered %d, %s, with the advice %+v",
				token, response.StatusCode, body, advice)
		}
	}
	srv.SetUser("nobody", fixtures.User{})
	expectStatuses(t, srv, "nobody~1", "200")
}

// People see the latest runs beside the users, and whose runs they are.
func TestRunsAreListed(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t,
		fake.WithLenient(),
		fake.WithUser("flaky", flaky),
		fake.WithLogger(nil),
	)
	for i := range 101 {
		statuses(t, srv, fmt.Sprintf("flaky~%d", i), 1)
	}
	type user struct{ Token, Like string }
	want := []user{{"flaky", ""}}
	for i := 100; i >= 1; i-- {
		want = append(want, user{fmt.Sprintf("flaky~%d", i), "flaky"})
	}
	if got := ofList[user](t, srv, "users", "users"); !slices.Equal(got, want) {
		t.Errorf("the users are %+v, want %+v", got, want)
	}
	for query, want := range map[string]string{
		"users?token=flaky~0":                 `"like":"flaky"`,
		"users?token=flaky~new":               `"like":"flaky"`,
		"replies?token=flaky~0":               `"played":1`,
		"replies?token=flaky~new":             `"played":0`,
		"requests?token=flaky~0&unmatched=no": "send true",
	} {
		if _, text := ask(t, srv, "GET", "/_fake/"+query, nil); !strings.Contains(text, want) {
			t.Errorf("%s is answered %s, want %s in it", query, text, want)
		}
	}
	status, text := steer(t, srv, "PUT", "users?token=flaky~0", "{}")
	if status != http.StatusCreated || strings.Contains(text, "like") {
		t.Errorf("PUT is answered %d, %s", status, text)
	}
	if status, text := steer(t, srv, "DELETE", "users?token=flaky~0",
		""); status != http.StatusNoContent {
		t.Errorf("DELETE is answered %d, %s", status, text)
	}
	expectStatuses(t, srv, "flaky~0", "503")
}

// Unknown tokens can each have a life of their own like that of a user. They are still unknown.
func TestUnknownTokensLikeAUser(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, srv door) {
		expectStatuses(t, srv, "one", "503 503 200")
		expectStatuses(t, srv, "two", "503")
		srv.Enqueue("two", fixtures.Reply{Status: 500})
		expectStatuses(t, srv, "two", "500 503 200")
		expectStatuses(t, srv, "flaky", "503 503 200")
		_, base := list(t, srv, "flaky")
		if _, own := list(t, srv, "one"); own != base || !strings.Contains(base, "campaigns") {
			t.Errorf("flaky has %s, and one %s", base, own)
		}
		reason := srv.Requests("one")[0].Reason
		if reason != "unknown token, like flaky: scripted: 503 (1 of 2)" {
			t.Errorf("the reason is %q", reason)
		}
		srv.Reset("one")
		expectStatuses(t, srv, "one", "503")
		srv.SetUser("one", fixtures.User{})
		expectStatuses(t, srv, "one", "200")
	}, fake.WithUser("flaky", flaky),
		fake.WithService(fixtures.Service{UnknownTokens: "like flaky"}))
}

// The control plane says what unknown tokens are like, as long as that user is there.
func TestUnknownTokensLikeAUserThatGoes(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	srv := fake.NewTestServer(t, logTo(&log),
		fake.WithUser("demo", fixtures.User{}),
		fake.WithService(fixtures.Service{UnknownTokens: "like demo"}))
	const like = `"unknown":{"summary":"like demo","normal_answer":"0 campaigns"}`
	if _, text := steer(t, srv, "GET", "users", ""); !strings.Contains(text, like) {
		t.Errorf("the users are %s", text)
	}
	if status, _ := steer(t, srv, "GET", "users?token=app-secret", ""); status != 404 {
		t.Errorf("a token that nobody was given is answered %d", status)
	}
	statuses(t, srv, "app-secret", 1)
	if strings.Contains(log.String(), "app-secret") || srv.Tally().Unknown != 1 {
		t.Errorf("the log is %s, and the tally %+v", log.String(), srv.Tally())
	}
	srv.RemoveUser("demo")
	expectStatuses(t, srv, "app-secret", "200")
	expectStatuses(t, srv, "new", "401")
}

// Unknown tokens cannot be like a user that is not there, and the mistake has its place.
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
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) || err.Error() != "fake.WithService: "+wrong {
		t.Errorf("the error is %v", err)
	}
	_, err = fake.New(fake.WithFixtures(files), fake.WithUser("dmeo", fixtures.User{}))
	if err != nil {
		t.Errorf("with the user of another option, the error is %v", err)
	}
}
