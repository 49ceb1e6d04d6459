package fake_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Who does not finish a sentence is left alone after a while: the headers of a request, and a
// body, whether or not somebody reads it.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		start string
		want  time.Duration // until the connection is closed
		says  string
	}{
		"headers": {
			start: "GET /api/user/campaigns HTTP/1.1\r\nHost: campaignfake.test\r\nX-Slow: ",
			want:  10 * time.Second,
		},
		"half of a header": {
			start: "GET /api/user/campaigns HTTP/1.1\r\nHost: campaignfake.test\r\nX-Sl",
			want:  10 * time.Second,
		},
		"a body that nobody asked for": {
			start: "POST /api/user/campaigns HTTP/1.1\r\nHost: campaignfake.test\r\n" +
				"Content-Length: 1000\r\n\r\n{",
			want: 5 * time.Second,
			says: "405 Method Not Allowed",
		},
		"a body": {
			start: "PUT /_fake/users?token=bob HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
			want:  16 * time.Second,
			says:  "The body cannot be read",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient())
				conn := dial(t, srv)
				defer conn.Close()
				begin := time.Now()
				if _, err := io.WriteString(conn, tt.start); err != nil {
					t.Fatal(err)
				}
				answer, err := io.ReadAll(bufio.NewReader(conn))
				took := time.Since(begin).Round(time.Second)
				if took != tt.want || !strings.Contains(string(answer), tt.says) {
					t.Errorf("after %s, the answer is %q (%v), want %q after %s", took, answer, err, tt.says, tt.want)
				}
			})
		})
	}
}

// Connections that send nothing, or wait for an answer, hold up nobody: there is no limit to them.
func TestManyConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		held := fixtures.User{Delay: &fixtures.Delay{UntilReleased: true}}
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil), fake.WithUser("alice", held))
		for range 1000 {
			conn := dial(t, srv)
			defer conn.Close()
		}
		var all sync.WaitGroup
		for range 1001 {
			all.Go(func() { list(t, srv, "alice") })
		}
		synctest.Wait()
		srv.CheckRequests(t, "alice", 1001)
		if n := srv.Release("alice"); n != 1001 {
			t.Errorf("%d requests are released", n)
		}
		all.Wait()
	})
}

// A body that is sent to the control plane has at most 1 MiB. A larger one changes nothing,
// whether or not it says its length.
func TestBodiesBeyondTheLimit(t *testing.T) {
	t.Parallel()
	const start, end = `{"replies":[{"body":"`, `"}],"repeat":true}`
	for _, tt := range []struct {
		bytes, status int
	}{{1 << 20, 201}, {1<<20 + 1, 413}, {9 << 20, 413}} {
		for _, chunked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d bytes, in chunks %t", tt.bytes, chunked), func(t *testing.T) {
				t.Parallel()
				srv := fake.NewTestServer(t, fake.WithLenient())
				text := strings.Repeat("x", tt.bytes-len(start)-len(end))
				request := newRequest(t, "PUT", rootOf(srv)+"/_fake/users?token=alice", nil)
				request.Body = io.NopCloser(strings.NewReader(start + text + end))
				request.ContentLength = int64(tt.bytes)
				if chunked {
					request.ContentLength = -1
				}
				response, said := send(t, srv.Client(), request)
				isTold := strings.Contains(said, "The body is larger than 1 MiB.")
				if response.StatusCode != tt.status || isTold != (tt.status == 413) {
					t.Errorf("the body is answered %d %.200s", response.StatusCode, said)
				}
				got := statuses(t, srv, "alice", 1)
				if (got == "200") != (tt.status == 201) {
					t.Errorf("alice is answered %s then", got)
				}
			})
		}
	}
}

// Users and replies that are put over HTTP have 16 MiB in memory together, in which their texts are
// twice. Room that is given back can be used again.
func TestUsersBeyondTheLimit(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithLogger(nil))
	// Eight of them have 896 bytes of the room left: 1 KiB each, 2 KiB for a reply, texts twice.
	large := `{"description":"` + strings.Repeat("x", 450) +
		`","replies":[{}` + strings.Repeat(",{}", 1022) + `]}`
	put := func(i int) (int, string) {
		return steer(t, srv, "PUT", fmt.Sprint("users?token=user-", i), large)
	}
	for i := range 8 {
		if status, said := put(i); status != 201 {
			t.Fatalf("user %d is answered %d %.200s", i, status, said)
		}
	}
	const full = "There is no room for more users and replies: what was put may have 16 MiB in memory; " +
		"remove some, or reset the server."
	if status, said := put(8); status != 507 || !strings.Contains(said, full) {
		t.Errorf("one more is answered %d %.200s", status, said)
	}
	reply := func(token string, bytes int) (int, string) {
		return steer(t, srv, "POST", "replies?token="+token, `{"body":"`+strings.Repeat("x", bytes)+`"}`)
	}
	if status, said := reply("user-0", 1000); status != 507 || !strings.Contains(said, full) {
		t.Errorf("a reply is answered %d %.200s", status, said)
	}
	if status, said := put(0); status != 200 {
		t.Errorf("in place of the same user: %d %.200s", status, said)
	}
	steer(t, srv, "DELETE", "users?token=user-0", "")
	if status, said := reply("user-1", 1<<20-2000); status != 200 {
		t.Errorf("a reply in place of a user that was removed: %d %.200s", status, said)
	}
	if status, said := put(8); status != 507 {
		t.Errorf("with that reply, one more is answered %d %.200s", status, said)
	}
	steer(t, srv, "DELETE", "replies?token=user-1", "")
	if status, said := put(8); status != 201 {
		t.Errorf("in place of a reply that was dropped: %d %.200s", status, said)
	}
}

// What is put over HTTP is counted as what it becomes: campaigns, replies and users, however short
// the body is.
func TestWhatIsPutIsCounted(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		call, body string
		most       int
	}{
		"campaigns": {
			call: "PUT users",
			body: `{"campaigns":[{}` + strings.Repeat(",{}", 9999) + `]}`,
			most: 4,
		},
		"generated campaigns": {"PUT users", `{"generate":{"count":10000}}`, 8},
		"replies":             {"POST replies", `[{}` + strings.Repeat(",{}", 4000) + `]`, 2},
		"edge cases":          {"PUT users", `{"generate":{"edge_cases":"all"}}`, 496},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			generating := fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate}
			srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient(), fake.WithService(generating))
			method, path, _ := strings.Cut(tt.call, " ")
			for i := range tt.most {
				status, said := steer(t, srv, method, fmt.Sprintf("%s?token=user-%d", path, i), tt.body)
				if status >= 300 {
					t.Fatalf("%d is answered %d %.200s", i, status, said)
				}
			}
			status, said := steer(t, srv, method, path+"?token=another", tt.body)
			if status != 507 || !strings.Contains(said, "There is no room for more users and replies") {
				t.Errorf("one more is answered %d %.200s", status, said)
			}
		})
	}
}

// Ten thousand unknown tokens are remembered, the latest, and none that has more than 2,048
// bytes: that is answered, and leaves nothing but its entry in the journal. Requests without a
// token are counted for ever, after a reset as well.
func TestUnknownTokensBeyondTheLimit(t *testing.T) {
	t.Parallel()
	srv := newHandler(t, fake.WithService(fixtures.Service{UnknownTokens: "generate"}))
	counted := func(token string) int {
		var list struct{ Count int }
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/_fake/requests?token="+token, nil))
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil {
			t.Fatal(err)
		}
		return list.Count
	}
	longest, longer := strings.Repeat("x", 2048), strings.Repeat("x", 2049)
	for _, token := range []string{longest, longer} {
		if got := record(srv, token); got.Code != 200 || strings.Count(got.Body.String(), `"id"`) != 10 {
			t.Errorf("a token of %d bytes is answered %d %s", len(token), got.Code, got.Body)
		}
	}
	if got := []int{counted(longest), counted(longer), len(srv.Requests(longer))}; !slices.Equal(got, []int{1, 0, 1}) {
		t.Errorf("there are %d requests of 2048 bytes, %d and %d in the journal of 2049", got[0], got[1], got[2])
	}
	const forgotten = "; the token has 2049 bytes, and of one with more than 2048 nothing is remembered"
	for token, want := range map[string]bool{longest: false, longer: true} {
		if got := srv.Requests(token)[0].Reason; strings.Contains(got, forgotten) != want {
			t.Errorf("a token of %d bytes has the reason %s", len(token), got)
		}
	}
	srv.SetUser(longer, fixtures.User{})
	record(srv, longer)
	if got := srv.Requests(longer)[1].Reason; got != "0 campaigns" {
		t.Errorf("a token of 2049 bytes with a user has the reason %s", got)
	}
	srv.Reset("")
	srv.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", listPath, nil))
	record(srv, "used-again")
	for i := range 10_000 {
		record(srv, fmt.Sprint("token-", i))
		if i == 5000 {
			record(srv, "used-again")
		}
	}
	left := map[string]int{"": 1, longest: 0, "token-0": 0, "token-1": 1, "used-again": 2}
	for token, want := range left {
		if got := counted(token); got != want {
			t.Errorf("after ten thousand others, %.20s has %d requests, want %d", token, got, want)
		}
	}
}
