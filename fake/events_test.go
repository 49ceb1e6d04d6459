package fake_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

// An event is what a reader of the events is told at once. A comment has the name
// ":", and the end of the stream the name "end".
type event struct{ id, name, data string }

// request returns the request that the event is about.
func (e event) request(t *testing.T) (r fake.Request) {
	t.Helper()
	if err := json.Unmarshal([]byte(e.data), &r); err != nil || e.name != "request" {
		t.Fatalf("an event is %+v, and no request", e)
	}
	return r
}

// A stream is read by somebody who follows the events.
type stream struct {
	response *http.Response
	lines    *bufio.Scanner
	close    context.CancelFunc
	id       string // of the latest event that has one
}

// follow begins to follow the events. Who follows has been told so when it
// returns, and hears of all that happens from then on.
func follow(t *testing.T, srv *fake.Server, query string, lastEventID ...string) *stream {
	t.Helper()
	return followed(t, tryToFollow(t, srv, query, lastEventID...))
}

// followed reads the start of the events.
func followed(t *testing.T, s *stream) *stream {
	t.Helper()
	if s.response.StatusCode != 200 || s.response.Header.Get("Content-Type") != "text/event-stream" || s.response.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("who follows is answered %d %v", s.response.StatusCode, s.response.Header)
	}
	if !s.lines.Scan() || s.lines.Text() != "retry: 1000" || !s.lines.Scan() || s.lines.Text() != "" {
		t.Fatalf("the stream starts with %q", s.lines.Text())
	}
	return s
}

// tryToFollow asks for the events, whatever the answer.
func tryToFollow(t *testing.T, srv *fake.Server, query string, lastEventID ...string) *stream {
	t.Helper()
	root := strings.TrimSuffix(srv.BaseURL(), srv.Service().BasePath)
	return askForEvents(t, srv.Client(), root, query, lastEventID...)
}

func askForEvents(t *testing.T, client *http.Client, root, query string, lastEventID ...string) *stream {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "GET", root+"/_fake/events"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range lastEventID {
		r.Header.Set("Last-Event-ID", id)
	}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 16<<20)
	return &stream{response, lines, cancel, ""}
}

// A preflight is said to be without its request until that arrives, and then it is told
// of once more, to whoever follows now.
func TestEventsPreflight(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithInMemory())
	ask(t, srv, "OPTIONS", listPath, asksFirst("http://localhost:5173"))
	s := follow(t, srv, "")
	ask(t, srv, "GET", listPath, fromApp())
	if r := s.next(t).request(t); r.Number != 1 || r.Advice.Title != "" {
		t.Errorf("first is told of request %d with the advice %q; the preflight has a request now", r.Number, r.Advice.Title)
	}
	for complete := false; !complete; {
		r := s.next(t).request(t)
		if r.Number == 1 {
			continue // once more, since the answer came later than the request
		}
		if complete = r.Complete; r.Number != 2 || r.Preflight != 1 {
			t.Fatalf("then is told of request %d with the preflight %d", r.Number, r.Preflight)
		}
	}
	ask(t, srv, "GET", listPath, fromApp())
	r := s.next(t).request(t)
	for r.Number < 3 {
		r = s.next(t).request(t)
	}
	if r.Number != 3 || r.Preflight != 0 {
		t.Errorf("at last is told of request %d with the preflight %d, which was that of another", r.Number, r.Preflight)
	}
}

// latestVersion returns the version that the control plane has for the journal.
func latestVersion(t *testing.T, srv *fake.Server) string {
	t.Helper()
	var list struct{ Version json.Number }
	if _, answer := steer(t, srv, "GET", "requests?limit=1", ""); json.Unmarshal([]byte(answer), &list) != nil {
		t.Fatalf("the list is %s", answer)
	}
	return list.Version.String()
}

// next returns what comes next, for which it waits.
func (s *stream) next(t *testing.T) (e event) {
	t.Helper()
	for s.lines.Scan() {
		line := s.lines.Text()
		name, value, _ := strings.Cut(line, ": ")
		switch {
		case line == "" && e == (event{}):
			t.Error("the stream has an event without a line")
		case line == "":
			return e
		case line == ":":
			e.name = ":"
		case name == "id" && e.id == "":
			e.id, s.id = value, value
		case name == "event" && e.name == "":
			e.name = value
		case name == "data" && e.data == "":
			e.data = value
		default:
			t.Errorf("the stream has the line %q after %+v", line, e)
		}
	}
	if e != (event{}) {
		t.Errorf("the stream ends in the middle of %+v", e)
	}
	return event{name: "end"}
}

// A request is told of while its answer is delayed, and again with the answer.
func TestEventsOfARequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{Delay: &fake.Delay{Fixed: time.Hour}, Campaigns: []fake.Campaign{spring}}))
		s := follow(t, srv, "")
		start := time.Now()
		go func() { ask(t, srv, "GET", listPath, bearer("alice")) }()
		waiting := ""
		for {
			e := s.next(t)
			if e.name == ":" {
				continue
			}
			r := e.request(t)
			if r.Status == 0 {
				waiting = r.Reason
				if r.Answer.Header != nil || r.Token != "alice" || r.Number != 1 || time.Since(start) > time.Second {
					t.Errorf("after %s, the request is told as %+v", time.Since(start), r)
				}
				continue
			}
			if r.Status != 200 || r.Number != 1 || r.Duration != time.Hour || !strings.Contains(r.Answer.Body, "Spring") || r.Answer.Header.Get("Content-Type") != "application/json" {
				t.Errorf("the answer is told as %+v", r)
			}
			break
		}
		if got := time.Since(start); got != time.Hour {
			t.Errorf("the answer is told of after %s, want an hour", got)
		}
		if want := "; delayed 1h"; !strings.HasSuffix(waiting, want) {
			t.Errorf("while it is delayed, the reason is %q, want %q at its end", waiting, want)
		}
	})
}

// What is added to an answer that has begun is told as well.
func TestEventsOfWhatEndsAnAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", faulty("stall")))
		s := follow(t, srv, "")
		r, err := http.NewRequest("GET", srv.BaseURL()+"/user/campaigns", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = bearer("alice")
		response, err := srv.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		seen := func(want string) {
			t.Helper()
			for reason := ""; !strings.Contains(reason, want); {
				e := s.next(t)
				if e.name != "request" {
					t.Fatalf("after the reason %q, what comes is %+v, want one with %q", reason, e, want)
				}
				reason = e.request(t).Reason
			}
		}
		seen("scripted: stall")
		response.Body.Close()
		seen("and then nothing until the client went away")
	})
}

// Everything that is no request is told of as a change.
func TestEventsOfChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		read := files("users: {alice: {}}")
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient(), fake.WithFixtures(read))
		s := follow(t, srv, "")
		reload := func(text string, status int) func() {
			return func() {
				read.write("users.yaml", text)
				if got, answer := steer(t, srv, "POST", "reload", ""); got != status {
					t.Errorf("the reload is answered %d %s, want %d", got, answer, status)
				}
			}
		}
		do := func(method, path, body string) func() {
			return func() {
				if status, answer := steer(t, srv, method, path, body); status >= 300 {
					t.Errorf("%s %s is answered %d %s", method, path, status, answer)
				}
			}
		}
		last := 0
		for i, step := range []struct {
			do   func()
			want []string
		}{
			{do("PUT", "users?token=bob", "{}"), []string{`{"what":"user","token":"bob"}`}},
			{do("POST", "replies?token=bob", `{"status": 503}`), []string{`{"what":"replies","token":"bob"}`}},
			{do("DELETE", "replies?token=bob", ""), []string{`{"what":"replies","token":"bob"}`}},
			{do("DELETE", "users?token=bob", ""), []string{`{"what":"user","token":"bob"}`}},
			{do("DELETE", "requests?token=alice", ""), []string{`{"what":"requests","token":"alice"}`}},
			{do("DELETE", "requests?token=", ""), []string{`{"what":"requests","token":""}`}}, // of those without one
			{do("DELETE", "requests", ""), []string{`{"what":"requests"}`}},
			{do("POST", "reset?token=alice", ""), []string{`{"what":"reset","token":"alice"}`}},
			{do("POST", "reset?token=", ""), []string{`{"what":"reset","token":""}`}},
			{do("POST", "reset", ""), []string{`{"what":"reset"}`}},
			{func() { srv.Reset("alice", "bob") }, []string{`{"what":"reset","token":"alice"}`, `{"what":"reset","token":"bob"}`}},
			{func() { srv.ClearRequests("alice", "bob") }, []string{`{"what":"requests","token":"alice"}`, `{"what":"requests","token":"bob"}`}},
			{reload("users: {alice: {}, carol: {}}", 200), []string{`{"what":"reload"}`}},
			{reload("users: {alice: 7}", 400), []string{`{"what":"reload"}`}}, // health has changed
			{do("PUT", "users?token=%22%3C%3E%26", "{}"), []string{`{"what":"user","token":"\"\u003c\u003e\u0026"}`}},
		} {
			step.do()
			for j, want := range step.want {
				e := s.next(t)
				if e.name != "change" || e.data != want {
					t.Errorf("after step %d, an event is %+v, want %s", i, e, want)
				}
				if end := j == len(step.want)-1; (e.id != fmt.Sprint(last)) != end {
					t.Errorf("after step %d, event %d of %d has the id %q, and the one before had %d", i, j+1, len(step.want), e.id, last)
				}
			}
			id, err := strconv.Atoi(s.id)
			if err != nil || id <= last {
				t.Errorf("after step %d, the id is %q, and was %d before", i, s.id, last)
			}
			last = id
		}
		// What is refused, or only looked at, changes nothing.
		for _, path := range []string{"users", "requests", "replies?token=alice", "service", "health"} {
			do("GET", path, "")()
		}
		steer(t, srv, "PUT", "users?token=alice", "[]")
		steer(t, srv, "DELETE", "users?token=nobody", "")
		if e := s.next(t); e.name != ":" {
			t.Errorf("after what changes nothing, an event is %+v", e)
		}
	})
}

// Who follows one token hears of it, and of what concerns all.
func TestEventsOfOneToken(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]string{
		"alice": `1 4 {"what":"user","token":"alice"} {"what":"reload"} {"what":"requests"}`,
		"bob":   `2 {"what":"reload"} {"what":"requests"}`,
		"":      `3 {"what":"reload"} {"what":"requests"}`,
	} {
		t.Run("token "+token, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{}), fake.WithUser("bob", fake.User{}))
				s := follow(t, srv, "?token="+token)
				var told []string
				read := func() { // until nothing more has happened
					synctest.Wait()
					for e := s.next(t); e.name != ":"; e = s.next(t) {
						text := e.data
						if e.name == "request" {
							text = fmt.Sprint(e.request(t).Number)
						}
						if !slices.Contains(told, text) { // a request is told of twice at times
							told = append(told, text)
						}
					}
				}
				for _, header := range []http.Header{bearer("alice"), bearer("bob"), nil, bearer("alice")} {
					ask(t, srv, "GET", listPath, header)
				}
				read()
				if err := errors.Join(srv.SetUser("alice", fake.User{}), srv.Reload()); err != nil {
					t.Error(err)
				}
				srv.ClearRequests()
				read()
				if got := strings.Join(told, " "); got != want {
					t.Errorf("who follows %q hears of %s, want %s", token, got, want)
				}
			})
		})
	}
}

// Who loses the connection between events that are sent together is told that
// something is missed, and who has read them all is not.
func TestEventsGoOn(t *testing.T) {
	t.Parallel()
	const together = 3
	for read := 1; read <= together; read++ {
		t.Run(fmt.Sprint("after ", read), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{}))
				s := follow(t, srv, "")
				afterAChange(t, srv, s)
				statuses(t, srv, "alice", together)
				for range read {
					s.next(t).request(t)
				}
				s.close()
				s = follow(t, srv, "", s.id)
				ask(t, srv, "GET", listPath, bearer("alice"))
				want := "missed"
				if read == together {
					want = "request"
				}
				if e := s.next(t); e.name != want {
					t.Errorf("after %d of %d events, the next is %s, want %s", read, together, e.name, want)
				}
			})
		})
	}
}

// afterAChange returns when a reader has just been told of a change. What happens
// next is told together, since no time passes meanwhile.
func afterAChange(t *testing.T, srv *fake.Server, s *stream) {
	t.Helper()
	if err := srv.SetUser("changed", fake.User{}); err != nil {
		t.Fatal(err)
	}
	if e := s.next(t); e.name != "change" {
		t.Fatalf("an event is %+v, want a change", e)
	}
	synctest.Wait()
}

// Who knows the latest version has missed nothing. Every other version is an older
// one, or another server's.
func TestEventsSinceAVersion(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		since, id string // %d is the latest version
		missed    bool
	}{
		"the latest":                     {since: "?since=%d"},
		"the latest, by a browser":       {since: "?since=0", id: "%d"},
		"an older one":                   {since: "?since=1", missed: true},
		"none":                           {since: "?since=0", missed: true},
		"another server's":               {since: "?since=1000000", missed: true},
		"another server's, by a browser": {since: "?since=%d", id: "1000000", missed: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
			statuses(t, srv, "alice", 3)
			version := latestVersion(t, srv)
			s := follow(t, srv, strings.ReplaceAll(tt.since, "%d", version), strings.ReplaceAll(tt.id, "%d", version))
			if want := (event{version, "missed", "{}"}); tt.missed {
				if e := s.next(t); e != want {
					t.Errorf("the first event is %+v, want %+v", e, want)
				}
			}
			ask(t, srv, "GET", listPath, bearer("alice"))
			if r := s.next(t).request(t); r.Number != 4 {
				t.Errorf("after that, request %d is told of, want 4", r.Number)
			}
		})
	}
}

// Where nothing happens, a comment comes every 15 seconds: also to who follows a
// token that sends nothing, beside others that do.
func TestEventsKeepConnectionsAlive(t *testing.T) {
	t.Parallel()
	for name, busy := range map[string]time.Duration{"in silence": 0, "beside another token": 70 * time.Millisecond, "beside one that sends little": 10 * time.Second} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil), fake.WithUser("alice", fake.User{}), fake.WithUser("bob", fake.User{}))
				start := time.Now()
				s := follow(t, srv, "?token=alice")
				ctx, cancel := context.WithCancel(t.Context())
				var others sync.WaitGroup
				if busy > 0 {
					others.Go(func() {
						for ctx.Err() == nil {
							ask(t, srv, "GET", listPath, bearer("bob"))
							time.Sleep(busy)
						}
					})
				}
				for n := range 4 {
					e := s.next(t)
					at := time.Since(start)
					// A busy server is looked at ten times a second.
					if least := time.Duration(n+1) * 15 * time.Second; e != (event{name: ":"}) || at < least || at > least+time.Second {
						t.Errorf("after %s, what comes is %+v, want a comment after %s", at, e, least)
					}
				}
				cancel()
				others.Wait()
			})
		})
	}
}

// The same holds over HTTP/2, where a deadline to write ends a stream that is silent,
// too.
func TestEventsKeepStreamsOpenOverHTTP2(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithTLS(), fake.WithLogger(nil), fake.WithUser("alice", fake.User{}))
		s := follow(t, srv, "")
		if s.response.ProtoMajor != 2 {
			t.Fatalf("the events come over %s", s.response.Proto)
		}
		for n := range 2 {
			if e := s.next(t); e != (event{name: ":"}) {
				t.Fatalf("comment %d is %+v (%v)", n+1, e, s.lines.Err())
			}
		}
		ask(t, srv, "GET", listPath, bearer("alice"))
		if r := s.next(t).request(t); r.Token != "alice" {
			t.Errorf("after the silence, what comes is %+v", r)
		}
	})
}

// However much happens, who follows is told ten times a second, and of everything.
func TestEventsAreSentAtAPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil), fake.WithUser("alice", fake.User{}))
		s := follow(t, srv, "")
		start := time.Now()
		const sent = 200
		var sending sync.WaitGroup
		sending.Go(func() {
			for range sent {
				ask(t, srv, "GET", listPath, bearer("alice"))
				time.Sleep(5 * time.Millisecond)
			}
		})
		times := make(map[time.Duration]bool) // since the start
		for number := 0; number < sent; {
			if r := s.next(t).request(t); r.Status != 0 {
				number = r.Number
			}
			times[time.Since(start)] = true
		}
		sending.Wait()
		for at := range times {
			if at%(100*time.Millisecond) != 0 {
				t.Errorf("events are told %s after the start", at)
			}
		}
		if len(times) < 9 {
			t.Errorf("in a second, events are told %d times", len(times))
		}
	})
}

// Of more than a hundred requests at once, or of more than 1024 updates, the latest
// are told, and that there were others; so is what is forgotten before it was told.
func TestEventsThatAreMissed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		journal, sent, users int
		first                int // request that is told of
		missed               bool
	}{
		"all":             {journal: 1000, sent: 100, first: 1},
		"one too many":    {journal: 1000, sent: 101, first: 2, missed: true},
		"many":            {journal: 1000, sent: 350, first: 251, missed: true},
		"a short journal": {journal: 10, sent: 11, first: 2, missed: true},
		"a full journal":  {journal: 10, sent: 10, first: 1},
		"some changes":    {journal: 10, sent: 10, users: 1004, first: 1}, // beside two updates of each request
		"many changes":    {journal: 10, sent: 10, users: 1006, first: 2, missed: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil), fake.WithJournal(tt.journal), fake.WithUser("alice", fake.User{}))
				s := follow(t, srv, "")
				afterAChange(t, srv, s)
				before := s.id
				statuses(t, srv, "alice", tt.sent)
				for i := range tt.users {
					if err := srv.SetUser(fmt.Sprint(i), fake.User{}); err != nil {
						t.Fatal(err)
					}
				}
				latest := latestVersion(t, srv)
				missed := false
				var numbers []int
				for s.id != latest {
					e := s.next(t)
					switch e.name {
					case "missed":
						missed = true
					case "request":
						numbers = append(numbers, e.request(t).Number)
					case "change":
					default:
						t.Fatalf("an event is %+v", e)
					}
					if e.id != before && e.id != latest {
						t.Errorf("the id of %s is %s, and not %s or %s", e.name, e.id, before, latest)
					}
				}
				if missed != tt.missed {
					t.Errorf("that something is missed is said: %v, want %v", missed, tt.missed)
				}
				var want []int
				for number := tt.first; number <= tt.sent; number++ {
					want = append(want, number)
				}
				if !slices.Equal(numbers, want) {
					t.Errorf("the requests are %d, want them from %d on", numbers, tt.first)
				}
			})
		})
	}
}

// Requests that are forgotten before anybody was told of them are missed, and those
// that were told of are not.
func TestEventsOfWhatIsForgotten(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]func(*fake.Server){
		"cleared":         func(srv *fake.Server) { srv.ClearRequests() },
		"of the token":    func(srv *fake.Server) { srv.ClearRequests("alice") },
		"reset":           func(srv *fake.Server) { srv.ResetAll() },
		"the token reset": func(srv *fake.Server) { srv.Reset("alice") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{}))
				s := follow(t, srv, "")
				names := func() (names []string) {
					synctest.Wait()
					for e := s.next(t); e.name != ":"; e = s.next(t) {
						names = append(names, e.name)
					}
					return names
				}
				statuses(t, srv, "alice", 1)
				names()
				forget(srv)
				if got := names(); !slices.Equal(got, []string{"change"}) {
					t.Errorf("when what was told of is forgotten, the events are %q", got)
				}
				afterAChange(t, srv, s)
				statuses(t, srv, "alice", 1)
				forget(srv)
				if got := names(); !slices.Contains(got, "missed") {
					t.Errorf("when what was not told of is forgotten, the events are %q", got)
				}
			})
		})
	}
}

func TestEventsThatAreRefused(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	refused := func(query, want string, lastEventID ...string) {
		t.Helper()
		s := tryToFollow(t, srv, query, lastEventID...)
		defer s.close()
		body, err := io.ReadAll(s.response.Body)
		if err != nil || s.response.StatusCode != 400 || !strings.Contains(string(body), want) {
			t.Errorf("%s with Last-Event-ID: %q is answered %d %s, want %s", query, lastEventID, s.response.StatusCode, body, want)
		}
	}
	for range 10 { // each of which would take up the room of one who follows
		for _, since := range []string{"x", "-1", "1.5", "+-1", "99999999999999999999", "", "%201"} {
			refused("?since="+since, "The parameter since is ")
		}
		refused("", "send the id of an event", "yesterday")
		refused("?since=1&since=2", "is there 2 times")
		refused("?sinse=1", "There is no parameter")
	}
	follow(t, srv, "?since=0")
	if status, _ := steer(t, srv, "HEAD", "events", ""); status != 200 {
		t.Errorf("HEAD is answered %d", status)
	}
	if status, _ := steer(t, srv, "POST", "events", ""); status != 405 {
		t.Errorf("POST is answered %d", status)
	}
	closed := fake.NewTestServer(t, fake.WithoutControl())
	if status, _ := steer(t, closed, "GET", "events", ""); status != 404 {
		t.Errorf("without a control plane, events are answered %d", status)
	}
}

// There is room for 32 who follow, and for another when one has gone.
func TestEventsHaveRoomForSome(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{}))
		var readers []*stream
		for range 32 {
			readers = append(readers, follow(t, srv, ""))
		}
		full := func() {
			t.Helper()
			for range 2 {
				s := tryToFollow(t, srv, "")
				body, err := io.ReadAll(s.response.Body)
				s.close()
				if err != nil || s.response.StatusCode != 503 || s.response.Header.Get("Retry-After") == "" || !strings.Contains(string(body), "32 clients follow") {
					t.Errorf("one too many is answered %d %v %s", s.response.StatusCode, s.response.Header, body)
				}
			}
		}
		full()
		for _, s := range readers[:2] {
			s.close()
		}
		synctest.Wait()
		readers = append(readers[2:], follow(t, srv, ""), follow(t, srv, ""))
		full()
		ask(t, srv, "GET", listPath, bearer("alice"))
		for i, s := range readers {
			if r := s.next(t).request(t); r.Number != 1 {
				t.Errorf("reader %d is told of request %d", i, r.Number)
			}
		}
	})
}

// connect connects to an in-memory server, and asks for events.
func connect(t *testing.T, srv *fake.Server) net.Conn {
	t.Helper()
	conn, err := srv.Client().Transport.(*http.Transport).DialContext(t.Context(), "tcp", "campaignfake.test:80")
	if err != nil {
		t.Fatal(err)
	}
	sendEventsRequest(conn)
	return conn
}

func sendEventsRequest(conn net.Conn) {
	fmt.Fprintf(conn, "GET /_fake/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
}

// readStart reads what comes before all events.
func readStart(t *testing.T, conn net.Conn) {
	t.Helper()
	var start []byte
	for piece := make([]byte, 1); !strings.HasSuffix(string(start), "retry: 1000\n\n"); start = append(start, piece...) {
		if _, err := conn.Read(piece); err != nil {
			t.Fatalf("after %q: %v", start, err)
		}
	}
}

// Who does not read for 5 seconds is given up, and leaves room for others.
func TestEventsThatNobodyReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{}))
		for range 32 {
			defer connect(t, srv).Close()
		}
		synctest.Wait()
		for _, step := range []struct {
			wait time.Duration
			want int
		}{{0, 503}, {4900 * time.Millisecond, 503}, {200 * time.Millisecond, 200}} {
			time.Sleep(step.wait)
			synctest.Wait()
			s := tryToFollow(t, srv, "")
			if s.response.StatusCode != step.want {
				t.Errorf("%s later, another reader is answered %d, want %d", step.wait, s.response.StatusCode, step.want)
			}
			s.close()
		}
		if got := statuses(t, srv, "alice", 3); got != "200 200 200" {
			t.Errorf("the answers are %s", got)
		}
	})
}

// The same on a port, where what is sent goes into the buffers of the system
// first: who does not read is given up when these are full, and who reads is not.
func TestEventsThatNobodyReadsOnAPort(t *testing.T) {
	t.Parallel()
	handler, err := fake.New(fake.WithUser("alice", fake.User{}))
	if err != nil {
		t.Fatal(err)
	}
	defer handler.Close()
	outer := httptest.NewUnstartedServer(handler)
	outer.Listener = smallBuffers{outer.Listener}
	const readers = 3
	closed := make(chan string, readers+1)
	outer.Config.ConnState = func(conn net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			closed <- conn.RemoteAddr().String()
		}
	}
	outer.Start()
	defer outer.Close()
	silent := make(map[string]bool)
	for range readers {
		conn := dial(t, outer.URL)
		t.Cleanup(func() { conn.Close() })
		if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
			t.Fatal(err)
		}
		sendEventsRequest(conn)
		readStart(t, conn)
		silent[conn.LocalAddr().String()] = true
	}
	reader := followed(t, askForEvents(t, outer.Client(), outer.URL, ""))
	defer reader.close()
	const large = 30
	for range large {
		r := aliceRequest()
		r.Header.Set("X-Large", strings.Repeat("x", 60_000))
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	for number := 0; number < large; {
		number = max(number, reader.next(t).request(t).Number)
	}
	for range readers {
		if gone := <-closed; !silent[gone] {
			t.Error("who reads is given up")
		}
	}
	if got := record(handler, "alice").Code; got != 200 {
		t.Errorf("a request is answered %d", got)
	}
	for number := 0; number <= large; {
		number = reader.next(t).request(t).Number
	}
}

// Who reads slowly, but does, is not given up, however much there is to tell.
func TestEventsOfWhoReadsSlowly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil), fake.WithUser("alice", fake.User{}))
		conn := connect(t, srv)
		defer conn.Close()
		readStart(t, conn)
		header := bearer("alice")
		header.Set("X-Large", strings.Repeat("x", 50_000))
		const large = 100
		for range large {
			ask(t, srv, "GET", listPath, header)
		}
		const mark = `"X-Large"`
		read, events, piece, last := 0, 0, make([]byte, 50_000), ""
		for events < large {
			time.Sleep(time.Second)
			n, err := io.ReadAtLeast(conn, piece, len(piece)-100)
			if err != nil {
				t.Fatalf("after %d bytes and %d of %d events: %v", read, events, large, err)
			}
			read += n
			text := last + string(piece[:n]) // a mark may come in two pieces
			events += strings.Count(text, mark)
			last = text[len(text)-len(mark)+1:]
		}
	})
}

// smallBuffers makes connections whose buffers for sending are small.
type smallBuffers struct{ net.Listener }

func (l smallBuffers) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		err = conn.(*net.TCPConn).SetWriteBuffer(64 << 10)
	}
	return conn, err
}

// Close ends what is followed at once, and does not wait for those who do not read.
func TestCloseEndsEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory())
		var readers []*stream
		for range 10 {
			readers = append(readers, follow(t, srv, ""))
			defer connect(t, srv).Close()
		}
		synctest.Wait()
		start := time.Now()
		var ended sync.WaitGroup
		for _, s := range readers {
			ended.Go(func() {
				if e := s.next(t); e.name != "end" || time.Since(start) != 0 {
					t.Errorf("after Close, %s pass until %+v", time.Since(start), e)
				}
			})
		}
		srv.Close()
		ended.Wait()
		if got := time.Since(start); got > time.Second {
			t.Errorf("Close took %s", got)
		}
	})
}

// The same inside a server of somebody else's.
func TestCloseEndsEventsInsideAnotherServer(t *testing.T) {
	t.Parallel()
	handler, err := fake.New()
	if err != nil {
		t.Fatal(err)
	}
	outer := httptest.NewServer(handler)
	defer outer.Close()
	conn := dial(t, outer.URL)
	defer conn.Close()
	fmt.Fprintf(conn, "GET /_fake/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	if _, err := conn.Read(make([]byte, 1)); err != nil { // the answer has begun
		t.Fatal(err)
	}
	handler.Close()
	if _, err := io.Copy(io.Discard, conn); err != nil {
		t.Errorf("after Close, the stream ends with %v", err)
	}
}

// A thousand who ask for events, and read nothing, keep nobody waiting, and leave
// nothing behind: a bubble ends only when all of its goroutines have.
func TestEventsOfAThousandWhoDoNotRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil), fake.WithUser("alice", fake.User{}))
		var conns []net.Conn
		for range 1000 {
			conns = append(conns, connect(t, srv))
		}
		start := time.Now()
		for range 1000 {
			if response, _ := ask(t, srv, "GET", listPath, bearer("alice")); response.StatusCode != 200 {
				t.Fatalf("a request is answered %d", response.StatusCode)
			}
		}
		if got := time.Since(start); got != 0 {
			t.Errorf("a thousand requests took %s, and waited for those who do not read", got)
		}
		for _, conn := range conns {
			conn.Close()
		}
		synctest.Wait()
		for range 32 { // for whom there is room again
			follow(t, srv, "").close()
		}
	})
}

// With a recorder, or another writer without deadlines, events are followed until
// the request is given up, or the server closed.
func TestEventsOnARecorder(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"given up", "closed"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv, err := fake.New(fake.WithUser("alice", fake.User{}))
				if err != nil {
					t.Fatal(err)
				}
				defer srv.Close()
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				w := httptest.NewRecorder()
				done := make(chan struct{})
				go func() {
					defer close(done)
					r := httptest.NewRequest("GET", "http://localhost/_fake/events", nil)
					srv.ServeHTTP(w, r.WithContext(ctx))
				}()
				synctest.Wait()
				record(srv, "alice")
				time.Sleep(time.Second)
				start := time.Now()
				if end == "closed" {
					srv.Close()
				} else {
					cancel()
				}
				<-done
				if got := time.Since(start); got != 0 {
					t.Errorf("being %s, the stream ends after %s", end, got)
				}
				if body := w.Body.String(); !strings.HasPrefix(body, "retry: 1000\n\n") || !strings.Contains(body, "\nevent: request\ndata: {\"number\":1,") {
					t.Errorf("the events are %s", body)
				}
			})
		})
	}
}
