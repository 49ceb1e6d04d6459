package fake_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// ofList returns what a call of the control plane lists under a key.
func ofList[T any](t *testing.T, srv *fake.Server, path, key string) (list []T) {
	t.Helper()
	_, answer := steer(t, srv, "GET", path, "")
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte(answer), &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all[key], &list); err != nil {
		t.Fatalf("%s: %v in %s", path, err, answer)
	}
	return list
}

type unplayed struct {
	Token, Summary string
	Played, Times  int
}

// A second attempt of a test puts the same user, and sees none of what the first has left.
func TestPutStartsTheTokenAnew(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{"put": "PUT", "removed": "DELETE"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t,
				fake.WithLenient(),
				fake.WithUser("other", fixtures.User{}),
			)
			const user = `{
				"replies": [{"status": 503, "times": 2}, {"status": 500}],
				"rate_limit": {"requests": 3, "per": "1h"}
			}`
			put := func(method string) {
				t.Helper()
				status, answer := steer(t, srv, method, "users?token=alice", user)
				if status >= 300 {
					t.Fatalf("%s is answered %d %s", method, status, answer)
				}
			}
			put("PUT")
			steer(t, srv, "POST", "replies?token=alice",
				`[{"status": 418}, {"status": 504}, {"status": 502, "times": "always"}]`)
			statuses(t, srv, "alice", 1)
			statuses(t, srv, "other", 1)
			ask(t, srv, "GET", "/api/wrong", bearer("alice"))

			put(change)
			if got := len(listed(t, srv, "token=alice")); got != 0 {
				t.Errorf("of the first attempt, %d requests are listed", got)
			}
			if change == "DELETE" {
				put("PUT")
			}
			if got := statuses(t, srv, "alice", 4); got != "503 503 500 429" {
				t.Errorf("the second attempt gets %s", got)
			}
			_, answer := steer(t, srv, "GET", "requests?token=alice&brief=true", "")
			expect(t, answer, `"count":4,"matched":4`)
			if got := len(listed(t, srv, "token=alice")); got != 4 {
				t.Errorf("the second attempt sees %d requests", got)
			}
			list := ofList[struct{}](t, srv, "requests?token=alice&unmatched=true", "requests")
			if len(list) != 0 {
				t.Errorf("%d requests of the first attempt are listed that matched nothing",
					len(list))
			}
			if list := ofList[unplayed](t, srv, "unplayed", "unplayed"); len(list) != 0 {
				t.Errorf("unplayed are %v, want none of the first attempt", list)
			}
		})
	}
}

// What was given and not played is listed, until it is dropped.
func TestUnplayed(t *testing.T) {
	t.Parallel()
	for name, drop := range map[string][]string{
		"replaced":           {"PUT", "users?token=alice", "{}"},
		"removed":            {"DELETE", "users?token=alice", ""},
		"the token is reset": {"POST", "reset?token=alice", ""},
		"reset":              {"POST", "reset", ""},
	} {
		srv := fake.NewTestServer(t)
		steer(t, srv, "PUT", "users?token=alice", `{"replies": [{"status": 503}]}`)
		steer(t, srv, "POST", "replies?token=alice", `{"status": 504, "times": 2}`)
		statuses(t, srv, "alice", 1)
		const want = `[{alice enqueued reply 1 of 1 (504) 1 2} {alice reply 1 of 1 (503) 0 1}]`
		for query, want := range map[string]string{
			"":             want,
			"?token=bob":   "[]",
			"?token=alice": want,
		} {
			got := fmt.Sprint(ofList[unplayed](t, srv, "unplayed"+query, "unplayed"))
			if got != want {
				t.Errorf("%q lists %s, want %s", query, got, want)
			}
		}
		steer(t, srv, drop[0], drop[1], drop[2])
		if list := ofList[unplayed](t, srv, "unplayed", "unplayed"); len(list) != 0 {
			t.Errorf("%s: unplayed are %v", name, list)
		}
	}
}
