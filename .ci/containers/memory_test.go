package containers

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// slowest is how long a bystander may wait for an answer, whatever else is asked.
const slowest = time.Second

// A container of any size is not killed for its memory, whatever clients do: it refuses
// what is too much, in words, and answers everybody else.
func TestMemory(t *testing.T) {
	for _, megabytes := range []int{32, 64, 128, 256} {
		t.Run(fmt.Sprintf("%d MiB", megabytes), func(t *testing.T) {
			size := fmt.Sprintf("%dm", megabytes)
			c := start(t, []string{"--memory=" + size, "--memory-swap=" + size}, "--quiet")
			c.awaitHealthy()
			a := &attack{container: c, limits: c.limits()}
			t.Logf("limits: %+v", a.limits)
			attacks := map[string]func(){
				"large bodies": a.largeBodies, "slow clients": a.slowClients, "idle connections": a.idleConnections,
				"large answers": a.largeAnswers, "followers": a.followers, "large headers": a.largeHeaders, "tokens": a.tokens,
			}
			names := []string{"large bodies", "slow clients", "idle connections", "large answers", "followers", "large headers", "tokens"}
			for _, name := range names {
				b := c.bystander()
				begin := time.Now()
				attacks[name]()
				b.stop()
				t.Logf("%s: %s; statuses %s; the slowest of %d answers to a bystander took %s", name, time.Since(begin).Round(100*time.Millisecond), a.said(), b.count, b.slowest.Round(time.Millisecond))
				if b.failure != nil || b.slowest > slowest {
					t.Errorf("%s: a bystander waits %s, %v", name, b.slowest, b.failure)
				}
				if state := c.inspect("{{.RestartCount}} {{.State.OOMKilled}} {{.State.Running}}"); state != "0 false true" {
					t.Fatalf("%s: restarts, out of memory, running: %s", name, state)
				}
			}
		})
	}
}

// Fixtures that are too large for the memory are a mistake, and no death; of a reload,
// the last good ones stay.
func TestFixturesTooLargeForTheMemory(t *testing.T) {
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "users.yaml")
	publish := func(campaigns int) {
		t.Helper()
		var text strings.Builder
		text.WriteString("users:\n  alice:\n    campaigns:\n")
		for i := range campaigns {
			fmt.Fprintf(&text, "    - {id: cmp_%d, name: Spring launch %d, created_at: 2026-01-05, updated_at: 2026-03-02, status: active}\n", i, i)
		}
		if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	publish(2000) // 200 KiB
	c := start(t, []string{"--volume=" + folder + ":/fixtures:ro"}, "/fixtures")
	c.awaitHealthy()
	for campaigns := range 10 {
		publish(2900 + campaigns) // almost what there is room for
		if status, said := c.ask("POST", "/_fake/reload", ""); status != 200 {
			t.Fatalf("a reload is answered %d %s", status, said)
		}
	}
	publish(40_000)
	for health := ""; !strings.Contains(health, "too large for the memory") && !t.Failed(); _, health = c.ask("GET", "/_fake/health", "") {
	}
	for range 20 {
		if status, said := c.ask("POST", "/_fake/reload", ""); status != 400 || !strings.Contains(said, "too large for the memory") {
			t.Fatalf("a reload is answered %d %s", status, said)
		}
	}
	if status, body := c.get("alice"); status != 200 || !strings.Contains(body, "cmp_2908") {
		t.Errorf("alice is answered %d", status)
	}
	name := docker(t, "run", "--detach", "--memory=32m", "--memory-swap=32m", "--volume="+folder+":/fixtures:ro", image, "/fixtures")
	defer docker(t, "rm", "--force", name)
	if code := docker(t, "wait", name); code != "1" {
		t.Errorf("the exit code is %s", code)
	}
}

// When silent clients take all file descriptors, a new client is still answered at once.
func TestFewDescriptors(t *testing.T) {
	for _, descriptors := range []string{"64", "256"} {
		t.Run(descriptors, func(t *testing.T) {
			c := start(t, []string{"--memory=256m", "--memory-swap=256m", "--ulimit=nofile=" + descriptors}, "--quiet")
			c.awaitHealthy()
			b := c.bystander()
			var silent []net.Conn
			for range 500 {
				silent = append(silent, (&attack{container: c}).attacker())
			}
			b.stop()
			if b.failure != nil || b.slowest > slowest {
				t.Errorf("a bystander waits %s, %v", b.slowest, b.failure)
			}
			for _, conn := range silent {
				conn.Close()
			}
		})
	}
}

// limits asks for the limits of the server.
func (c *container) limits() (limits map[string]int) {
	c.t.Helper()
	var health struct{ Limits map[string]int }
	if _, said := c.ask("GET", "/_fake/health", ""); json.Unmarshal([]byte(said), &health) != nil || health.Limits["memory_bytes"] == 0 {
		c.t.Fatalf("health says %s", said)
	}
	return health.Limits
}

// ask sends a request to the control plane.
func (c *container) ask(method, path, body string) (status int, said string) {
	c.t.Helper()
	request, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	if err != nil {
		c.t.Errorf("%s %s: %v", method, path, err)
		return 0, ""
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(text)
}

// A bystander asks every 50 ms, each time over a new connection.
type bystander struct {
	stop    func()
	count   int
	slowest time.Duration
	failure error
}

func (c *container) bystander() *bystander {
	c.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	b := &bystander{}
	ask := func() error {
		begin := time.Now()
		address := strings.TrimPrefix(c.url, "http://")
		conn, err := net.Dial("tcp", address)
		if errors.Is(err, syscall.ECONNRESET) {
			// This machine has told the bystander so late of its connection that thousands
			// of newer ones were open by then. The time for an answer goes on.
			conn, err = net.Dial("tcp", address)
		}
		if err != nil {
			return err
		}
		defer conn.Close()
		conn.SetDeadline(begin.Add(20 * time.Second))
		fmt.Fprint(conn, "GET /api/user/campaigns HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer demo\r\n\r\n")
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if said, err := io.ReadAll(response.Body); err != nil || response.StatusCode != 200 {
			return fmt.Errorf("status %d, %s, %v", response.StatusCode, said, err)
		}
		b.count++
		b.slowest = max(b.slowest, time.Since(begin))
		return nil
	}
	if err := ask(); err != nil {
		c.t.Fatalf("a bystander: %v", err)
	}
	var done sync.WaitGroup
	done.Go(func() {
		ticker := time.NewTicker(50 * time.Millisecond)
		defer ticker.Stop()
		for ctx.Err() == nil {
			<-ticker.C
			if err := ask(); err != nil {
				b.failure = err
				return
			}
		}
	})
	b.stop = func() {
		cancel()
		done.Wait()
	}
	return b
}

// An attack is what clients do to a container, and the statuses that it answered.
type attack struct {
	*container
	limits map[string]int

	mu       sync.Mutex
	statuses map[int]int
}

// answered counts an answer. Only those that name a limit may refuse.
func (a *attack) answered(status int, said string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.statuses == nil {
		a.statuses = make(map[int]int)
	}
	a.statuses[status]++
	if !slices.Contains([]int{200, 201, 400, 413, 431, 503, 507}, status) {
		a.t.Errorf("an answer is %d %.300s", status, said)
	}
}

// said returns the statuses, and forgets them.
func (a *attack) said() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer func() { a.statuses = nil }()
	return strings.TrimPrefix(fmt.Sprint(a.statuses), "map")
}

// each calls a function many times, so many at once.
func each(times, atOnce int, f func(i int)) {
	var next atomic.Int64
	var done sync.WaitGroup
	for range atOnce {
		done.Go(func() {
			for i := next.Add(1) - 1; i < int64(times); i = next.Add(1) - 1 {
				f(int(i))
			}
		})
	}
	done.Wait()
}

// repeated returns a list of so many bytes.
func repeated(before, item, after string, bytes int) string {
	count := max((bytes-len(before)-len(after))/(len(item)+1), 1)
	return before + strings.TrimSuffix(strings.Repeat(item+",", count), ",") + after
}

// largeBodies sends bodies of all kinds and sizes, to as many users.
func (a *attack) largeBodies() {
	campaign := `{"id":"cmp_1","name":"Spring launch","created_at":"2026-01-05T09:30:00Z","updated_at":"2026-03-02T08:15:00Z","status":"active"}`
	fits := repeated(`{"campaigns":[`, campaign, `]}`, a.limits["body_bytes"]-100)
	for range 3 {
		if status, said := a.ask("PUT", "/_fake/users?token=fits", fits); status != 201 && status != 200 {
			a.t.Errorf("a body of %d bytes is answered %d %.300s", len(fits), status, said)
		}
	}
	var bodies []string
	for _, bytes := range []int{a.limits["body_bytes"] / 2, a.limits["body_bytes"] - 100, 1_500_000, 8<<20 - 100} {
		bodies = append(bodies,
			repeated(`{"campaigns":[`, campaign, `]}`, bytes),
			repeated(`{"campaigns":[{"omit":["id","name","created_at","updated_at","status"],"extra":{"x":[`, `1`, `]}}]}`, bytes),
			repeated(`{"campaigns":[{"omit":["id","name","created_at","updated_at","status"],"extra":{"x":[`, `{"a":{}}`, `]}}]}`, bytes),
			repeated(`{"replies":[`, `{}`, `]}`, bytes),
			repeated(`{"campaigns":[`, `{}`, `]}`, bytes))
	}
	each(2*len(bodies), 16, func(i int) {
		a.answered(a.ask("PUT", fmt.Sprintf("/_fake/users?token=user-%d", i), bodies[i%len(bodies)]))
	})
	for range 3 {
		a.answered(a.ask("PUT", "/_fake/users?token=generated", `{"generate":{"count":1000000}}`))
	}
	a.answered(a.ask("POST", "/_fake/reload", ""))
	if status, said := a.ask("POST", "/_fake/reset", ""); status != 204 {
		a.t.Errorf("a reset is answered %d %s", status, said)
	}
}

// slowClients send headers or bodies slowly, or do not read a large answer.
func (a *attack) slowClients() {
	open := make([]net.Conn, 2000)
	each(len(open), 50, func(i int) {
		conn := a.attacker()
		open[i] = conn
		switch i % 4 {
		case 0:
			fmt.Fprintf(conn, "GET /api/user/campaigns HTTP/1.1\r\nHost: a\r\nX-Long: %s", strings.Repeat("a", 7000))
			return
		case 1:
			fmt.Fprintf(conn, "PUT /_fake/users?token=t HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\n%s", strings.Repeat(" ", 20_000))
			return
		case 2:
			fmt.Fprintf(conn, "POST /api/user/campaigns HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n%s", strings.Repeat(" ", 20_000))
			return
		}
		fmt.Fprint(conn, "GET /api/user/campaigns HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer huge\r\n\r\n")
		a.readStatus(conn)
	})
	time.Sleep(2 * time.Second) // while they hold what they have
	for _, conn := range open {
		conn.Close()
	}
}

// attacker opens a connection, which the server may close at once to make room for the
// next one.
func (a *attack) attacker() net.Conn {
	conn, err := net.Dial("tcp", strings.TrimPrefix(a.url, "http://"))
	if err == nil {
		return conn
	}
	if !errors.Is(err, syscall.ECONNRESET) {
		a.t.Error(err)
	}
	closed, _ := net.Pipe()
	closed.Close()
	return closed
}

// readStatus reads the first bytes of an answer, and no more. Connections that the server
// has closed to make room have no answer.
func (a *attack) readStatus(conn net.Conn) {
	line := make([]byte, len("HTTP/1.1 200"))
	conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	status := 0
	if _, err := io.ReadFull(conn, line); errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.ErrClosedPipe) {
		return
	} else if err != nil {
		a.t.Errorf("a client is answered nothing: %v", err)
	} else if _, err := fmt.Sscanf(string(line), "HTTP/1.1 %d", &status); err != nil {
		a.t.Errorf("a client is answered %q", line)
	}
	a.answered(status, "")
}

// idleConnections open connections and say nothing.
func (a *attack) idleConnections() {
	open := make([]net.Conn, 10_000)
	each(len(open), 50, func(i int) { open[i] = a.attacker() })
	for _, conn := range open {
		conn.Close()
	}
}

// largeAnswers asks for all that can be large, and reads it slowly or not at all.
func (a *attack) largeAnswers() {
	body := repeated(`{"campaigns":[`, `{"id":"cmp_1","name":"Spring launch","created_at":"2026-01-05T09:30:00Z","updated_at":"2026-03-02T08:15:00Z","status":"active"}`, `]}`, a.limits["body_bytes"]-100)
	a.answered(a.ask("PUT", "/_fake/users?token=large", body))
	paths := []string{"/_fake/users?token=large", "/_fake/requests?limit=1000", "/_fake/campaigns?token=huge", "/_fake/campaigns?token=huge&limit=10000", "/_fake/users"}
	open := make([]net.Conn, 150)
	each(len(open), 50, func(i int) {
		open[i] = a.attacker()
		fmt.Fprintf(open[i], "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", paths[i%len(paths)])
		a.readStatus(open[i])
	})
	for _, conn := range open {
		conn.Close()
	}
	a.ask("DELETE", "/_fake/users?token=large", "")
}

// followers follow the events without reading them, while others ask.
func (a *attack) followers() {
	open := make([]net.Conn, 100)
	each(len(open), 20, func(i int) {
		open[i] = a.attacker()
		fmt.Fprint(open[i], "GET /_fake/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
		a.readStatus(open[i])
	})
	a.largeHeaders()
	for _, conn := range open {
		conn.Close()
	}
}

// largeHeaders sends headers of all sizes, which go into the journal.
func (a *attack) largeHeaders() {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 50}}
	defer client.CloseIdleConnections()
	each(1000, 50, func(i int) {
		request, _ := http.NewRequest("GET", a.url+"/api/user/campaigns", nil)
		request.Header.Set("Authorization", "Bearer demo")
		request.Header.Set("X-Long", strings.Repeat("a", i%4*a.limits["header_bytes"]/2))
		a.send(client, request)
	})
}

// tokens sends many long tokens that no user has.
func (a *attack) tokens() {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 50}}
	defer client.CloseIdleConnections()
	each(1500, 50, func(i int) {
		request, _ := http.NewRequest("GET", a.url+"/api/user/campaigns", nil)
		request.Header.Set("Authorization", fmt.Sprintf("Bearer %d%s", i, strings.Repeat("a", 6000)))
		a.send(client, request)
	})
}

func (a *attack) send(client *http.Client, request *http.Request) {
	response, err := client.Do(request)
	if err != nil {
		var refused *net.OpError
		if !errors.As(err, &refused) {
			a.t.Error(err)
		}
		return
	}
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	a.answered(response.StatusCode, "")
}
