package fake_test

import (
	"encoding/json"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// The list has a summary of each user, and the answer about one user has everything that was given
// for it.
func TestUsersAreListed(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t,
		fake.WithUser("alice", fixtures.User{
			Description: "with an error",
			Campaigns:   []fixtures.Campaign{},
			Replies:     []fixtures.Reply{{Status: 503, Times: 2}},
			Repeat:      true,
		}))
	statuses(t, srv, "alice", 1)
	statuses(t, srv, "alice~1", 1)
	steer(t, srv, "POST", "replies?token=alice", `[{"status": 504}, {"status": 505}]`)

	const (
		alice = `"token":"alice","given":"start","description":"with an error",` +
			`"summary":"503 twice, over and over","normal_answer":"0 ` +
			`campaigns","repeat":true,"requests":1,"waiting":2`
		like = `"token":"alice~1","like":"alice","description":"with an error",` +
			`"summary":"503 twice, over and over","normal_answer":"0 ` +
			`campaigns","repeat":true,"requests":1,"waiting":0`
		given = `"user":{"description":"with an error","campaigns":[],` +
			`"replies":[{"status":503,"times":2}],"repeat":true}`
	)
	for path, want := range map[string]string{
		"users": `{"unknown":{"summary":"401"},"users":[{` + alice + `},{` + like +
			`}]}`,
		"users?token=alice":   `{` + alice + `,` + given + `}`,
		"users?token=alice~1": `{` + like + `,` + given + `}`,
	} {
		if status, answer := steer(t, srv, "GET", path, ""); status != 200 || answer != want {
			t.Errorf("%s is answered %d\n%s, want\n%s", path, status, answer, want)
		}
	}
	steer(t, srv, "DELETE", "replies?token=alice", "") // otherwise the test would owe these replies
}

// The list says of each user whether it was there at the start, or has taken its place.
func TestUsersAreListedWithTheirOrigin(t *testing.T) {
	t.Parallel()
	srv := listening(t,
		fake.WithUser("alice", fixtures.User{}),
		fake.WithUser("tired", fixtures.User{}),
		fake.WithService(fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate}))
	expect := func(why, want string) {
		t.Helper()
		_, answer := steer(t, srv, "GET", "users", "")
		var list struct {
			Users []struct{ Token, Given string }
		}
		if err := json.Unmarshal([]byte(answer), &list); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, user := range list.Users {
			got = append(got, user.Token+" "+user.Given)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s the users are %q, want %q", why, got, want)
		}
	}
	expect("at the start", "alice start, tired start")
	steer(t, srv, "POST", "replies?token=login", `{"status": 503}`)
	expect("with a reply for an unknown token", "alice start, tired start, login ")
	steer(t, srv, "PUT", "users?token=login&anew=false&like=alice", "")
	steer(t, srv, "PUT", "users?token=tired&anew=false", `{"generate": {"count": 1}}`)
	expect("with users that were put", "alice start, tired replaced, login later")
	steer(t, srv, "DELETE", "users?token=login&anew=false", "")
	steer(t, srv, "POST", "reset?token=tired", "")
	expect("when they are put back", "alice start, tired start")
}

// The list of users says how other tokens are answered.
func TestUnknownTokensAreListed(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]string{
		"reject":     `{"summary":"401"}`,
		"like alice": `{"summary":"like alice","normal_answer":"0 campaigns"}`,
		"generate": `{"summary":"10 generated campaigns, always the same",` +
			`"normal_answer":"10 generated campaigns"}`,
	} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t,
				fake.WithUser("alice", fixtures.User{}),
				fake.WithService(fixtures.Service{UnknownTokens: setting}))
			_, answer := steer(t, srv, "GET", "users", "")
			if got := between(answer, `"unknown":`, `,"users"`); got != want {
				t.Errorf("unknown tokens are listed as %s, want %s", got, want)
			}
		})
	}
}

// PUT says whether a user is new, and DELETE removes it.
func TestUsersAreChanged(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	for _, tt := range []struct {
		call   string
		status int
	}{
		{"PUT users?token=alice", 201},
		{"PUT users?token=alice", 200},
		{"DELETE users?token=alice", 204},
		{"DELETE users?token=alice", 404},
		{"PUT users?token=alice&anew=false", 201},
	} {
		method, path, _ := strings.Cut(tt.call, " ")
		if status, answer := steer(t, srv, method, path, "{}"); status != tt.status {
			t.Errorf("%s is answered %d %s, want %d", tt.call, status, answer, tt.status)
		}
	}
}

// PUT without a body copies the user that was given for another token.
func TestUsersAreCopied(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("flaky", flaky))
	if status, _ := steer(t, srv, "PUT", "users?token=login&like=flaky", ""); status != 201 {
		t.Errorf("the copy is answered %d", status)
	}
	expectRefusal(t, srv, "PUT users?token=login&like=flakky", "", 404,
		`No user has the token "flakky". Did you mean flaky? `+
			`GET /_fake/users lists the users, and PUT adds one.`)
	expectRefusal(t, srv, "PUT users?token=login&like=flaky~1", "", 404,
		`"flaky~1" is a run, which has no user of its own to copy; write like=flaky.`)
	expectRefusal(t, srv, "PUT users?token=login&like=", "", 400, "The parameter like is empty")
	expectRefusal(t, srv, "PUT users?token=login", `{"like": "flaky"}`, 400,
		"is copied by PUT /_fake/users?token=tired&like=flaky")
	expectRefusal(t, srv, "PUT users?token=login&like=flaky", "{}", 400,
		"the body has another one; send one of the two")
	for _, token := range []string{"login", "flaky"} {
		expectStatuses(t, srv, token, "503 503 200")
	}
	_, own := list(t, srv, "login")
	if _, base := list(t, srv, "flaky"); own != base {
		t.Errorf("the copy has %s, and flaky %s", own, base)
	}
	_, shown := steer(t, srv, "GET", "users?token=login", "")
	expect(t, shown, `"token":"login","like":"flaky","given":"later"`)
	for _, token := range []string{"login", "login~1"} {
		_, file := ask(t, srv, "GET", "/_fake/users?format=yaml&token="+token, nil)
		expect(t, file, "# A copy of the user flaky. What is generated differs here, "+
			"since it depends on the token.\nusers:\n")
	}
}

// A user is sent as a file of fixtures, which has the same campaigns.
func TestUserAsYAML(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	steer(t, srv, "PUT", "users?token=alice", `{
		"description": "Two: by hand",
		"campaigns": [{"id": "1", "name": null, "extra": {"rate": 12.50}}],
		"delay": "0s"
	}`)
	const want = `users:
  "alice":
    description: "Two: by hand"
    campaigns:
      - {id: "1", name: null, extra: {"rate": 12.50}}
    delay: "0s"
`
	answer, file := ask(t, srv, "GET", "/_fake/users?token=alice&format=yaml", nil)
	if answer.Header.Get("Content-Type") != "application/yaml" || file != want {
		t.Errorf("the user is answered %v\n%s\nwant\n%s", answer.Header, file, want)
	}
	set, err := fixtures.LoadText("alice.yaml", file)
	if err != nil {
		t.Fatal(err)
	}
	loaded := fake.NewTestServer(t, fake.WithUser("alice", set.Users["alice"]))
	_, given := list(t, srv, "alice")
	if _, got := list(t, loaded, "alice"); got != given {
		t.Errorf("the file is served as\n%s\nwant\n%s", got, given)
	}
}
