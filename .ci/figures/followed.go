package main

import (
	"bufio"
	"errors"
	"net/http"
	"strings"
	"time"
)

// followed measures what it costs the API that the page is open and follows.
func followed() measurement {
	side := func(open bool) measure {
		return func(t *tree) []float64 {
			s := t.serve(t.campaigns(10), "--quiet")
			defer s.stop()
			if !open {
				return []float64{cpuOfRequests(s, 24_000)}
			}
			done, ended := make(chan struct{}), make(chan error)
			go func() { ended <- try(func() { follow(s, done) }) }()
			spent := cpuOfRequests(s, 24_000)
			close(done)
			check(<-ended)
			return []float64{spent}
		}
	}
	return measurement{
		figures: []figure{{name: "CPU per request while the page follows", reference: "the same without the page", unit: "µs", more: true}},
		own:     side(true), reference: side(false),
	}
}

// follow does what the page's script does until it is done: it reads the events, and
// asks for the users four times a second at most.
func follow(s *server, done <-chan struct{}) {
	events := must(http.Get(s.root + "/_fake/events"))
	defer events.Body.Close()
	changed := make(chan struct{}, 1)
	go func() {
		lines := bufio.NewScanner(events.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "event: ") {
				select {
				case changed <- struct{}{}:
				default:
				}
			}
		}
	}()
	for asked := 0; ; asked++ {
		select {
		case <-done:
			if asked < 2 {
				check(errors.New("no events have come"))
			}
			return
		case <-changed:
			s.send("GET", "/_fake/users", "")
			time.Sleep(250 * time.Millisecond)
		}
	}
}
