package fake_test

import (
	"reflect"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// What is written as fixtures is loaded as the same users.
func TestControlWritesFixtures(t *testing.T) {
	t.Parallel()
	users := map[string]fake.User{
		"alice": {Description: "on: one", Campaigns: []fake.Campaign{spring}, Replies: []fake.Reply{{Status: 503, Times: 2}, {Fault: "reset", Times: fake.Always}}},
		"bob":   {Generate: &fake.Generate{Count: 3}, Delay: &fake.Delay{Fixed: time.Second}},
	}
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", users["alice"]))
	srv.SetUser("bob", users["bob"])
	for query, want := range map[string][]string{"": {"alice", "bob"}, "&token=alice": {"alice"}, "&token=bob": {"bob"}} {
		response, text := ask(t, srv, "GET", "/_fake/users?format=yaml"+query, nil)
		set, err := fixtures.LoadFS(fstest.MapFS{"users.yaml": {Data: []byte(text)}}, "users.yaml")
		if err != nil || response.Header.Get("Content-Type") != "application/yaml" {
			t.Fatalf("%q is answered %s: %v\n%s", query, response.Header.Get("Content-Type"), err, text)
		}
		if got := set.Tokens(); !slices.Equal(got, want) {
			t.Errorf("%q has the users %q, want %q", query, got, want)
		}
		for token, user := range set.Users {
			if !reflect.DeepEqual(user, users[token]) {
				t.Errorf("%s is written as %s", token, text)
			}
		}
	}
	for query, want := range map[string]int{"format=yaml&token=nobody": 404, "format=toml": 400} {
		if response, _ := ask(t, srv, "GET", "/_fake/users?"+query, nil); response.StatusCode != want {
			t.Errorf("%s is answered %d, want %d", query, response.StatusCode, want)
		}
	}
}
