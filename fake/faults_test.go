package fake_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// faulty is a user whose answers all have the fault.
func faulty(fault string) fixtures.User {
	return fixtures.User{
		Campaigns: []fixtures.Campaign{spring, spring},
		Replies:   []fixtures.Reply{{Fault: fixtures.Fault(fault), Times: fixtures.Always}},
	}
}

// received sends a request with a body, and returns all that the server sends on the connection,
// and how it ends.
func received(t *testing.T, srv *fake.Server, token string, body int) ([]byte, error) {
	t.Helper()
	conn := dial(t, srv)
	defer conn.Close()
	go func() { // which fails if the connection is reset
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", listPath, token, body, strings.Repeat("x", body))
	}()
	return io.ReadAll(conn)
}

// Each fault is what it is called on the wire. The requests have bodies, which nobody reads: that
// does not make a reset of a plain end. That of a reset has none, which is reset all the same.
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
			body := 200 << 10 // more than the server reads beside the header
			if fault == "reset" {
				body = 0
			}
			got, err := received(t, srv, "alice", body)
			head, rest, _ := bytes.Cut(got, []byte("\r\n\r\n"))
			if !check(seen{head, rest, err}) {
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
				begin := time.Now()
				response, err := srv.Client().Do(listRequest(t, srv, "alice").WithContext(ctx))
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
	if response, err := srv.Client().Do(newRequest(t, "HEAD", rootOf(srv)+listPath, bearer("alice"))); err == nil {
		t.Errorf("HEAD is answered %d in spite of close", response.StatusCode)
	}
}
