package fake

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// What the journal has charged cannot be seen from outside: hence these tests
// from within. What it keeps of answers is tested in TestAnswersInTheJournal.

// charged returns what a journal has charged for the entries that it holds, and
// fails the test if that is not what it counts, or more than there may be.
func charged(t *testing.T, j *journal) (bytes int) {
	t.Helper()
	for _, e := range j.entries() {
		if e.charged != e.bytes() {
			t.Errorf("entry %d costs %d bytes, and is charged %d", e.number, e.bytes(), e.charged)
		}
		bytes += e.charged
	}
	if bytes != j.bytes {
		t.Errorf("the journal has charged %d bytes, and its entries %d", j.bytes, bytes)
	}
	if len(j.entries()) > max(j.limit, 0) || len(j.entries()) > 1 && bytes > journalBytes {
		t.Errorf("the journal holds %d entries, of %d, with %d bytes", len(j.entries()), j.limit, bytes)
	}
	return bytes
}

// Whatever comes between the arrival of requests and their answers, each entry
// that is there is charged what it costs, and none that is not.
func TestJournalChargesWhatItHolds(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, 1, 7, 1000} {
		for seed := range uint64(2) {
			t.Run(fmt.Sprint(limit, " entries, seed ", seed), func(t *testing.T) {
				t.Parallel()
				random := rand.New(rand.NewPCG(seed, uint64(limit)))
				sizes := []int{0, 10, 300, 3000, 5000, 60_000, 200_000}
				size := func() string { return strings.Repeat("x", sizes[random.IntN(len(sizes))]) }
				tokens := []string{"", "alice", "bob", "carol"}
				type open struct {
					j *journal // which may have been replaced meanwhile
					e *entry
				}
				var spare sync.Pool
				j := newJournal(limit, &spare)
				var waiting []open
				answer := func(i int) {
					o := waiting[i]
					waiting = append(waiting[:i], waiting[i+1:]...)
					sent := packHeader(pack(nil, "{}"), http.Header{"X-Large": {size()}})
					o.j.answer(o.e, answered{done: true, status: 200, sent: sent})
				}
				shed := 0
				for step := range 1500 {
					switch action := random.IntN(1000); {
					case action < 600:
						r := httptest.NewRequest("GET", "/", nil)
						if token := tokens[random.IntN(len(tokens))]; token != "" {
							r.Header.Set("Authorization", "Bearer "+token)
						}
						r.Header.Set("X-Large", size())
						e := newEntry(&spare, r)
						if e.charged != 0 || e.done || len(e.sent) != 0 {
							t.Fatalf("after %d steps, a new entry is %+v", step, e.answered)
						}
						before := len(j.entries())
						j.add(e)
						if len(j.entries()) < before {
							shed++
						}
						waiting = append(waiting, open{j, e})
					case action < 996:
						if len(waiting) > 0 {
							answer(random.IntN(len(waiting)))
						}
					case action < 998:
						j.clear([]string{tokens[random.IntN(len(tokens))]})
					case action < 999:
						j.clear(nil)
					default:
						j = newJournal(limit, &spare)
					}
					if charged(t, j); t.Failed() {
						t.Fatalf("after %d steps", step+1)
					}
				}
				for len(waiting) > 0 {
					answer(0)
				}
				charged(t, j)
				if limit == 1000 && shed == 0 {
					t.Error("no entry was ever given up for its size, so that this test is too small")
				}
			})
		}
	}
}

// Answers whose headers are large make the journal shorter, not larger.
func TestJournalIsBoundedInBytesOfAnswers(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 60_000)
	s, err := New(WithUser("alice", User{Replies: []Reply{{Status: 200, Headers: map[string]string{"X-Large": large}, Times: Always}}}))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const sent = 900
	for range sent {
		r := httptest.NewRequest("GET", "/api/user/campaigns", nil)
		r.Header.Set("Authorization", "Bearer alice")
		s.ServeHTTP(httptest.NewRecorder(), r)
	}
	bytes := charged(t, s.journal)
	requests := s.Requests()
	if bytes < 1<<20 || len(requests) < 20 {
		t.Errorf("the journal holds %d bytes in %d requests", bytes, len(requests))
	}
	for i, r := range requests {
		if want := sent - len(requests) + 1 + i; r.Number != want || r.Answer.Header.Get("X-Large") != large {
			t.Fatalf("entry %d is number %d, with %d bytes of headers; want number %d", i, r.Number, len(r.Answer.Header.Get("X-Large")), want)
		}
	}
}

// A request that is answered after its entry has gone is charged to nobody, and
// what it was answered is not told of another that has taken its place.
func TestAnswersToEntriesThatAreGone(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]func(*Server){
		"cleared":          func(s *Server) { s.ClearRequests() },
		"cleared by token": func(s *Server) { s.ClearTokens("slow") },
		"reset":            func(s *Server) { s.Reset() },
		"reset by token":   func(s *Server) { s.ResetTokens("slow") },
		"given up": func(s *Server) {
			for range 20 {
				r := httptest.NewRequest("GET", "/api/user/campaigns", nil)
				s.ServeHTTP(httptest.NewRecorder(), r)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, err := New(WithJournal(10), WithUser("slow", User{Delay: &Delay{Fixed: 1}, Replies: []Reply{{Status: 418, Headers: map[string]string{"X-Large": strings.Repeat("x", 60_000)}}}}))
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				done := make(chan int)
				go func() {
					r := httptest.NewRequest("GET", "/api/user/campaigns", nil)
					r.Header.Set("Authorization", "Bearer slow")
					w := httptest.NewRecorder()
					s.ServeHTTP(w, r)
					done <- w.Code
				}()
				synctest.Wait()
				forget(s)
				before := charged(t, s.journal)
				if got := <-done; got != 418 {
					t.Errorf("the answer is %d", got)
				}
				if after := charged(t, s.journal); after != before {
					t.Errorf("an entry that is gone is charged %d bytes", after-before)
				}
				for range 20 { // which use what is spare
					s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/api/user/campaigns", nil))
				}
				for _, r := range s.Requests() {
					if r.Status != 401 || r.Token != "" || r.Answer.Header.Get("X-Large") != "" {
						t.Errorf("a later request is listed as %d of %q with %d headers", r.Status, r.Token, len(r.Answer.Header))
					}
				}
				charged(t, s.journal)
			})
		})
	}
}
