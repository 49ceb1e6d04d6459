package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// followed measures what it costs the API that the page is open and follows: the
// events are read, and the page is asked for what is new four times a second, as
// its script does.
func followed(binary, dir string) error {
	const requests, rounds = 24_000, 11
	serve := []string{binary, "--listen", "127.0.0.1:0", "--quiet"}
	var perRequest [2][]float64
	var asked int
	var end func()
	var commands [2]*exec.Cmd
	var connections [2][]*connection
	for i := range commands {
		cmd, root, err := run(serve, dir)
		if err != nil {
			return err
		}
		defer stop(cmd)
		commands[i] = cmd
		for range clients {
			connections[i] = append(connections[i], newConnection(root))
		}
		if i == 1 {
			done := make(chan struct{})
			var group sync.WaitGroup
			group.Go(func() { asked = follow(root, done) })
			end = func() {
				close(done)
				group.Wait()
			}
		}
	}
	for round := range rounds + 1 {
		for turn := range commands {
			i := (turn + round) % len(commands)
			before, err := cpu(commands[i].Process.Pid)
			if err != nil {
				return err
			}
			errs := make([]error, clients)
			var group sync.WaitGroup
			for j, c := range connections[i] {
				group.Go(func() { errs[j] = c.send(requests / clients) })
			}
			group.Wait()
			for _, err := range errs {
				if err != nil {
					return err
				}
			}
			after, err := cpu(commands[i].Process.Pid)
			if err != nil {
				return err
			}
			if round > 0 { // the first one warms up
				perRequest[i] = append(perRequest[i], float64(after-before)/1000/requests)
			}
		}
	}
	end()
	if asked < rounds {
		return fmt.Errorf("the page was asked %d times in %d rounds", asked, rounds)
	}
	alone, open := median(perRequest[0]), median(perRequest[1])
	fmt.Printf("CPU per request while the page follows (goal 1.3):\n  alone %.2f µs, followed %.2f µs   %.2f times\n", alone, open, open/alone)
	return nil
}

// median is what counts where some of the work is done only now and then.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// version is where the page says what it shows.
var version = regexp.MustCompile(`data-version="(\d+)"`)

// follow does what the page does, until it is done, and returns how often it has
// asked for what is new.
func follow(root string, done <-chan struct{}) (asked int) {
	events, err := http.Get(root + "/_fake/events")
	if err != nil {
		return 0
	}
	defer events.Body.Close()
	news := make(chan struct{}, 1)
	go func() {
		lines := bufio.NewScanner(events.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "event: ") {
				select {
				case news <- struct{}{}:
				default:
				}
			}
		}
	}()
	since := "0"
	for {
		select {
		case <-done:
			return asked
		case <-news:
		}
		page, err := http.Get(root + "/_fake/?since=" + since)
		if err != nil {
			return asked
		}
		asked++
		text, _ := io.ReadAll(page.Body)
		page.Body.Close()
		if found := version.FindSubmatch(text); found != nil {
			since = string(found[1])
		}
		select {
		case <-done:
			return asked
		case <-time.After(250 * time.Millisecond):
		}
	}
}
