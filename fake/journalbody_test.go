package fake_test

import (
	"encoding/json"
	"net/http/httptest"
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

// serveToken has a server answer a token so many times.
func serveToken(srv *fake.Server, token string, times int) {
	for range times {
		r := httptest.NewRequest("GET", listPath, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		srv.ServeHTTP(httptest.NewRecorder(), r)
	}
}

// Equal bodies of a token count once, so that all of them are whole. Beyond 8 MiB
// those of the oldest requests go, and their starts stay.
func TestJournalOfWholeBodies(t *testing.T) {
	t.Parallel()
	const mega = 1 << 20
	srv, err := fake.New(fake.WithUser("large", sized(5*mega)), fake.WithUser("larger", sized(6*mega)), fake.WithUser("beyond", sized(8*mega+1)),
		fake.WithService(fake.Service{UnknownTokens: "generate"}))
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	check := func(why string, whole map[string]bool) {
		t.Helper()
		for token, whole := range whole {
			requests := srv.Requests(token)
			if len(requests) == 0 {
				t.Errorf("%s: no request of %s is left", why, token)
			}
			for _, r := range requests {
				if got := len(r.Answer.Body) == r.Answer.Bytes; got != whole || len(r.Answer.Body) < 256 || r.Answer.Sent != r.Answer.Bytes {
					t.Errorf("%s: the journal has %d of %d bytes that %s was sent", why, len(r.Answer.Body), r.Answer.Bytes, token)
				}
			}
		}
	}
	serveToken(srv, "large", 300)
	serveToken(srv, "unknown", 300)
	check("300 equal bodies", map[string]bool{"large": true, "unknown": true})
	serveToken(srv, "larger", 1)
	check("another one that is large", map[string]bool{"large": false, "unknown": true, "larger": true})
	serveToken(srv, "beyond", 1)
	check("one that is larger than the journal", map[string]bool{"large": false, "unknown": true, "larger": true, "beyond": false})
	srv.ClearRequests("larger")
	serveToken(srv, "large", 1)
	if r := srv.Requests("large"); len(r[300].Answer.Body) != 5*mega {
		t.Errorf("there is room again, and %d bytes are kept", len(r[300].Answer.Body))
	}
	check("others are cleared", map[string]bool{"unknown": true})
}

// A list over HTTP has the start of each body, or whole ones on demand, as many as it
// can hold.
func TestListsOfWholeBodies(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", sized(3<<20)), fake.WithLenient())
	serveToken(srv, "alice", 5)
	for parameters, want := range map[string]struct {
		requests, bytes int
		more            bool
	}{
		"":                      {5, 256, false},
		"&bodies=false":         {5, 256, false},
		"&bodies=true":          {2, 3 << 20, true},
		"&bodies=true&limit=1":  {1, 3 << 20, true},
		"&bodies=true&before=2": {1, 3 << 20, false},
	} {
		_, text := ask(t, srv, "GET", "/_fake/requests?token=alice"+parameters, nil)
		var list struct {
			Requests []fake.Request
			More     bool
		}
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Requests) != want.requests || list.More != want.more {
			t.Errorf("%s lists %d requests, and says that there are more: %v", parameters, len(list.Requests), list.More)
		}
		for _, r := range list.Requests {
			if len(r.Answer.Body) != want.bytes || r.Answer.Bytes != 3<<20 {
				t.Errorf("%s has a body of %d of %d bytes", parameters, len(r.Answer.Body), r.Answer.Bytes)
			}
		}
	}
	if _, text := ask(t, srv, "GET", "/_fake/requests?bodies=1", nil); !strings.Contains(text, "send true for whole bodies") {
		t.Errorf("another value is answered %s", text)
	}
	listed, err := fake.Connect(t, srv.BaseURL()).Requests("alice")
	if err != nil || len(listed) != 5 || len(listed[0].Answer.Body) != 3<<20 {
		t.Errorf("another process sees %d requests, %v", len(listed), err)
	}
}
