package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	heldConnections = 10_000
	heldBytes       = 40 << 10 // that each may cost
	meanwhile       = 1000     // requests per second, for some seconds
	seconds         = 3
)

// held measures what it costs to keep clients waiting: connections whose answers
// hang, are held back, or stall, while others are answered. When the clients
// have gone away, their connections have to be closed again.
func held(binary, dir string) error {
	fixtures := filepath.Join(dir, "held.yaml")
	text := `users:
  token: {generate: {count: 10}}
  hang: {replies: [{fault: hang, times: always}]}
  delay: {delay: 1h}
  stall: {generate: {count: 10}, replies: [{fault: stall, times: always}]}
`
	if err := os.WriteFile(fixtures, []byte(text), 0o600); err != nil {
		return err
	}
	fmt.Printf("%d clients that wait, and %d requests a second of others:\n", heldConnections, meanwhile)
	for _, token := range []string{"hang", "delay", "stall"} {
		cmd, root, err := run([]string{binary, "--listen", "127.0.0.1:0", fixtures}, dir)
		if err != nil {
			return err
		}
		err = hold(cmd.Process.Pid, root, token)
		stop(cmd)
		if err != nil {
			return fmt.Errorf("%s: %w", token, err)
		}
	}
	return nil
}

func hold(pid int, root, token string) error {
	quiet := newConnection(root)
	if err := quiet.send(meanwhile); err != nil {
		return err
	}
	before, err := memory(pid)
	if err != nil {
		return err
	}
	open, err := files(pid)
	if err != nil {
		return err
	}
	waiting := make([]*connection, heldConnections)
	for i := range waiting {
		c := newConnection(root)
		if c.err != nil {
			return c.err
		}
		request := strings.Replace(string(c.request), "Bearer token", "Bearer "+token, 1)
		if _, err := c.conn.Write([]byte(request)); err != nil {
			return err
		}
		c.reader = nil
		waiting[i] = c
	}
	// The server has read all of them when it has answered one that came later,
	// and the journal, which counts in the order of arrival, has a round number.
	late, err := answered(root)
	if err != nil {
		return err
	}
	after, err := memory(pid)
	if err != nil {
		return err
	}
	each := float64(after-before) / heldConnections
	for _, c := range waiting {
		c.conn.Close()
	}
	if err := closed(pid, open); err != nil {
		return err
	}
	fmt.Printf("  %-6s %5.1f KiB each; %d others were answered in %.2f s\n", token, each/1024, seconds*meanwhile, late.Seconds())
	if each > heldBytes {
		return fmt.Errorf("a waiting client costs %.0f bytes, more than %d", each, heldBytes)
	}
	if late > (seconds+1)*time.Second {
		return fmt.Errorf("%d requests took %s, not %d s", seconds*meanwhile, late, seconds)
	}
	return nil
}

// answered sends requests evenly over some seconds, and returns how long it
// takes until all of them are answered.
func answered(root string) (time.Duration, error) {
	begin := time.Now()
	errs := make([]error, clients)
	var group sync.WaitGroup
	for i := range clients {
		c := newConnection(root)
		group.Go(func() {
			tick := time.NewTicker(clients * time.Second / meanwhile)
			defer tick.Stop()
			for range seconds * meanwhile / clients {
				<-tick.C
				if errs[i] = c.send(1); errs[i] != nil {
					return
				}
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return time.Since(begin), nil
}

// closed waits until a process has no more open files than before, save the
// connections of those who were answered.
func closed(pid, before int) error {
	for range 100 {
		now, err := files(pid)
		if err != nil {
			return err
		}
		if now <= before+clients {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	now, _ := files(pid)
	return fmt.Errorf("the server keeps %d files open, and had %d", now, before)
}

func files(pid int) (int, error) {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return len(entries), err
}

// memory returns the bytes of a process that are in memory.
func memory(pid int) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(after)[0])
	return kib << 10, err
}
