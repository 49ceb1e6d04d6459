package fake_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// listedTokens returns the tokens of the users that the control plane lists.
func listedTokens(t *testing.T, srv *fake.Server, query string) (tokens []string) {
	t.Helper()
	_, answer := steer(t, srv, "GET", "users"+query, "")
	var list struct {
		Users []struct{ Token string }
	}
	if err := json.Unmarshal([]byte(answer), &list); err != nil {
		t.Fatalf("the users are answered %s", answer)
	}
	for _, user := range list.Users {
		tokens = append(tokens, user.Token)
	}
	return tokens
}

// The parameter run is for all tokens that end in ~ and the run.
func TestControlOfARun(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("flaky", flaky))
	for _, token := range []string{"T", "U"} {
		steer(t, srv, "PUT", "users?token=own~"+token, `{"replies": [{"status": 500}]}`)
		steer(t, srv, "POST", "replies?token=flaky~"+token, `{"status": 501, "times": 2}`)
		expectStatuses(t, srv, "flaky~"+token, "501 501 503")
		expectStatuses(t, srv, "flaky~1~"+token, "503 503")
	}
	const users = "own~T flaky~T flaky~1~T"
	for call, want := range map[string]string{
		"GET requests?run=T&await=5":     `"count":5,"matched":5`,
		"GET requests?run=T&oldest=true": `{"requests":[{"number":1,`,
		"GET requests?run=T&await=6&within=1ms": `5 of 6 requests of run \"T\" have ` +
			`arrived: 1ms are over.`,
		"GET requests?token=T":        `{"requests":[],"more":false,"count":0,"matched":0}`,
		"GET unplayed?run=T":          `{"unplayed":[{"token":"own~T","summary":"reply 1 of 1 (500)"`,
		"GET unplayed?run=V":          `{"unplayed":[]}`,
		"GET users?run=T&token=T":     "The parameters token and run are both there",
		"GET users?run=T&format=yaml": "The parameter token is missing",
		"PUT users?run=T":             `There is no parameter \"run\" here; send token, like, anew.`,
		"POST release?run=T":          `{"released":0}`,
		"DELETE users?token=V":        `No user has the token \"V\".`,
		"DELETE users?run=V":          "",
		"DELETE users":                "or ?run= for all tokens that end in ~ and the run.",
		"DELETE users?run=":           "The parameter run is empty",
	} {
		method, path, _ := strings.Cut(call, " ")
		_, answer := steer(t, srv, method, path, "{}")
		if !strings.Contains(answer, want) || want == "" && answer != "" {
			t.Errorf("%s is answered %.400s, want %s", call, answer, want)
		}
	}
	if got := strings.Join(listedTokens(t, srv, "?run=T"), " "); got != users {
		t.Errorf("the users of the test are %s, want %s", got, users)
	}

	steer(t, srv, "DELETE", "requests?run=T", "")
	srv.CheckRequests(t, "flaky~T", 0)
	srv.CheckRequests(t, "flaky~U", 3)
	steer(t, srv, "POST", "reset?run=T", "")
	expectStatuses(t, srv, "flaky~T", "503 503 200")
	if status, answer := steer(t, srv, "DELETE", "users?run=T", ""); status != 204 {
		t.Errorf("the users are removed with %d %s", status, answer)
	}
	want := []string{"flaky", "own~U", "flaky~U", "flaky~1~U"}
	if got := listedTokens(t, srv, ""); !slices.Equal(got, want) {
		t.Errorf("after the test, the users are %q, want %q", got, want)
	}
	expectStatuses(t, srv, "flaky~U", "503 200")
}

// After an afternoon of tests, the list of users has those that were there before, and no others.
func TestListAfterTests(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("flaky", flaky))
	srv.SetUser("put", fixtures.User{})
	for range 20 {
		own := &named{name: "TestOwn"}
		c := srv.For(own)
		c.SetUser(fixtures.User{})
		expectStatuses(t, srv, c.Token(), "200")
		expectStatuses(t, srv, c.Like("flaky").Token(), "503 503 200")
		own.finish()
	}
	if got, want := listedTokens(t, srv, ""), []string{"flaky", "put"}; !slices.Equal(got, want) {
		t.Errorf("the users are %q, want %q", got, want)
	}
}
