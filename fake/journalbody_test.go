package fake_test

import (
	"encoding/json"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// sized is a user whose answer has so many bytes.
func sized(bytes int) fake.User {
	c := spring
	c.Name = strings.Repeat("x", bytes-140)
	c.ID = strings.Repeat("x", 140-len(`{"campaigns":[{"id":"","name":"","created_at":"","updated_at":"","status":""}]}`)-len(c.CreatedAt+c.UpdatedAt+c.Status))
	return fake.User{Campaigns: []fake.Campaign{c}}
}

// The journal has the first 4 KiB of each body, and a list over HTTP 256 bytes unless more
// are wanted.
func TestJournalOfBodies(t *testing.T) {
	t.Parallel()
	const mega = 1 << 20
	srv := fake.NewTestServer(t, fake.WithUser("small", sized(1000)), fake.WithUser("large", sized(mega)))
	for token, size := range map[string]struct{ all, kept int }{"small": {1000, 1000}, "large": {mega, 4096}} {
		_, body := ask(t, srv, "GET", listPath, bearer(token))
		for query, want := range map[string]int{"": 256, "&bodies=false": 256, "&bodies=true": size.kept} {
			_, text := ask(t, srv, "GET", "/_fake/requests?token="+token+query, nil)
			var list struct{ Requests []fake.Request }
			if err := json.Unmarshal([]byte(text), &list); err != nil || len(list.Requests) != 1 {
				t.Fatalf("%v: the list is %s", err, text)
			}
			if a := list.Requests[0].Answer; a.Body != body[:want] || a.Bytes != size.all || a.Sent != size.all {
				t.Errorf("%s%s has a body of %d of %d bytes, want %d of %d", token, query, len(a.Body), a.Bytes, want, size.all)
			}
		}
		listed, err := fake.Connect(t, srv.BaseURL()).Requests(token)
		if err != nil || len(listed) != 1 || listed[0].Answer.Body != body[:size.kept] || srv.Requests(token)[0].Answer.Body != body[:size.kept] {
			t.Errorf("another process sees %d requests, %v", len(listed), err)
		}
	}
	if _, text := ask(t, srv, "GET", "/_fake/requests?bodies=1", nil); !strings.Contains(text, "send true for the first 4 KiB") {
		t.Errorf("another value is answered %s", text)
	}
}
