package containers

import (
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/campaignfake/ci/process"
)

const campaign = `{"id":"cmp_1","name":"Spring launch","status":"active",` +
	`"created_at":"2026-01-05T09:30:00Z","updated_at":"2026-03-02T08:15:00Z"}`

// A container of 128 MiB is alive, and serves, after what a careless suite may do to it.
func TestMemory(t *testing.T) {
	options := []string{"--memory=128m", "--memory-swap=128m"}
	if docker(t, "info", "--format", "{{.CgroupVersion}}") == "1" { // an old engine, whose limit the command does not read
		options = append(options, "--env=GOMEMLIMIT=112MiB")
	}
	c := start(t, options, "--quiet")
	for _, strain := range []struct {
		name          string
		times, atOnce int
		do            func(i int) error
	}{
		{"10,000 unknown tokens of 7 kB", 10_000, 20, func(i int) error {
			_, _, err := process.Ask(c.url+"/api", fmt.Sprint(i, strings.Repeat("x", 7000)))
			return err
		}},
		{"2,000 connections that send a part of a request", 2000, 2000, func(int) error {
			conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
			if err == nil {
				defer conn.Close()
				defer time.Sleep(time.Second) // while the server has what was sent
				_, err = fmt.Fprintf(conn, "GET /api/user/campaigns HTTP/1.1\r\nHost: a\r\nX-Long: %s", strings.Repeat("x", 7000))
			}
			return err
		}},
		{"50 bodies of 1 MiB", 50, 50, func(i int) error {
			body := `{"campaigns":[` + strings.Repeat(campaign+",", 8000) + campaign + `]}`
			if status, said := c.ask("PUT", fmt.Sprint("users?token=large-", i%10), body); status != 201 && status != 200 {
				return fmt.Errorf("user %d is answered %d %.200s", i, status, said)
			}
			return nil
		}},
	} {
		var all sync.WaitGroup
		for first := range strain.atOnce {
			all.Go(func() {
				for i := first; i < strain.times; i += strain.atOnce {
					if err := strain.do(i); err != nil {
						t.Errorf("%s: %v", strain.name, err)
					}
				}
			})
		}
		all.Wait()
		if state := c.inspect("{{.RestartCount}} {{.State.OOMKilled}} {{.State.Running}}"); state != "0 false true" {
			t.Fatalf("after %s: restarts, out of memory, running: %s", strain.name, state)
		}
	}
}
