package fake_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Go's client and browsers silently repeat a request if its connection breaks and was used before.
// Nevertheless a client sees each break once, whatever it sent before. While no reply breaks
// connections, it keeps its connections.
func TestBreaksAreSeenOnce(t *testing.T) {
	t.Parallel()
	for _, fault := range []fixtures.Fault{fixtures.FaultReset, fixtures.FaultClose} {
		for name, before := range map[string]func(t *testing.T, client *http.Client, srv *fake.Server){
			"after a preflight": func(t *testing.T, client *http.Client, srv *fake.Server) {
				srv.Enqueue("alice", fixtures.Reply{Fault: fault})
				send(t, client, newRequest(t, "OPTIONS", rootOf(srv)+listPath, preflight(page)))
			},
			"after having been enqueued": func(t *testing.T, client *http.Client, srv *fake.Server) {
				for range 2 {
					response, _ := send(t, client, listRequest(t, srv, "alice"))
					if response.Close {
						t.Error("an answer ends its connection, though nothing is to break")
					}
				}
				srv.Enqueue("alice", fixtures.Reply{Fault: fault})
			},
		} {
			t.Run(fmt.Sprint(fault, " ", name), func(t *testing.T) {
				t.Parallel()
				srv := listening(t, fake.WithUser("alice", fixtures.User{}))
				client := &http.Client{Transport: &http.Transport{}}
				before(t, client, srv)
				if response, err := client.Do(listRequest(t, srv, "alice")); err == nil {
					t.Errorf("the fault goes unseen, behind %s", response.Status)
				}
				srv.ResetAll()
				if response, _ := send(t, client, listRequest(t, srv, "alice")); response.Close {
					t.Error("after a reset of the server, an answer ends its connection")
				}
			})
		}
	}
}

// A client that keeps connections alive cannot use a connection to a test server twice.
func TestNoConnectionIsUsedTwice(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	client := &http.Client{Transport: &http.Transport{}}
	if response, _ := send(t, client, listRequest(t, srv, "alice")); !response.Close {
		t.Error("a client was offered to keep its connection")
	}
}

// getAlice is the start of a request of alice, up to further headers.
const getAlice = "GET " + listPath + " HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer alice\r\n"

// A client that sends a longer body than the server reads, with Connection: close, still gets the
// answer.
func TestBodiesOnConnectionsThatAreClosed(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient())
	for request, status := range map[string]string{
		"GET " + listPath:              "401",
		"PUT /_fake/users":             "400",
		"PUT /_fake/users?token=alice": "413",
	} {
		t.Run(request, func(t *testing.T) {
			t.Parallel()
			const length = 9 << 20
			conn := dial(t, srv)
			defer conn.Close()
			go func() {
				fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"+
					"Content-Length: %d\r\n\r\n", request, length)
				io.CopyN(conn, zeros{}, length)
			}()
			answer, err := io.ReadAll(conn)
			if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 "+status) {
				t.Errorf("it is answered %.60q, %v; want %s", answer, err, status)
			}
		})
	}
}

// zeros is an endless reader of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
