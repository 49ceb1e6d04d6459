package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/campaignfake/fake"
)

// A world is a server, and what is known of it.
type world struct {
	server *fake.Server
	root   string
	bytes  map[string]string // the answers to tokens that always have the same

	version                                        atomic.Int64 // of the fixtures
	answers, gone, reloads, refused, calls, logged atomic.Int64
	mu                                             sync.Mutex
	mistakes                                       []error
}

// changing is the user that each version of the fixtures has another of. Every
// seventh version is none that can be used.
func changing(version int64) fake.User {
	u := fake.User{Campaigns: []fake.Campaign{{ID: fmt.Sprint(version % 2), Name: strings.Repeat("n", 2000)}}}
	if version%7 == 6 {
		u.Generate = &fake.Generate{Count: 1}
	}
	return u
}

func newWorld() (*world, error) {
	w := &world{bytes: make(map[string]string)}
	var err error
	w.server, err = fake.New(
		fake.WithFixtures(fake.Gallery()),
		fake.WithLoader(func() (*fake.Set, error) {
			set := &fake.Set{Users: map[string]fake.User{"changing": changing(w.version.Load())}}
			return set, set.Check()
		}),
		fake.WithService(fake.Service{UnknownTokens: "generate"}),
		fake.WithLogger(slog.New(counting{&w.logged})),
	)
	return w, err
}

// counting counts what is logged as an error.
type counting struct{ count *atomic.Int64 }

func (counting) Enabled(context.Context, slog.Level) bool { return true }
func (c counting) Handle(_ context.Context, r slog.Record) error {
	if r.Level >= slog.LevelError {
		c.count.Add(1)
	}
	return nil
}
func (c counting) WithAttrs([]slog.Attr) slog.Handler { return c }
func (c counting) WithGroup(string) slog.Handler      { return c }

func (w *world) wrong() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return errors.Join(w.mistakes...)
}

// blame notes what should not be.
func (w *world) blame(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.mistakes) < 20 {
		w.mistakes = append(w.mistakes, fmt.Errorf(format, args...))
	}
}

// steady are tokens whose answers never change.
var steady = []string{"demo", "empty", "single", "many", "edge-cases", "any-token"}

// legal are the statuses that the other tokens have; those without any break off.
var legal = map[string][]int{
	"huge": {200}, "slow": {200}, "flaky": {200, 503}, "expiring": {200, 401}, "expired": {401}, "forbidden": {403},
	"rate-limited": {200, 429}, "server-error": {500}, "maintenance": {503}, "not-json": {200}, "bad-json": {200},
	"truncated": {}, "reset": {}, "hang": {}, "stall": {}, "progress": {200}, "changing": {200}, "": {401},
}

// remember notes the answers that never change.
func (w *world) remember() error {
	for _, token := range steady {
		status, body, err := w.ask(context.Background(), http.DefaultClient, token)
		if err != nil || status != 200 {
			return fmt.Errorf("%s is answered %d, %w", token, status, err)
		}
		w.bytes[token] = body
	}
	return nil
}

// ask asks for the campaigns of a token.
func (w *world) ask(ctx context.Context, client *http.Client, token string) (status int, body string, err error) {
	r, err := http.NewRequestWithContext(ctx, "GET", w.root+"/api/user/campaigns", nil)
	if err != nil {
		return 0, "", err
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}

// run has everything happen for so long.
func (w *world) run(length time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), length)
	defer cancel()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { w.steadily(ctx) })
		all.Go(func() { w.restlessly(ctx) })
	}
	all.Go(func() { w.unknown(ctx) })
	all.Go(func() { w.reload(ctx) })
	all.Go(func() { w.control(ctx) })
	for range 3 {
		all.Go(func() { w.follow(ctx, true) })
		all.Go(func() { w.follow(ctx, false) })
	}
	for _, start := range []string{
		"GET /api/user/campaigns HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
		"PUT /_fake/users?token=slow-body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
		"POST /api/user/campaigns HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n",
	} {
		all.Go(func() { w.attack(ctx, start) })
	}
	all.Wait()
}

func newClient() *http.Client { return &http.Client{Transport: &http.Transport{}} }

// steadily asks for what never changes, and waits for it.
func (w *world) steadily(ctx context.Context) {
	client := newClient()
	defer client.CloseIdleConnections()
	for ctx.Err() == nil {
		token := steady[rand.IntN(len(steady))]
		status, body, err := w.ask(ctx, client, token)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil || status != 200 || body != w.bytes[token]:
			w.blame("%s is answered %d with %d bytes (%v), want %d", token, status, len(body), err, len(w.bytes[token]))
		}
		w.answers.Add(1)
	}
}

// restlessly asks for everything else, and often goes away before the answer.
func (w *world) restlessly(ctx context.Context) {
	client := newClient()
	defer client.CloseIdleConnections()
	tokens := make([]string, 0, len(legal))
	for token := range legal {
		tokens = append(tokens, token)
	}
	first, second := `[{"id":"0"`, `[{"id":"1"`
	for ctx.Err() == nil {
		token := tokens[rand.IntN(len(tokens))]
		patience, cancel := context.WithTimeout(ctx, time.Duration(rand.IntN(80))*time.Millisecond)
		status, body, err := w.ask(patience, client, token)
		over := patience.Err() != nil
		cancel()
		switch {
		case over:
			w.gone.Add(1)
			continue
		case len(legal[token]) == 0 && err == nil:
			w.blame("%s is answered %d, and does not break off", token, status)
		case len(legal[token]) > 0 && (err != nil || !slices.Contains(legal[token], status)):
			w.blame("%s is answered %d (%v), want one of %d", token, status, err, legal[token])
		case token == "changing" && !strings.Contains(body, first) && !strings.Contains(body, second):
			w.blame("what changes is answered %.80s", body)
		}
		w.answers.Add(1)
	}
}

// unknown asks with a token that nobody has used before, again and again.
func (w *world) unknown(ctx context.Context) {
	client := newClient()
	defer client.CloseIdleConnections()
	for ctx.Err() == nil {
		status, _, err := w.ask(ctx, client, fmt.Sprintf("unknown-%d", rand.Uint64()))
		if ctx.Err() == nil && (err != nil || status != 200) {
			w.blame("an unknown token is answered %d (%v)", status, err)
		}
		w.answers.Add(1)
		time.Sleep(time.Millisecond)
	}
}

// reload changes the fixtures ten times a second, some of them to what cannot be
// used.
func (w *world) reload(ctx context.Context) {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			w.version.Store(0)
			w.server.Reload()
			return
		case <-ticker.C:
		}
		bad := changing(w.version.Add(1)).Generate != nil
		err := w.server.Reload()
		w.reloads.Add(1)
		if err != nil {
			w.refused.Add(1)
		}
		if (err != nil) != bad {
			w.blame("version %d of the fixtures is reloaded with %v", w.version.Load(), err)
		}
	}
}

// control steers the server by all that the control plane has.
func (w *world) control(ctx context.Context) {
	client := newClient()
	defer client.CloseIdleConnections()
	for round := 0; ctx.Err() == nil; round++ {
		token := fmt.Sprintf("put-%d", round%50)
		for _, call := range []struct {
			request, body string
			want          []int
		}{
			{"PUT users?token=" + token, `{"generate": {"count": 5}, "replies": [{"status": 503, "times": 2}]}`, []int{200, 201}},
			{"POST replies?token=" + token, `[{"fault": "close"}, {"delay": "1ms"}]`, []int{200}},
			{"POST replies?token=" + token, `[{"falt": "close"}]`, []int{400}},
			{"GET users", "", []int{200}},
			{"GET users?token=" + token, "", []int{200}},
			{"GET requests?limit=50", "", []int{200}},
			{"GET ", "", []int{200}},
			{"GET service", "", []int{200}},
			{"GET api.json", "", []int{200}},
			{"GET health", "", []int{200}},
			{"POST reset?token=" + token, "", []int{204}},
			{"GET nothing", "", []int{404}},
		} {
			method, path, _ := strings.Cut(call.request, " ")
			r, err := http.NewRequestWithContext(ctx, method, w.root+"/_fake/"+path, strings.NewReader(call.body))
			if err != nil {
				w.blame("%v", err)
				return
			}
			response, err := client.Do(r)
			if ctx.Err() != nil {
				if err == nil {
					response.Body.Close()
				}
				return
			}
			if err != nil {
				w.blame("%s: %v", call.request, err)
				continue
			}
			io.Copy(io.Discard, response.Body)
			response.Body.Close()
			w.calls.Add(1)
			if !slices.Contains(call.want, response.StatusCode) {
				w.blame("%s is answered %d, want one of %d", call.request, response.StatusCode, call.want)
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// follow follows the events for a while, over and over, and reads them or not.
func (w *world) follow(ctx context.Context, reads bool) {
	for ctx.Err() == nil {
		client := newClient()
		patience, cancel := context.WithTimeout(ctx, time.Duration(1+rand.IntN(9))*time.Second)
		r, err := http.NewRequestWithContext(patience, "GET", w.root+"/_fake/events", nil)
		if err != nil {
			w.blame("%v", err)
			cancel()
			return
		}
		response, err := client.Do(r)
		if err == nil {
			if reads {
				io.Copy(io.Discard, response.Body)
			} else {
				<-patience.Done()
			}
			response.Body.Close()
		}
		cancel()
		client.CloseIdleConnections()
	}
}

// attack begins a request and sends the rest a byte a second, on twenty connections
// at once.
func (w *world) attack(ctx context.Context, start string) {
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for ctx.Err() == nil {
				w.dawdle(ctx, start)
			}
		})
	}
	all.Wait()
}

func (w *world) dawdle(ctx context.Context, start string) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(w.root, "http://"))
	if err != nil {
		w.blame("an attacker: %v", err)
		return
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(start)); err != nil {
		return
	}
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if _, err := conn.Write([]byte("a")); err != nil {
			return
		}
	}
}
