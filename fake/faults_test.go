package fake_test

import (
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
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer %s\r\n",
			listPath, token)
		fmt.Fprintf(conn, "Content-Length: %d\r\n\r\n%s", body, strings.Repeat("x", body))
	}()
	return io.ReadAll(conn)
}

// A seen is what a client sees of an answer: its head, its body, and how the connection ends.
type seen struct {
	head, body string
	err        error
}

// declares reports whether the head has a length.
func (s seen) declares(length int) bool {
	return strings.Contains(s.head, fmt.Sprintf("Content-Length: %d\r\n", length))
}

// isMiddleOf reports whether the body is the start of the full one, cut around its middle and
// within a value.
func (s seen) isMiddleOf(full string) bool {
	isHalf := len(s.body) > len(full)/3 && len(s.body) < len(full)*2/3
	begun := strings.LastIndex(s.body, `:"`)
	inValue := begun >= 0 && strings.LastIndex(s.body, `"`) == begun+1 &&
		!strings.HasSuffix(s.body, `"`)
	return strings.HasPrefix(full, s.body) && isHalf && inValue
}

// Each fault is what it is called on the wire. The requests have bodies, which nobody reads: that
// does not make a reset of a plain end. That of a reset has none, which is reset all the same.
func TestFaultsOnTheWire(t *testing.T) {
	t.Parallel()
	full := `{"campaigns":[` + springJSON + "," + springJSON + `]}`
	for fault, check := range map[string]func(s seen) bool{
		"reset": func(s seen) bool { return s.head == "" && errors.Is(s.err, syscall.ECONNRESET) },
		"close": func(s seen) bool { return s.head == "" && s.err == nil },
		"truncate": func(s seen) bool {
			return s.err == nil && s.declares(len(full)) && s.isMiddleOf(full)
		},
		"bad_json": func(s seen) bool {
			return s.err == nil && s.declares(len(s.body)) && s.isMiddleOf(full) &&
				strings.Contains(s.head, "200 OK") && !json.Valid([]byte(s.body))
		},
		"wrong_type": func(s seen) bool {
			return s.err == nil && s.declares(len(s.body)) &&
				strings.Contains(s.head, "200 OK") &&
				strings.Contains(s.head, "Content-Type: text/html") &&
				strings.HasPrefix(s.body, "<!DOCTYPE html>") &&
				strings.HasSuffix(s.body, "</html>\n")
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
			head, rest, _ := strings.Cut(string(got), "\r\n\r\n")
			if !check(seen{head, rest, err}) {
				t.Errorf("the client receives %q, %v", got, err)
			}
			r := srv.Requests("alice")[0]
			wantStatus := 200
			if fault == "reset" || fault == "close" {
				wantStatus = 0
			}
			want := "scripted: " + fault + " (always)"
			if r.Status != wantStatus || r.Reason != want {
				t.Errorf("the journal has %d, %q; want %d, %q",
					r.Status, r.Reason, wantStatus, want)
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
				srv := fake.NewTestServer(t,
					fake.WithInMemory(),
					fake.WithUser("alice", faulty(fault)),
				)
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
					if int64(len(body)) < response.ContentLength/3 ||
						int64(len(body)) > response.ContentLength*2/3 {
						t.Errorf("%d bytes of %d came", len(body), response.ContentLength)
					}
				}
				if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Hour {
					t.Errorf("after %s, the client has %q, %v", time.Since(begin), body, err)
				}
				synctest.Wait()
				reason := srv.Requests("alice")[0].Reason
				if fault == "hang" &&
					!strings.HasSuffix(reason, "; nothing was sent until the client went away") {
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
			t.Errorf("%s: HEAD is answered %d, length %d, %q",
				fault, response.StatusCode, response.ContentLength, body)
		}
		reason := srv.Requests()[0].Reason
		saysSo := strings.HasSuffix(reason, "; an answer to HEAD has no body to break")
		if saysSo != (fault != "wrong_type") {
			t.Errorf("%s: the reason is %q", fault, reason)
		}
	}
	srv := fake.NewTestServer(t, fake.WithUser("alice", faulty("close")))
	if response, err := srv.Client().Do(newRequest(t, "HEAD", rootOf(srv)+listPath,
		bearer("alice"))); err == nil {
		t.Errorf("HEAD is answered %d in spite of close", response.StatusCode)
	}
}
