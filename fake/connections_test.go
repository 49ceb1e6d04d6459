package fake_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

// Go's client, as browsers do, repeats a request whose connection breaks that it
// has used before. It sees one reset all the same, whatever it sent before.
func TestBreaksAreSeenOnce(t *testing.T) {
	t.Parallel()
	preflight := func(r *http.Request) {
		r.Method = "OPTIONS"
		r.Header = http.Header{"Origin": {"http://a.test"}, "Access-Control-Request-Method": {"GET"}}
	}
	for _, fault := range []string{"reset", "close"} {
		given := fake.WithUser("alice", fake.User{Replies: []fake.Reply{{Fault: fake.Fault(fault)}, {Status: 500}}})
		for name, tt := range map[string]struct {
			options []fake.Option
			before  func(r *http.Request)
			act     func(srv *fake.Server) error
		}{
			"after a preflight":   {[]fake.Option{given}, preflight, nil},
			"after another token": {[]fake.Option{given}, func(r *http.Request) { r.Header = bearer("bob") }, nil},
			"after another path":  {[]fake.Option{given}, func(r *http.Request) { r.URL.Path = "/elsewhere" }, nil},
			"after having been enqueued": {[]fake.Option{fake.WithUser("alice", fake.User{})}, func(r *http.Request) { r.Header = bearer("alice") }, func(srv *fake.Server) error {
				return srv.Enqueue("alice", fake.Reply{Fault: fake.Fault(fault)}, fake.Reply{Status: 500})
			}},
			"after SetUser": {[]fake.Option{fake.WithUser("alice", fake.User{})}, func(r *http.Request) { r.Header = bearer("alice") }, func(srv *fake.Server) error {
				return srv.SetUser("alice", fake.User{Replies: []fake.Reply{{Fault: fake.Fault(fault)}, {Status: 500}}})
			}},
		} {
			t.Run(fault+" "+name, func(t *testing.T) {
				t.Parallel()
				srv, err := fake.New(tt.options...)
				if err != nil {
					t.Fatal(err)
				}
				listener, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					t.Fatal(err)
				}
				go srv.Serve(listener)
				defer srv.Close()
				client := &http.Client{Transport: &http.Transport{}}
				send := func(change func(r *http.Request)) (int, error) {
					r, err := http.NewRequest("GET", "http://"+listener.Addr().String()+listPath, nil)
					if err != nil {
						t.Fatal(err)
					}
					change(r)
					response, err := client.Do(r)
					if err != nil {
						return 0, err
					}
					defer response.Body.Close()
					_, err = io.Copy(io.Discard, response.Body)
					return response.StatusCode, err
				}
				if _, err := send(tt.before); err != nil {
					t.Fatal(err)
				}
				if tt.act != nil {
					if err := tt.act(srv); err != nil {
						t.Fatal(err)
					}
				}
				alice := func(r *http.Request) { r.Header = bearer("alice") }
				if status, err := send(alice); err == nil {
					t.Errorf("the fault goes unseen, behind a status of %d", status)
				}
				if status, err := send(alice); status != 500 {
					t.Errorf("what comes after the fault is %d, %v, want 500", status, err)
				}
			})
		}
	}
}

// Connections are used again as long as none of them is to break, or all are.
func TestConnectionsThatStayOpen(t *testing.T) {
	t.Parallel()
	always := fake.User{Replies: []fake.Reply{{Fault: "reset", Times: fake.Always}}}
	for name, tt := range map[string]struct {
		option fake.Option
		once   bool
	}{
		"without faults":           {fake.WithUser("alice", fake.User{Replies: []fake.Reply{{Status: 503}, {Fault: "truncate"}}}), false},
		"with one that never ends": {fake.WithUser("broken", always), false},
		"with one that does":       {fake.WithUser("broken", fake.User{Replies: []fake.Reply{{Fault: "reset"}}}), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler, err := fake.New(tt.option)
			if err != nil {
				t.Fatal(err)
			}
			if got := record(handler, "whoever").Header().Get("Connection") == "close"; got != tt.once {
				t.Errorf("that an answer ends its connection is %v", got)
			}
		})
	}
}

// Once a server was given what breaks some connections it uses each of them once,
// whatever has become of that, until everything is reset.
func TestConnectionsAreUsedOnceUntilAReset(t *testing.T) {
	t.Parallel()
	type change func(srv *fake.Server, read *folder) error
	breaking := fake.User{Replies: []fake.Reply{{Fault: "close"}}}
	enqueue := func(srv *fake.Server, _ *folder) error { return srv.Enqueue("alice", breaking.Replies...) }
	set := func(u fake.User) change {
		return func(srv *fake.Server, _ *folder) error { return srv.SetUser("alice", u) }
	}
	reload := func(text string) change {
		return func(srv *fake.Server, read *folder) error {
			read.write("users.yaml", text)
			return srv.Reload()
		}
	}
	for name, tt := range map[string]struct{ give, end change }{
		"it was played": {enqueue, func(srv *fake.Server, _ *folder) error {
			defer func() { recover() }() // as net/http does, when a handler gives a connection up
			record(srv, "alice")
			return nil
		}},
		"the user is another":    {set(breaking), set(fake.User{})},
		"the user is gone":       {set(breaking), func(srv *fake.Server, _ *folder) error { return srv.RemoveUser("alice") }},
		"the token was reset":    {enqueue, func(srv *fake.Server, _ *folder) error { srv.Reset("alice"); return nil }},
		"the files were changed": {reload("users: {bob: {replies: [{fault: close}]}}"), reload("users: {}")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read := files("users: {}")
			srv, err := fake.New(fake.WithFixtures(read), fake.WithUser("alice", fake.User{}), fake.WithUser("other", fake.User{}))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(srv.Close)
			for i, step := range []struct {
				do   change
				once bool
			}{
				{func(*fake.Server, *folder) error { return nil }, false},
				{tt.give, true},
				{tt.end, true},
				{func(srv *fake.Server, _ *folder) error { srv.ResetAll(); return nil }, false},
			} {
				if err := step.do(srv, read); err != nil {
					t.Fatal(err)
				}
				if got := record(srv, "other").Header().Get("Connection") == "close"; got != step.once {
					t.Errorf("after step %d, that an answer ends its connection is %v", i, got)
				}
			}
		})
	}
}

// A client that has gone away is noticed though nobody has read the body of its
// request.
func TestClientsWithBodiesThatDisappear(t *testing.T) {
	t.Parallel()
	users := map[string]fake.User{
		"hang": faulty("hang"), "stall": faulty("stall"), "delay": {Delay: &fake.Delay{Fixed: time.Hour}},
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
				conn := dial(t, srv.BaseURL())
				fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer alice\r\n%s", listPath, request)
				if err := srv.AwaitRequests(t.Context(), "alice", 1); err != nil {
					t.Fatal(err)
				}
				conn.Close()
				for ctx := t.Context(); ; {
					if reason := srv.Requests("alice")[0].Reason; strings.Contains(reason, "the client went away") {
						break
					}
					if ctx.Err() != nil {
						t.Fatal("nobody notices")
					}
				}
			})
		}
	}
}

// A body is no reason to take the client for gone, on a connection that is kept:
// the server closes the body of a request when it sends the headers.
func TestBodiesOnConnectionsThatAreKept(t *testing.T) {
	t.Parallel()
	handler, err := fake.New(
		fake.WithUser("delay", fake.User{Replies: []fake.Reply{{Body: "0123456789", Delay: &fake.Delay{Fixed: time.Millisecond}, Times: fake.Always}}}))
	if err != nil {
		t.Fatal(err)
	}
	outer := httptest.NewServer(http.MaxBytesHandler(handler, 3))
	defer outer.Close()
	for _, token := range []string{"delay"} {
		for _, body := range []string{"", "x", "more than three"} {
			r, err := http.NewRequest("GET", outer.URL+listPath, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header = bearer(token)
			response, err := outer.Client().Do(r)
			if err != nil {
				t.Fatalf("%s, with the body %q: %v", token, body, err)
			}
			got, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil || string(got) != "0123456789" {
				t.Errorf("%s, with the body %q, is answered %q, %v", token, body, got, err)
			}
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
		for _, length := range []int{9 << 20, 40 << 20} {
			t.Run(fmt.Sprintf("%s %d", request, length), func(t *testing.T) {
				t.Parallel()
				conn := dial(t, srv.BaseURL())
				go func() {
					fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n", request, length)
					io.CopyN(conn, zeros{}, int64(length))
				}()
				if answer, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 "+status) {
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

// The body of a request that came over no connection is left alone.
func TestBodiesOfARecorder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler, err := fake.New(fake.WithUser("alice", fake.User{Delay: &fake.Delay{Fixed: time.Hour}}))
		if err != nil {
			t.Fatal(err)
		}
		body, writer := io.Pipe()
		defer writer.Close()
		r := httptest.NewRequest("GET", listPath, body)
		r.Header = bearer("alice")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != 200 {
			t.Errorf("the answer is %d", w.Code)
		}
	})
}

// Close returns though the server is another's, and a client neither reads nor
// writes what it should.
func TestCloseWhileAClientIsSilent(t *testing.T) {
	t.Parallel()
	get := "GET " + listPath + " HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer alice\r\n"
	for name, sent := range map[string]string{
		"half a body":   get + "Content-Length: 100\r\n\r\nhalf",
		"many requests": strings.Repeat(get+"\r\n", 3000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler, err := fake.New(fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 100}}))
			if err != nil {
				t.Fatal(err)
			}
			outer := httptest.NewServer(handler)
			defer outer.Close()
			conn := dial(t, outer.URL)
			defer conn.Close()
			go io.WriteString(conn, sent)
			if err := handler.AwaitRequests(t.Context(), "alice", 1); err != nil {
				t.Fatal(err)
			}
			handler.Close()
		})
	}
}

// Close returns though the server is another's, and a client does not read.
func TestCloseInsideAnotherServer(t *testing.T) {
	t.Parallel()
	for name, user := range map[string]fake.User{
		"a normal answer": {Generate: &fake.Generate{Count: 100_000}},
		"a stall":         {Generate: &fake.Generate{Count: 100_000}, Replies: []fake.Reply{{Fault: "stall"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler, err := fake.New(fake.WithUser("alice", user))
			if err != nil {
				t.Fatal(err)
			}
			outer := httptest.NewServer(handler)
			defer outer.Close()
			conn := dial(t, outer.URL)
			defer conn.Close()
			fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer alice\r\n\r\n", listPath)
			if _, err := bufio.NewReader(conn).ReadByte(); err != nil { // the answer has begun
				t.Fatal(err)
			}
			handler.Close()
		})
	}
}

// An enqueued reply is played once, though the user is replaced while the request
// is on its way.
func TestSetUserWhileRequestsArrive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil), fake.WithUser("alice", fake.User{}))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		changed := make(chan struct{})
		go func() {
			defer close(changed)
			for ctx.Err() == nil {
				if err := srv.SetUser("alice", fake.User{Delay: &fake.Delay{Fixed: time.Nanosecond}}); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Nanosecond)
			}
		}()
		const each, clients = 100, 8
		played := make(chan int)
		for range clients {
			go func() {
				count := 0
				for range each {
					if err := srv.Enqueue("alice", fake.Reply{Status: 503}); err != nil {
						t.Error(err)
					}
					for range 2 {
						if response, _ := ask(t, srv, "GET", listPath, bearer("alice")); response.StatusCode == 503 {
							count++
						}
					}
				}
				played <- count
			}()
		}
		sum := 0
		for range clients {
			sum += <-played
		}
		cancel()
		<-changed
		if sum != each*clients {
			t.Errorf("%d replies were played, of %d", sum, each*clients)
		}
	})
}

// A test server uses each connection for one answer, whichever client asks, and
// whatever has been played before.
func TestServersForTestsUseEachConnectionOnce(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]fake.Option{
		"without TLS": nil,
		"with TLS":    {fake.WithTLS()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, append(options, fake.WithUser("alice", fake.User{Replies: []fake.Reply{{Fault: "close"}}}))...)
			own := &http.Transport{TLSClientConfig: srv.Client().Transport.(*http.Transport).TLSClientConfig.Clone()}
			defer own.CloseIdleConnections()
			client := &http.Client{Transport: own}

			const requests = 10
			read := make(map[net.Conn]int) // answers, by their connections
			for i := range requests {
				var conn net.Conn // the one that the request was sent on last
				ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) { conn = got.Conn }})
				r, err := http.NewRequestWithContext(ctx, "GET", srv.BaseURL()+"/user/campaigns", nil)
				if err != nil {
					t.Fatal(err)
				}
				r.Header = bearer("alice")
				response, err := client.Do(r)
				if i == 0 { // the fault
					if err == nil {
						t.Errorf("the fault is not seen behind status %d", response.StatusCode)
						response.Body.Close()
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, response.Body); err != nil {
					t.Error(err)
				}
				response.Body.Close()
				read[conn]++
			}
			if again := requests - 1 - len(read); again != 0 {
				t.Errorf("%d of %d answers came on a connection that had been used for another", again, requests-1)
			}
			srv.CheckRequests(t, "alice", requests)
		})
	}
}
