package fake_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"example.com/campaignfake/fake"
)

// faulty is a user whose answers all have the fault.
func faulty(fault string) fake.User {
	return fake.User{
		Campaigns: []fake.Campaign{spring, spring},
		Replies:   []fake.Reply{{Fault: fake.Fault(fault), Times: fake.Always}},
	}
}

// received returns all that the server sends on a connection, and how it ends.
func received(t *testing.T, srv *fake.Server, token string) ([]byte, error) {
	t.Helper()
	conn := dial(t, srv.BaseURL())
	defer conn.Close()
	go func() { // which fails if the connection is reset
		const body = 200 << 10 // more than the server reads beside the header
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", listPath, token, body, strings.Repeat("x", body))
	}()
	return io.ReadAll(conn)
}

// Each fault is what it is called on the wire. The requests have bodies, which
// nobody reads: that does not make a reset of a plain end.
func TestFaultsOnTheWire(t *testing.T) {
	t.Parallel()
	type seen struct {
		head, body []byte
		err        error
	}
	full := `{"campaigns":[` + strings.Repeat(`,{"id":"1","name":"Spring <launch> & more","created_at":"2026-01-05T09:30:00Z","updated_at":"2026-01-06T09:30:00Z","status":"active"}`, 2)[1:] + `]}`
	for fault, check := range map[string]func(s seen) bool{
		"reset": func(s seen) bool { return len(s.head) == 0 && errors.Is(s.err, syscall.ECONNRESET) },
		"close": func(s seen) bool { return len(s.head) == 0 && s.err == nil },
		"truncate": func(s seen) bool {
			cut := string(s.body)
			inValue := strings.Count(cut, `"`)%2 == 1 && strings.LastIndex(cut, `"`) == strings.LastIndex(cut, `:"`)+1
			return s.err == nil && strings.Contains(string(s.head), fmt.Sprintf("Content-Length: %d\r\n", len(full))) &&
				strings.HasPrefix(full, cut) && len(cut) > len(full)/3 && len(cut) < len(full)*2/3 && inValue && cut[len(cut)-1] != '"'
		},
		"bad_json": func(s seen) bool {
			return s.err == nil && strings.Contains(string(s.head), "200 OK") && strings.HasPrefix(full, string(s.body)) && !json.Valid(s.body) &&
				strings.Contains(string(s.head), fmt.Sprintf("Content-Length: %d\r\n", len(s.body)))
		},
		"wrong_type": func(s seen) bool {
			return s.err == nil && strings.Contains(string(s.head), "200 OK") && strings.Contains(string(s.head), "Content-Type: text/html") &&
				strings.HasPrefix(string(s.body), "<!DOCTYPE html>") && strings.HasSuffix(string(s.body), "</html>\n")
		},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, fake.WithUser("alice", faulty(fault)))
			got, err := received(t, srv, "alice")
			head, body, _ := bytes.Cut(got, []byte("\r\n\r\n"))
			if !check(seen{head, body, err}) {
				t.Errorf("the client receives %q, %v", got, err)
			}
			r := srv.Requests("alice")[0]
			wantStatus := 200
			if fault == "reset" || fault == "close" {
				wantStatus = 0
			}
			if want := "scripted: " + fault + " (always)"; r.Status != wantStatus || r.Reason != want {
				t.Errorf("the journal has %d, %q; want %d, %q", r.Status, r.Reason, wantStatus, want)
			}
		})
	}
}

// What is cut off is cut between characters, and something is missing of every
// body.
func TestWhereBodiesAreCut(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]fake.Reply{
		"a long name":       {Campaigns: []fake.Campaign{{Name: strings.Repeat("é", 500)}}},
		"a longer one":      {Campaigns: []fake.Campaign{{Name: "x" + strings.Repeat("漢", 500)}}},
		"no campaigns":      {},
		"a text":            {Body: "no JSON"},
		"a character":       {Body: "x"},
		"nothing":           {Body: ""},
		"quotes":            {Body: map[string]any{"a": strings.Repeat(`"\`, 99)}},
		"a problem":         {Status: 500},
		"a number":          {Body: 1234567890},
		"an unclosed quote": {Body: `{"a":"b`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reply.Times = fake.Always
			reply.Fault = "truncate"
			srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{Replies: []fake.Reply{reply}}))
			r, _ := http.NewRequest("GET", srv.BaseURL()+"/user/campaigns", nil)
			r.Header = bearer("alice")
			response, err := srv.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if !errors.Is(err, io.ErrUnexpectedEOF) || int64(len(body)) >= response.ContentLength || !utf8.Valid(body) {
				t.Errorf("%q of %d bytes came, with %v", body, response.ContentLength, err)
			}
		})
	}
}

// Close does not wait for clients that do not read.
func TestCloseEndsWritesThatNobodyReads(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"", "truncate", "bad_json"} {
		t.Run("fault "+fault, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{
				Generate: &fake.Generate{Count: 100_000}, Replies: []fake.Reply{{Fault: fake.Fault(fault), Times: fake.Always}},
			}))
			conn := dial(t, srv.BaseURL())
			defer conn.Close()
			fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer alice\r\n\r\n", listPath)
			if _, err := conn.Read(make([]byte, 1)); err != nil { // the answer has begun
				t.Fatal(err)
			}
			srv.Close()
		})
	}
}

// What happens to an answer after Reset is not told of a request that came later.
func TestResetWhileABodyStalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", faulty("stall")), fake.WithUser("bob", fake.User{}))
		r, _ := http.NewRequest("GET", srv.BaseURL()+"/user/campaigns", nil)
		r.Header = bearer("alice")
		response, err := srv.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		srv.ResetAll()
		ask(t, srv, "GET", listPath, bearer("bob"))
		response.Body.Close()
		synctest.Wait()
		if got, want := srv.Requests()[0].Reason, "0 campaigns"; got != want {
			t.Errorf("the reason is %q, want %q", got, want)
		}
	})
}

// What never ends is measured on a clock that only goes on when all wait.
func TestFaultsThatNeverEnd(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"hang", "stall"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", faulty(fault)))
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				r, _ := http.NewRequestWithContext(ctx, "GET", srv.BaseURL()+"/user/campaigns", nil)
				r.Header = bearer("alice")
				begin := time.Now()
				response, err := srv.Client().Do(r)
				var body []byte
				if fault == "stall" {
					if err != nil {
						t.Fatal(err)
					}
					body, err = io.ReadAll(response.Body)
					if int64(len(body)) < response.ContentLength/3 || int64(len(body)) > response.ContentLength*2/3 {
						t.Errorf("%d bytes of %d came", len(body), response.ContentLength)
					}
				}
				if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Hour {
					t.Errorf("after %s, the client has %q, %v", time.Since(begin), body, err)
				}
				synctest.Wait()
				if reason := srv.Requests("alice")[0].Reason; fault == "hang" && !strings.HasSuffix(reason, "; nothing was sent until the client went away") {
					t.Errorf("the reason is %q", reason)
				}
			})
		})
	}
}

// While nothing has been answered, the journal says what is going on.
func TestJournalWhileNothingIsAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", faulty("hang")), fake.WithUser("bob", fake.User{Delay: &fake.Delay{Fixed: time.Hour}}))
		for _, token := range []string{"alice", "bob"} {
			go func() {
				r, _ := http.NewRequest("GET", srv.BaseURL()+"/user/campaigns", nil)
				r.Header = bearer(token)
				if _, err := srv.Client().Do(r); err == nil {
					t.Errorf("%s has an answer", token)
				}
			}()
		}
		synctest.Wait()
		for token, want := range map[string]string{
			"alice": "scripted: hang (always)",
			"bob":   "0 campaigns; delayed 1h",
		} {
			if r := srv.Requests(token)[0]; r.Status != 0 || r.Reason != want {
				t.Errorf("meanwhile, the journal has %d, %q; want 0, %q", r.Status, r.Reason, want)
			}
		}
		srv.Close() // ends both
		for token, want := range map[string]string{
			"alice": "; nothing was sent until the server was closed",
			"bob":   "; the server was closed before that",
		} {
			if r := srv.Requests(token)[0]; r.Status != 0 || !strings.HasSuffix(r.Reason, want) {
				t.Errorf("at the end, the journal has %d, %q; want 0, %q at its end", r.Status, r.Reason, want)
			}
		}
		synctest.Wait()
	})
}

// Of a body that was cut short the journal tells how much was sent, and why not
// more.
func TestBodiesThatAreCutShort(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		user  fake.User
		close bool // the server; otherwise the client goes away
		want  string
	}{
		"that stalls, by the client": {faulty("stall"), false, " of 281 bytes were sent, and then nothing until the client went away"},
		"that stalls, by the server": {faulty("stall"), true, " of 281 bytes were sent, and then nothing until the server was closed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var log strings.Builder
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", tt.user), fake.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
				ctx, cancel := context.WithTimeout(t.Context(), 2520*time.Millisecond)
				defer cancel()
				if tt.close {
					time.AfterFunc(2510*time.Millisecond, srv.Close)
				}
				r, _ := http.NewRequestWithContext(ctx, "GET", srv.BaseURL()+"/user/campaigns", nil)
				r.Header = bearer("alice")
				response, err := srv.Client().Do(r)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, response.Body); err == nil {
					t.Error("the whole body came")
				}
				response.Body.Close()
				synctest.Wait()
				got := srv.Requests("alice")[0]
				if got.Status != 200 || !strings.HasSuffix(got.Reason, tt.want) {
					t.Errorf("the journal has %d, %q; want %q at its end", got.Status, got.Reason, tt.want)
				}
				if !strings.Contains(got.Reason, fmt.Sprintf("; %d ", got.Answer.Sent)) || len(got.Answer.Body) != got.Answer.Bytes {
					t.Errorf("the journal has %d bytes as sent, and %d of %d as the body", got.Answer.Sent, len(got.Answer.Body), got.Answer.Bytes)
				}
				if !strings.Contains(log.String(), tt.want+`"`) {
					t.Errorf("the log lacks %q: %s", tt.want, log.String())
				}
			})
		})
	}
}

// The same holds for an answer that a client does not read to its end.
func TestBodiesThatAreNotRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 10_000}}))
		r, _ := http.NewRequest("GET", srv.BaseURL()+"/user/campaigns", nil)
		r.Header = bearer("alice")
		response, err := srv.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		synctest.Wait()
		got := srv.Requests("alice")[0]
		want := fmt.Sprintf("; %d of %d bytes were sent before the client went away", got.Answer.Sent, got.Answer.Bytes)
		if got.Status != 200 || !strings.HasSuffix(got.Reason, want) || got.Answer.Sent >= got.Answer.Bytes {
			t.Errorf("the journal has %d, %q; want %q at its end", got.Status, got.Reason, want)
		}
	})
}

// A thousand clients that disappear in the middle of a fault leave nothing
// behind: their requests are over, and the bubble fails the test if a goroutine
// is still there at its end.
func TestClientsThatDisappear(t *testing.T) {
	t.Parallel()
	users := map[string]fake.User{
		"hang": faulty("hang"), "stall": faulty("stall"), "truncate": faulty("truncate"),
		"delay": {Delay: &fake.Delay{Fixed: time.Hour}},
	}
	for name, user := range users {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", user), fake.WithLogger(nil))
				const clients = 1000
				var all sync.WaitGroup
				for i := range clients {
					all.Go(func() {
						ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+i%100)*100*time.Millisecond)
						defer cancel()
						r, _ := http.NewRequestWithContext(ctx, "GET", srv.BaseURL()+"/user/campaigns", nil)
						r.Header = bearer("alice")
						response, err := srv.Client().Do(r)
						if err != nil {
							return
						}
						io.CopyN(io.Discard, response.Body, int64(i%50))
						<-ctx.Done()
						response.Body.Close()
					})
				}
				all.Wait()
				synctest.Wait()
				// They are over before the server is closed, which would end them.
				over := map[string]string{
					"hang": "; nothing was sent until the client went away", "delay": "; the client went away before that",
					"stall": ", and then nothing until the client went away",
				}[name]
				requests := srv.Requests("alice")
				for _, r := range requests {
					if !strings.HasSuffix(r.Reason, over) {
						t.Fatalf("a request is not over: %s", r.Reason)
					}
				}
				if len(requests) != clients {
					t.Errorf("%d requests have arrived, want %d", len(requests), clients)
				}
			})
		})
	}
}

// HEAD has no body that could be broken, and the other faults all the same.
func TestFaultsOfHEAD(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"truncate", "stall", "bad_json", "wrong_type"} {
		srv := fake.NewTestServer(t, fake.WithUser("alice", faulty(fault)))
		response, body := ask(t, srv, "HEAD", listPath, bearer("alice"))
		if response.StatusCode != 200 || body != "" || response.ContentLength < 1 {
			t.Errorf("%s: HEAD is answered %d, length %d, %q", fault, response.StatusCode, response.ContentLength, body)
		}
		if reason := srv.Requests()[0].Reason; strings.HasSuffix(reason, "; an answer to HEAD has no body to break") != (fault != "wrong_type") {
			t.Errorf("%s: the reason is %q", fault, reason)
		}
	}
	srv := fake.NewTestServer(t, fake.WithUser("alice", faulty("close")))
	r, _ := http.NewRequest("HEAD", srv.BaseURL()+"/user/campaigns", nil)
	r.Header = bearer("alice")
	if response, err := srv.Client().Do(r); err == nil {
		t.Errorf("HEAD is answered %d in spite of close", response.StatusCode)
	}
}

// A recorder has no connection: what breaks a connection aborts the handler.
func TestFaultsOnARecorder(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"reset", "close", "truncate", "stall", "hang"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			handler, err := fake.New(fake.WithUser("alice", faulty(fault)))
			if err != nil {
				t.Fatal(err)
			}
			defer handler.Close()
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // nobody waits for the end of what does not end
			r := httptest.NewRequestWithContext(ctx, "GET", listPath, nil)
			r.Header = bearer("alice")
			w := httptest.NewRecorder()
			defer func() {
				if p := recover(); p != http.ErrAbortHandler {
					t.Errorf("the handler panics with %v", p)
				}
				partly := fault == "truncate" || fault == "stall"
				if partly == (w.Body.Len() == 0) {
					t.Errorf("%d bytes were written", w.Body.Len())
				}
			}()
			handler.ServeHTTP(w, r)
			t.Error("the handler returns")
		})
	}
}

// A delay that is given up leaves an answer where there is no connection to
// close.
func TestDelayOnARecorder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler, err := fake.New(fake.WithUser("alice", fake.User{Delay: &fake.Delay{Fixed: time.Hour}}))
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("GET", listPath, nil)
		r.Header = bearer("alice")
		w := httptest.NewRecorder()
		done := make(chan struct{})
		go func() {
			defer close(done)
			handler.ServeHTTP(w, r)
		}()
		synctest.Wait()
		handler.Close()
		<-done
		if w.Code != 503 || handler.Requests()[0].Status != 503 {
			t.Errorf("the answer is %d", w.Code)
		}
	})
}

// secured serves the handler over TLS.
func secured(t *testing.T, fault string) *httptest.Server {
	t.Helper()
	handler, err := fake.New(fake.WithUser("alice", faulty(fault)))
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewUnstartedServer(handler)
	srv.StartTLS()
	t.Cleanup(func() {
		handler.Close() // first, since it ends what hangs
		srv.Close()
	})
	return srv
}

// Over TLS a reset has no goodbye, and an end has one.
func TestFaultsOverTLS(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]func(err error) bool{
		"reset":    func(err error) bool { return errors.Is(err, syscall.ECONNRESET) },
		"close":    func(err error) bool { return errors.Is(err, io.EOF) },
		"truncate": func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) },
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			srv := secured(t, fault)
			if err := fetchAll(t, srv); err == nil || !want(err) {
				t.Errorf("the client has %v", err)
			}
		})
	}
}

// fetchAll returns what goes wrong while alice's campaigns are fetched.
func fetchAll(t *testing.T, srv *httptest.Server) error {
	t.Helper()
	r, _ := http.NewRequest("GET", srv.URL+listPath, nil)
	r.Header = bearer("alice")
	response, err := srv.Client().Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.ReadAll(response.Body)
	return err
}
