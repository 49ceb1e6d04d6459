package serve_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fixtures"
)

// formatFaults returns the faults that fixtures can have.
func formatFaults(t *testing.T) []fixtures.Fault {
	t.Helper()
	var schema struct {
		Definitions struct {
			Fault struct{ Enum []fixtures.Fault }
		}
	}
	err := json.Unmarshal(fixtures.Schema(), &schema)
	if err != nil || len(schema.Definitions.Fault.Enum) == 0 {
		t.Fatalf("the schema has the faults %v, %v", schema.Definitions.Fault.Enum, err)
	}
	return schema.Definitions.Fault.Enum
}

// The journal has the same of a fault as the client has seen.
func TestFaultsInTheJournal(t *testing.T) {
	t.Parallel()
	const full = `{"campaigns":[{"id":"1"}]}`
	const half = `{"campaigns":`
	campaigns := []fixtures.Campaign{
		{ID: "1", Omit: []string{"name", "status", "created_at", "updated_at"}},
	}
	for name, tt := range map[string]struct {
		reply    fixtures.Reply
		method   string
		status   int
		body     string // the body that the client gets
		journal  string // the body in the journal
		isBroken bool
		reason   string
	}{
		"truncate": {
			fixtures.Reply{Fault: fixtures.FaultTruncate}, "GET",
			200, half, full, true, "scripted: truncate",
		},
		"truncate of nothing": {
			fixtures.Reply{Fault: fixtures.FaultTruncate, Body: ""}, "GET",
			200, "", "", true, "scripted: truncate, a body of its own",
		},
		"truncate of HEAD": {
			fixtures.Reply{Fault: fixtures.FaultTruncate}, "HEAD",
			200, "", full, false, "scripted: truncate; an answer to HEAD has no body to break",
		},
		"truncate without a body": {
			reply: fixtures.Reply{
				Fault:    fixtures.FaultTruncate,
				Response: fixtures.ResponseNotFound,
			},
			method:   "GET",
			status:   204,
			body:     "",
			journal:  "",
			isBroken: false,
			reason: "scripted: truncate, not_found; " +
				"an answer with status 204 has no body to break",
		},
		"stall": {
			fixtures.Reply{Fault: fixtures.FaultStall}, "GET",
			200, half, full, true,
			"scripted: stall; 13 of 26 bytes were sent, and then nothing until the " +
				"client went away",
		},
		"hang": {
			fixtures.Reply{Fault: fixtures.FaultHang}, "GET",
			0, "", "", false, "scripted: hang; nothing was sent until the client went away",
		},
		"bad_json": {
			fixtures.Reply{Fault: fixtures.FaultBadJSON}, "GET",
			200, half, half, true, "scripted: bad_json",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				noContent := fixtures.Responses{NotFound: fixtures.Response{Status: 204}}
				user := fixtures.User{Campaigns: campaigns, Replies: []fixtures.Reply{tt.reply}}
				h := newHandler(t,
					withUser("alice", user),
					withService(fixtures.Service{Responses: noContent}),
				)
				client := clientOf(t, h)
				client.Timeout = time.Minute
				response, err := get(t, client, tt.method, "alice")
				status, body := 0, ""
				if err == nil {
					status = response.StatusCode
					body, err = bodyOf(response)
				}
				breaksOff := status > 0 && err != nil
				isBrokenOff := tt.isBroken && tt.reply.Fault != fixtures.FaultBadJSON
				if breaksOff != isBrokenOff {
					t.Errorf("that the body breaks off is %t: %v", breaksOff, err)
				}
				synctest.Wait()
				if status != tt.status || body != tt.body {
					t.Errorf("the client receives %d %s, want %d %s",
						status, body, tt.status, tt.body)
				}
				got := h.Engine.Requests(engine.Scope{})[0].Request
				if got.Status != tt.status || got.Answer.Body != tt.journal ||
					got.Broken != tt.isBroken {
					t.Errorf("the journal has %d %s, broken %t; want %d %s, %t",
						got.Status, got.Answer.Body, got.Broken, tt.status, tt.journal, tt.isBroken)
				}
				if got.Reason != tt.reason {
					t.Errorf("the reason is\n%s\nwant\n%s", got.Reason, tt.reason)
				}
				if want := len(tt.body); got.Answer.Sent != want {
					t.Errorf("the journal says that %d bytes were sent, want %d",
						got.Answer.Sent, want)
				}
			})
		})
	}
}

// Over HTTP/2, which has one connection for many requests, a reset resets the request alone.
func TestResetOverHTTP2(t *testing.T) {
	t.Parallel()
	var tb recorder
	user := fixtures.User{Replies: []fixtures.Reply{{Fault: fixtures.FaultReset}}}
	server := httptest.NewUnstartedServer(newHandler(t, withTest(&tb), withUser("alice", user)))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+listPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = bearer("alice")
	_, err = server.Client().Do(r)
	if err == nil || !strings.Contains(err.Error(), "stream error") || tb.failures != nil {
		t.Errorf("the client gets %v, and the test fails with %q", err, tb.failures)
	}
}

// A fault that waits for the client to go away ends with the server, too.
func TestEndOfFaults(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		user := fixtures.User{Replies: []fixtures.Reply{{Fault: fixtures.FaultHang}}}
		h := newHandler(t, withUser("alice", user))
		aborted := make(chan any)
		go func() {
			defer func() { aborted <- recover() }()
			ask(h, "GET", listPath, bearer("alice"))
		}()
		synctest.Wait()
		if got := reasonOf(h); got != "scripted: hang" {
			t.Errorf("meanwhile the reason is %s", got)
		}
		h.Engine.Close()
		const want = "scripted: hang; nothing was sent until the server was closed"
		if p := <-aborted; p != http.ErrAbortHandler || reasonOf(h) != want {
			t.Errorf("it ends with %v, and the reason is %s, want %s", p, reasonOf(h), want)
		}
	})
}

// Each fault of the format has a function, which sends no whole list. With a fault that breaks the
// connection before an answer, each connection is used for one request, since clients silently
// repeat a request if its connection was used before.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, fault := range formatFaults(t) {
		synctest.Test(t, func(t *testing.T) {
			user := fixtures.User{Replies: []fixtures.Reply{{Fault: fault}}}
			h := newHandler(t, withUser("alice", user))
			usesOnce := h.Engine.Breaks()
			client := clientOf(t, h)
			client.Timeout = time.Minute
			start := time.Now()
			response, err := get(t, client, "GET", "alice")
			hasBroken := err != nil && time.Since(start) < client.Timeout
			if hasBroken != usesOnce {
				t.Errorf("that %s breaks the connection is %t, and that it is used once %t",
					fault, hasBroken, usesOnce)
			}
			body := ""
			if err == nil {
				body, err = bodyOf(response)
			}
			if err == nil && json.Valid([]byte(body)) {
				t.Errorf("with %s, the client receives JSON that is whole: %s", fault, body)
			}
			synctest.Wait()
			entry := h.Engine.Requests(engine.Scope{})[0].Request
			hasAnswer := entry.Status > 0
			if entry.Broken != hasAnswer {
				t.Errorf("with %s, the answer is said to be broken: %t", fault, entry.Broken)
			}
			if !entry.Complete || !strings.HasPrefix(entry.Reason, "scripted: "+string(fault)) {
				t.Errorf("the journal has %+v", entry)
			}
		})
	}
}

// If a wrapper of the http.ResponseWriter cannot deliver a fault, a strict test fails, and the
// journal says that nothing was sent.
func TestUndeliveredFaults(t *testing.T) {
	t.Parallel()
	type wrapper struct{ http.ResponseWriter } // this wrapper has no method Unwrap
	const noFlush = "; not delivered, since the http.ResponseWriter cannot be flushed, " +
		"so the connection is closed, and nothing is sent"
	for fault, want := range map[fixtures.Fault]string{
		fixtures.FaultTruncate: noFlush,
		fixtures.FaultStall:    noFlush,
		fixtures.FaultReset: "; not delivered, since the http.ResponseWriter cannot be hijacked, " +
			"so the connection is closed, and not reset",
	} {
		synctest.Test(t, func(t *testing.T) {
			var tb recorder
			var log bytes.Buffer
			user := fixtures.User{
				Generate: &fixtures.Generate{Count: 500}, // larger than net/http's buffer
				Replies:  []fixtures.Reply{{Fault: fault}},
			}
			h := newHandler(t, withTest(&tb), withUser("alice", user), withLog(&log))
			client := clientOf(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				h.ServeHTTP(wrapper{w}, r)
			}))
			client.Timeout = time.Minute
			_, err := get(t, client, "GET", "alice")
			synctest.Wait()
			isTold := len(tb.failures) == 1 && strings.Contains(log.String(), "level=WARN")
			if err == nil || !isTold {
				t.Errorf("%s: the client gets %v, the test fails with %q, and the log is %s",
					fault, err, tb.failures, &log)
			}
			entry := h.Engine.Requests(engine.Scope{})[0].Request
			isNothing := entry.Status == 0 && entry.Answer.Sent == 0 && !entry.Broken
			if !isNothing || !strings.HasSuffix(entry.Reason, want) {
				t.Errorf("the journal has %+v, want %s", entry, want)
			}
		})
	}
}

// A page in place of JSON has the type of HTML, unless the reply sets another type. HEAD gets the
// same headers, and no fault.
func TestWrongType(t *testing.T) {
	t.Parallel()
	for want, headers := range map[string]map[string][]string{
		"text/html; charset=utf-8": nil,
		"text/x":                   {"content-TYPE": {"text/x"}},
	} {
		for method, isBroken := range map[string]bool{"GET": true, "HEAD": false} {
			h := newHandler(t, withUser("alice", fixtures.User{
				Replies: []fixtures.Reply{{Fault: fixtures.FaultWrongType, Headers: headers}},
			}))
			w := ask(h, method, listPath, bearer("alice"))
			isPage := strings.HasPrefix(w.Body.String(), "<!DOCTYPE html>")
			if got := w.Header().Get("Content-Type"); got != want || isPage != isBroken {
				t.Errorf("%s is answered with %s: %s, want %s", method, got, w.Body, want)
			}
			if entry := h.Engine.Requests(engine.Scope{})[0].Request; entry.Broken != isBroken {
				t.Errorf("that %s is broken is %t", method, entry.Broken)
			}
		}
	}
}
