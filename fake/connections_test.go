package fake_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Go's client, as browsers do, repeats a request whose connection breaks that it
// has used before. It sees one break all the same, whatever it sent before.
func TestBreaksAreSeenOnce(t *testing.T) {
	t.Parallel()
	preflight := preflight("http://a.test")
	for _, fault := range []fixtures.Fault{"reset", "close"} {
		replies := []fixtures.Reply{{Fault: fault}, {Status: 500}}
		for name, tt := range map[string]struct {
			replies      []fixtures.Reply
			method, path string // of the request before
			header       http.Header
			act          func(srv *fake.Server) error
		}{
			"after a preflight":   {replies, "OPTIONS", listPath, preflight, nil},
			"after another token": {replies, "GET", listPath, bearer("bob"), nil},
			"after another path":  {replies, "GET", "/elsewhere", bearer(""), nil},
			"after having been enqueued": {
				replies: nil,
				method:  "GET",
				path:    listPath,
				header:  bearer("alice"),
				act: func(srv *fake.Server) error {
					return srv.Enqueue("alice", replies...)
				},
			},
			"after SetUser": {nil, "GET", listPath, bearer("alice"), func(srv *fake.Server) error {
				return srv.SetUser("alice", fixtures.User{Replies: replies})
			}},
		} {
			t.Run(fmt.Sprint(fault, " ", name), func(t *testing.T) {
				t.Parallel()
				srv := listening(t, fake.WithUser("alice", fixtures.User{Replies: tt.replies}))
				client := &http.Client{Transport: &http.Transport{}}
				send(t, client, newRequest(t, tt.method, rootOf(srv)+tt.path, tt.header))
				if tt.act != nil {
					if err := tt.act(srv); err != nil {
						t.Fatal(err)
					}
				}
				if response, err := client.Do(listRequest(t, srv, "alice")); err == nil {
					t.Errorf("the fault goes unseen, behind %s", response.Status)
				}
				response, _ := send(t, client, listRequest(t, srv, "alice"))
				if response.StatusCode != 500 {
					t.Errorf("what comes after the fault is %s, want 500", response.Status)
				}
			})
		}
	}
}

// Outside of tests connections are used again, and clients see all the same that one breaks.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	certificate, trusting := certified()
	for name, options := range map[string][]fake.Option{
		"a port": nil,
		"TLS":    {fake.WithTLS(certificate)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := listening(t, append(options, fake.WithUser("alice", fixtures.User{}))...)
			client := &http.Client{Transport: &http.Transport{TLSClientConfig: trusting}}
			var again bool
			trace := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
				GotConn: func(info httptrace.GotConnInfo) { again = info.Reused },
			})
			for range 2 {
				send(t, client, listRequest(t, srv, "alice").WithContext(trace))
			}
			if !again {
				t.Error("the second request has a connection of its own")
			}
			srv.Enqueue("alice", fixtures.Reply{Fault: fixtures.FaultReset})
			if _, err := client.Do(listRequest(t, srv, "alice")); err == nil {
				t.Error("the client has repeated a request whose connection was reset")
			}
			srv.CheckRequests(t, "alice", 3)
		})
	}
}

// Connections are used again once a reset has taken away what may break one.
func TestConnectionsAreUsedAgain(t *testing.T) {
	t.Parallel()
	srv := listening(t, fake.WithUser("alice", fixtures.User{}))
	client := &http.Client{Transport: &http.Transport{}}
	expectClose := func(want bool, when string) {
		t.Helper()
		response, _ := send(t, client, listRequest(t, srv, "alice"))
		if response.Close != want {
			t.Errorf("%s, that an answer ends its connection is %t", when, response.Close)
		}
	}
	expectClose(false, "at the start")
	err := srv.SetUser("broken", scripted(fixtures.Reply{Fault: fixtures.FaultReset}))
	if err != nil {
		t.Fatal(err)
	}
	expectClose(true, "beside a reset of a connection")
	srv.ResetAll()
	expectClose(false, "after a reset of the server")
}

// A client that keeps connections alive gets none to keep from a test server.
func TestNoConnectionIsUsedTwice(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	for name, client := range map[string]*http.Client{
		"another client": {Transport: &http.Transport{}},
		"its own client": srv.Client(),
	} {
		response, _ := send(t, client, listRequest(t, srv, "alice"))
		if !response.Close {
			t.Errorf("%s was offered to keep its connection", name)
		}
	}
}

// Connections are used again as long as none of them is to break, or all are.
func TestConnectionsThatStayOpen(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		user fixtures.User
		once bool
	}{
		"without faults": {
			user: scripted(fixtures.Reply{Status: 503}, fixtures.Reply{Fault: "truncate"}),
			once: false,
		},
		"with one that never ends": {
			user: scripted(fixtures.Reply{Fault: "reset", Times: fixtures.Always}),
			once: false,
		},
		"with one that does": {scripted(fixtures.Reply{Fault: "reset"}), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := record(newHandler(t, fake.WithUser("broken", tt.user)), "whoever")
			if got := answer.Header().Get("Connection") == "close"; got != tt.once {
				t.Errorf("that an answer ends its connection is %v", got)
			}
		})
	}
}

// getAlice is the start of a request of alice, up to further headers.
const getAlice = "GET " + listPath + " HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer alice\r\n"

// A client that has gone away is noticed though nobody has read the body of its
// request.
func TestClientsWithBodiesThatDisappear(t *testing.T) {
	t.Parallel()
	users := map[string]fixtures.User{
		"hang":  faulty("hang"),
		"stall": faulty("stall"),
		"delay": {Delay: &fixtures.Delay{Fixed: time.Hour}},
	}
	for name, user := range users {
		for kind, request := range map[string]string{
			"a body":             "Content-Length: 4\r\n\r\nbody",
			"half a body":        "Content-Length: 8\r\n\r\nbody",
			"chunks":             "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
			"a body that waits":  "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n",
			"a body of megabyte": "Content-Length: 1000000\r\n\r\n" + strings.Repeat("x", 1000000),
			"no body":            "\r\n",
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				srv := fake.NewTestServer(t, fake.WithUser("alice", user))
				conn := dial(t, srv)
				io.WriteString(conn, getAlice+request)
				if err := srv.AwaitRequests(t.Context(), "alice", 1); err != nil {
					t.Fatal(err)
				}
				conn.Close()
				for !strings.Contains(srv.Requests("alice")[0].Reason, "the client went away") {
					runtime.Gosched() // for ever, if nobody notices
				}
			})
		}
	}
}

// A client that sends more than anybody reads, and wants the connection closed
// after the answer, gets the answer all the same.
func TestBodiesOnConnectionsThatAreClosed(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient())
	for request, status := range map[string]string{
		"GET " + listPath:              "401",
		"POST " + listPath:             "405",
		"POST /elsewhere":              "404",
		"PUT /_fake/users":             "400",
		"PUT /_fake/users?token=alice": "413",
		"POST /_fake/users":            "405",
	} {
		for _, length := range []int{9 << 20, 16 << 20} {
			t.Run(fmt.Sprintf("%s %d", request, length), func(t *testing.T) {
				t.Parallel()
				conn := dial(t, srv)
				go func() {
					fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n",
						request)
					fmt.Fprintf(conn, "Content-Length: %d\r\n\r\n", length)
					io.CopyN(conn, zeros{}, int64(length))
				}()
				answer, err := io.ReadAll(conn)
				if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 "+status) {
					t.Errorf("it is answered %.60q, %v; want %s", answer, err, status)
				}
			})
		}
	}
}

// zeros are as many zeros as are read.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
