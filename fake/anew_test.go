package fake_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"example.com/campaignfake/fake"
)

// ofList returns the list under a key in the answer of the control plane.
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

// A second attempt of a test puts the same user, and sees nothing that the first attempt has left
// behind.
func TestPutStartsTheTokenAnew(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient())
	const user = `{
		"replies": [{"status": 503, "times": 2}, {"status": 500}],
		"rate_limit": {"requests": 3, "per": "1h"}
	}`
	for range 2 {
		steer(t, srv, "PUT", "users?token=alice", user)
		expectStatuses(t, srv, "alice", "503 503 500 429")
		ask(t, srv, "GET", "/api/wrong", bearer("alice"))
		_, answer := steer(t, srv, "GET", "requests?token=alice&unmatched=false", "")
		expect(t, answer, `"count":5,"matched":4`)
		steer(t, srv, "POST", "replies?token=alice", `{"status": 504}`) // to be missed
	}
}

// Replies that were given and not played are listed.
func TestUnplayed(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	steer(t, srv, "PUT", "users?token=alice", `{"replies": [{"status": 503}]}`)
	steer(t, srv, "POST", "replies?token=alice", `{"status": 504, "times": 2}`)
	statuses(t, srv, "alice", 1)
	const want = `[{alice enqueued reply 1 of 1 (504) 1 2} {alice reply 1 of 1 (503) 0 1}]`
	got := fmt.Sprint(ofList[unplayed](t, srv, "unplayed", "unplayed"))
	if got != want {
		t.Errorf("unplayed are %s, want %s", got, want)
	}
}
