package fake_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

// A healthy is what a server tells of its health.
type healthy struct {
	Ready   bool
	Version *string
	Reload  *struct {
		At       time.Time
		Error    string
		Mistakes []struct {
			File, Path, Problem, Instead, Source string
			Line, Column                         int
		}
	}
}

// health asks a server for its health.
func health(t *testing.T, srv *fake.Server) (h healthy) {
	t.Helper()
	status, answer := steer(t, srv, "GET", "health", "")
	if err := json.Unmarshal([]byte(answer), &h); err != nil || status != 200 || !h.Ready {
		t.Fatalf("health is answered %d %s", status, answer)
	}
	return h
}

// Health tells what became of the last reload.
func TestHealth(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		read := files("users: {alice: {}, bob: {}}")
		var tb recorder // which reloads with mistakes fail
		defer tb.finish()
		srv := fake.NewTestServer(&tb, fake.WithInMemory(), fake.WithLenient(), fake.WithFixtures(read), fake.WithUser("carol", fake.User{}))
		h := health(t, srv)
		if h.Reload != nil {
			t.Errorf("at the start, health is %+v", h)
		}
		time.Sleep(time.Hour)
		read.write("users.yaml", "users:\n  alice: {dealy: 1s}\n  bob: {delay: soon}\n")
		if err := srv.Reload(); err == nil || !strings.Contains(fmt.Sprint(err), "users.yaml:2:11: users.alice.dealy") {
			t.Errorf("a reload with mistakes returns %v", err)
		}
		for _, when := range []string{"at once", "after a reset"} {
			if when != "at once" {
				srv.ResetAll()
			}
			h = health(t, srv)
			if h.Reload == nil || len(h.Reload.Mistakes) != 2 || !strings.Contains(h.Reload.Error, "users.yaml:3:16") {
				t.Fatalf("%s, health is %+v", when, h)
			}
			if m := h.Reload.Mistakes[0]; fmt.Sprint(m.File, m.Line, m.Column, m.Path) != "users.yaml2 11users.alice.dealy" || m.Problem == "" || m.Instead == "" || !strings.Contains(m.Source, "{dealy: 1s}") {
				t.Errorf("%s, a mistake is %+v", when, m)
			}
		}
		if failed := h.Reload.At; !failed.Equal(time.Now()) {
			t.Errorf("the reload was at %s, and it is %s", failed, time.Now())
		}

		time.Sleep(time.Hour)
		read.write("users.yaml", "users: {dave: {}}")
		if err := srv.Reload(); err != nil {
			t.Error(err)
		}
		h = health(t, srv)
		if h.Reload == nil || h.Reload.Error != "" || h.Reload.Mistakes != nil || !h.Reload.At.Equal(time.Now()) {
			t.Errorf("after a good reload, health is %+v", h)
		}
	})
}
