package fake_test

import (
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A user is sent as a file of fixtures, in which numbers have the digits that they were given with.
func TestUserAsYAML(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	steer(t, srv, "PUT", "users?token=alice", `{
		"description": "Two: by hand",
		"campaigns": [
			{"id": "1", "name": null, "omit": ["status"],
				"extra": {"budget": 12345678901234567890, "rate": 12.50}},
			{"name": "a\u202eb"}
		],
		"delay": "0s"
	}`)
	const want = `users:
  "alice":
    description: "Two: by hand"
    campaigns:
      - {id: "1", name: null, omit: ["status"], ` +
		`extra: {"budget": 12345678901234567890, "rate": 12.50}}
      - {name: "a\u202eb"}
    delay: "0s"
`
	answer, file := ask(t, srv, "GET", "/_fake/users?token=alice&format=yaml", nil)
	if answer.StatusCode != 200 || answer.Header.Get("Content-Type") != "application/yaml" ||
		file != want {
		t.Errorf("the user is answered %s %v\n%s\nwant\n%s",
			answer.Status, answer.Header, file, want)
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
	_, asJSON := steer(t, srv, "GET", "users?token=alice", "")
	if _, same := steer(t, srv, "GET", "users?token=alice&format=json", ""); same != asJSON {
		t.Errorf("as JSON the user is\n%s\nwant\n%s", same, asJSON)
	}

	expectRefusal(t, srv, "GET users?format=yaml", "", 400,
		"The parameter token is missing; send ?token=, percent-encoded.")
	expectRefusal(t, srv, "GET users?token=alice&format=toml", "", 400,
		`The parameter format is "toml"; send json or yaml.`)
	expectRefusal(t, srv, "GET users?token=bob&format=yaml", "", 404,
		`No user has the token "bob". GET /_fake/users lists the users.`)
}
