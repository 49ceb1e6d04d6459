package containers

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// A container of 128 MiB is alive, and serves, after what a careless suite may do to it.
func TestMemory(t *testing.T) {
	c := start(t, []string{"--memory=128m", "--memory-swap=128m"}, "--quiet")
	c.awaitHealthy()
	for name, strain := range map[string]func(){
		"unknown tokens": c.unknownTokens, "slow connections": c.slowConnections, "large bodies": c.largeBodies,
	} {
		begin := time.Now()
		strain()
		if status, body := c.get("demo"); status != 200 || !strings.Contains(body, "campaigns") {
			t.Errorf("after %s, demo is answered %d %.200s", name, status, body)
		}
		if state := c.inspect("{{.RestartCount}} {{.State.OOMKilled}} {{.State.Running}}"); state != "0 false true" {
			t.Fatalf("after %s: restarts, out of memory, running: %s", name, state)
		}
		t.Logf("%s: %s", name, time.Since(begin).Round(100*time.Millisecond))
	}
}

// each calls a function with each number, a few at once.
func each(times, atOnce int, f func(i int)) {
	var all sync.WaitGroup
	for first := range atOnce {
		all.Go(func() {
			for i := first; i < times; i += atOnce {
				f(i)
			}
		})
	}
	all.Wait()
}

// ask sends a request to the control plane.
func (c *container) ask(method, path, body string) (status int, said string) {
	r, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Error(err)
		return 0, ""
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(text)
}

// unknownTokens asks with 10,000 tokens of 7 kB.
func (c *container) unknownTokens() {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 20}}
	defer client.CloseIdleConnections()
	each(10_000, 20, func(i int) {
		r, err := http.NewRequest("GET", c.url+"/api/user/campaigns", nil)
		if err != nil {
			c.t.Fatal(err)
		}
		r.Header.Set("Authorization", fmt.Sprintf("Bearer %d%s", i, strings.Repeat("x", 7000)))
		response, err := client.Do(r)
		if err != nil {
			c.t.Error(err)
			return
		}
		io.Copy(io.Discard, response.Body)
		if response.Body.Close(); response.StatusCode != 200 {
			c.t.Errorf("token %d is answered %d", i, response.StatusCode)
		}
	})
}

// slowConnections opens 2,000 connections that send a part of a request, and ends them.
func (c *container) slowConnections() {
	for range 2000 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
		if err != nil {
			c.t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "GET /api/user/campaigns HTTP/1.1\r\nHost: a\r\nX-Long: %s", strings.Repeat("x", 7000))
	}
	time.Sleep(time.Second) // while the server has what they sent
}

// largeBodies sends 50 bodies of 1 MiB at once, to ten users.
func (c *container) largeBodies() {
	const campaign = `{"id":"cmp_1","name":"Spring launch","created_at":"2026-01-05T09:30:00Z","updated_at":"2026-03-02T08:15:00Z","status":"active"}`
	body := `{"campaigns":[` + strings.Repeat(campaign+",", (1<<20)/(len(campaign)+1)-2) + campaign + `]}`
	body += strings.Repeat(" ", 1<<20-len(body))
	each(50, 50, func(i int) {
		if status, said := c.ask("PUT", fmt.Sprint("/_fake/users?token=large-", i%10), body); status != 201 && status != 200 {
			c.t.Errorf("user %d is answered %d %.200s", i, status, said)
		}
	})
}
