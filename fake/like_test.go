package fake_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// flaky fails twice, and then shows three campaigns.
var flaky = fake.User{Generate: &fake.Generate{Count: 3}, Replies: []fake.Reply{{Status: 503, Times: 2}}}

// A token with a tilde has the campaigns of the user before it, and a life of its own, through
// every door, and whatever becomes of unknown tokens.
func TestTokensLikeAUser(t *testing.T) {
	t.Parallel()
	for _, unknown := range []string{"reject", "generate", "like empty"} {
		t.Run(unknown, func(t *testing.T) {
			t.Parallel()
			onBoth(t, likeFlaky, fake.WithUser("flaky", flaky), fake.WithUser("empty", fake.User{}),
				fake.WithUser("flaky~own", fake.User{Replies: []fake.Reply{{Status: 418, Times: fake.Always}}}),
				fake.WithService(fake.Service{UnknownTokens: unknown}))
		})
	}
}

func likeFlaky(t *testing.T, tb *recorder, srv door) {
	expect := func(when, token, want string) {
		t.Helper()
		if got := statuses(t, srv, token, strings.Count(want, " ")+1); got != want {
			t.Errorf("%s %s is answered %s, want %s", when, token, got, want)
		}
	}
	expect("at first", "flaky~1", "503 503 200")
	expect("beside it", "flaky~2", "503")
	expect("with two tildes", "flaky~1~2", "503")
	expect("as it is given", "flaky~own", "418")
	expect("itself", "flaky", "503 503")
	_, own := list(t, srv, "flaky~1")
	if _, base := list(t, srv, "flaky"); own != base || strings.Count(own, `"id"`) != 3 {
		t.Errorf("flaky has %s, and flaky~1 %s", base, own)
	}
	if reason := srv.Requests("flaky~2")[0].Reason; len(srv.Requests("flaky~2")) != 1 || reason != "scripted: 503 (1 of 2)" {
		t.Errorf("the reason is %q", reason)
	}
	srv.CheckRequests(t, "flaky~1", 4)
	if err := srv.AwaitAnswers(t.Context(), "flaky~1", 4); err != nil {
		t.Error(err)
	}
	srv.ClearRequests("flaky~1")
	srv.CheckRequests(t, "flaky~1", 0)
	expect("cleared", "flaky~1", "200")

	// Enqueue and Reset come before the first request, and after it.
	for _, err := range []error{srv.Enqueue("flaky~3", fake.Reply{Status: 500}), srv.Enqueue("flaky~2", fake.Reply{Status: 500})} {
		if err != nil {
			t.Error(err)
		}
	}
	expect("with a reply", "flaky~3", "500 503 503 200")
	expect("with a reply", "flaky~2", "500 503 200")
	srv.Reset("flaky~2", "flaky~4")
	expect("reset", "flaky~2", "503 503 200")

	// It has the user that is in force when it is made, or reset.
	for _, err := range []error{srv.SetUser("flaky", fake.User{Replies: []fake.Reply{{Status: 502}}}), srv.SetUser("flaky~3", fake.User{Replies: []fake.Reply{{Status: 504}}})} {
		if err != nil {
			t.Error(err)
		}
	}
	expect("with another base", "flaky~2", "200")
	expect("made now", "flaky~5", "502 200")
	expect("of its own", "flaky~3", "504 200")
	if err := srv.RemoveUser("flaky~3"); err != nil {
		t.Error(err)
	}
	expect("removed", "flaky~3", "502 200")
	srv.ResetAll()
	expect("all reset", "flaky~2", "503 503 200")
	if _, failed := tb.failures, tb.Failed(); failed {
		t.Error(tb.text())
	}
}

// A token with a tilde is unknown without the user before it, and the answer and the advice say so.
func TestTokensLikeNobody(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("demo", fake.User{}), fake.WithUser("demo~own", fake.User{}))
	for token, want := range map[string]struct{ detail, title string }{
		"nobody~1":   {"there is no user nobody to be like.", "There is no user nobody to be like"},
		"nobody~a~b": {"there is no user nobody to be like.", "There is no user nobody to be like"},
		"~1":         {"there is no user  to be like.", "There is no user  to be like"},
		"dmeo~1":     {"there is no user dmeo to be like.", "The token is nearly demo~1"},
		"nobody":     {"No user has this bearer token.", ""},
	} {
		response, body := ask(t, srv, "GET", listPath, bearer(token))
		advice := srv.Requests(token)[0].Advice
		if response.StatusCode != 401 || !strings.Contains(body, want.detail) || advice.Title != want.title {
			t.Errorf("%s is answered %d, %s, with the advice %+v", token, response.StatusCode, body, advice)
		}
	}
	if err := srv.Enqueue("demo~own~1"); err != nil {
		t.Errorf("the first tilde does not split: %v", err)
	}
	if err := srv.SetUser("nobody", fake.User{}); err != nil {
		t.Error(err)
	}
	if got := statuses(t, srv, "nobody~1", 1); got != "200" {
		t.Errorf("with the user, the answer is %s", got)
	}
}

// Of the tokens that are like a user, the 10,000 most recent are remembered, and none that has
// more than 256 bytes. The others start over.
func TestTokensLikeAUserAreForgotten(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLogger(nil), fake.WithUser("flaky", flaky), fake.WithLenient())
	longest := "flaky~" + strings.Repeat("x", 250)
	if got := statuses(t, srv, "flaky~1", 3) + ", " + statuses(t, srv, longest, 3) + ", " + statuses(t, srv, longest+"x", 3); got != "503 503 200, 503 503 200, 503 503 503" {
		t.Errorf("at first the answers are %s", got)
	}
	if err := srv.Enqueue("flaky~2", fake.Reply{Status: 500, Times: 2}); err != nil {
		t.Fatal(err)
	}
	statuses(t, srv, "flaky~2", 1)
	for i := range 10_000 {
		record(srv, fmt.Sprintf("flaky~other%d", i))
	}
	if got := statuses(t, srv, "flaky~1", 1) + " " + statuses(t, srv, "flaky~2", 1); got != "503 500" {
		t.Errorf("after 10,000 others the answers are %s, want those of the start, and the reply that was enqueued", got)
	}
}

// People see tokens that are like a user, but do not copy them into fixtures.
func TestTokensLikeAUserAreListed(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("flaky", flaky), fake.WithLogger(nil))
	for i := range 101 {
		statuses(t, srv, fmt.Sprintf("flaky~%d", i), 1)
	}
	_, text := steer(t, srv, "GET", "users", "")
	var all struct {
		Users []struct{ Token, Like string }
	}
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	if u := all.Users; len(u) != 101 || u[0].Like != "" || u[1].Token != "flaky~100" || u[1].Like != "flaky" || u[100].Token != "flaky~1" {
		t.Errorf("the users are %+v", u)
	}
	if _, text := ask(t, srv, "GET", "/_fake/users?format=yaml", nil); strings.Contains(text, "~") {
		t.Errorf("the fixtures are %s", text)
	}
	for query, want := range map[string]string{
		"users?token=flaky~0":                 `"like":"flaky"`,
		"users?token=flaky~new":               `"like":"flaky"`,
		"users?token=flaky~0&format=yaml":     `"flaky~0":`,
		"replies?token=flaky~0":               `"played":1`,
		"replies?token=flaky~new":             `"played":0`,
		"requests?token=flaky~0&unmatched=no": "send true",
	} {
		if _, text := ask(t, srv, "GET", "/_fake/"+query, nil); !strings.Contains(text, want) {
			t.Errorf("%s is answered %s, want %s in it", query, text, want)
		}
	}
	if status, text := steer(t, srv, "PUT", "users?token=flaky~0", "{}"); status != http.StatusCreated || strings.Contains(text, "like") {
		t.Errorf("PUT is answered %d, %s", status, text)
	}
	if status, text := steer(t, srv, "DELETE", "users?token=flaky~0", ""); status != http.StatusNoContent {
		t.Errorf("DELETE is answered %d, %s", status, text)
	}
	if got := statuses(t, srv, "flaky~0", 1); got != "503" {
		t.Errorf("without a user of its own, flaky~0 is answered %s", got)
	}
}

// After a reload, a token starts from the beginning with the user of the files that it is like.
func TestReloadOfTokensLikeAUser(t *testing.T) {
	t.Parallel()
	const before = "{service: {unknown_tokens: like flaky}, users: {flaky: {replies: [{status: 503, times: 2}]}, other: {}}}"
	for text, want := range map[string]struct{ known, unknown string }{
		before:                                   {"503 503", "503 503"},
		strings.Replace(before, "503", "502", 1): {"502 502", "502 502"},
		strings.Replace(before, "like flaky", "like other", 1):             {"503 503", "200 200"},
		strings.Replace(before, "like flaky", "reject", 1):                 {"503 503", "401 401"},
		"{users: {other: {}}}":                                             {"401 401", "401 401"},
		strings.Replace(before, "other: {}", "flaky~1: {}, app: {}", 1):    {"200 200", "200 200"},
		strings.Replace(before, "like flaky", "generate", 1) + "# comment": {"503 503", "200 200"},
	} {
		reading(t, before, func(t *testing.T, tb *recorder, srv *fake.Server, read *folder) {
			statuses(t, srv, "flaky~1", 1)
			statuses(t, srv, "app", 1)
			read.write("users.yaml", text)
			if err := srv.Reload(); err != nil {
				t.Fatal(err)
			}
			if known, unknown := statuses(t, srv, "flaky~1", 2), statuses(t, srv, "app", 2); known != want.known || unknown != want.unknown {
				t.Errorf("after %s, the answers are %s and %s, want %+v", text, known, unknown, want)
			}
		})
	}
}

// Unknown tokens can each have a life of their own like that of a user. They are still unknown.
func TestUnknownTokensLikeAUser(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, tb *recorder, srv door) {
		if got := statuses(t, srv, "one", 3) + ", " + statuses(t, srv, "two", 1); got != "503 503 200, 503" {
			t.Errorf("the answers are %s", got)
		}
		if err := srv.Enqueue("two", fake.Reply{Status: 500}); err != nil {
			t.Error(err)
		}
		if got := statuses(t, srv, "two", 3); got != "500 503 200" {
			t.Errorf("with a reply, the answers are %s", got)
		}
		list(t, srv, "flaky")
		statuses(t, srv, "flaky", 2)
		_, base := list(t, srv, "flaky")
		if !strings.Contains(base, "campaigns") {
			t.Errorf("flaky has %s", base)
		}
		if _, own := list(t, srv, "one"); own != base {
			t.Errorf("flaky has %s, and one %s", base, own)
		}
		if reason := srv.Requests("one")[0].Reason; reason != "unknown token, like flaky: scripted: 503 (1 of 2)" {
			t.Errorf("the reason is %q", reason)
		}
		srv.Reset("one")
		if got := statuses(t, srv, "one", 1); got != "503" {
			t.Errorf("reset, the answer is %s", got)
		}
		if err := srv.SetUser("one", fake.User{}); err != nil {
			t.Error(err)
		}
		if got := statuses(t, srv, "one", 1); got != "200" {
			t.Errorf("with a user of its own, the answer is %s", got)
		}
	}, fake.WithUser("flaky", flaky), fake.WithService(fake.Service{UnknownTokens: fixtures.UnknownTokensLike + "flaky"}))
}

// The control plane says what unknown tokens are like, as long as that user is there.
func TestUnknownTokensLikeAUserThatGoes(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	srv := fake.NewTestServer(t, fake.WithUser("demo", fake.User{}), fake.WithLogger(slog.New(slog.NewTextHandler(&log, nil))),
		fake.WithService(fake.Service{UnknownTokens: fixtures.UnknownTokensLike + "demo"}))
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
	if err := srv.RemoveUser("demo"); err != nil {
		t.Fatal(err)
	}
	if got := statuses(t, srv, "app-secret", 1) + " " + statuses(t, srv, "new", 1); got != "200 401" {
		t.Errorf("without the user, the answers are %s", got)
	}
}

// Unknown tokens cannot be like a user that is not there, and the mistake has its place.
func TestUnknownTokensLikeNobody(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"users.yaml": {Data: []byte("users: {demo: {}}\nservice:\n  unknown_tokens: like dmeo\n")}}
	const wrong = `service.unknown_tokens: no user has the token "dmeo"; did you mean demo?`
	_, err := fake.New(fake.WithFixtures(files))
	if err == nil || err.Error() != "users.yaml:3:3: "+wrong {
		t.Errorf("the error is %v", err)
	}
	_, err = fake.New(fake.WithUser("demo", fake.User{}), fake.WithService(fake.Service{UnknownTokens: "like dmeo"}))
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) || err.Error() != "fake.WithService: "+wrong {
		t.Errorf("the error is %v", err)
	}
	if _, err = fake.New(fake.WithFixtures(files), fake.WithUser("dmeo", fake.User{})); err != nil {
		t.Errorf("with the user of another option, the error is %v", err)
	}
}
