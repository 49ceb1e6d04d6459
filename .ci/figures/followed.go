package main

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// followed measures what it costs the API that the page is open and follows: the
// events are read, and the users are asked for four times a second at most, as the
// page's script does for their counts.
func followed() measurement {
	side := func(open bool) measure {
		return func(t *tree) ([]float64, error) {
			fixtures, err := t.campaigns(10)
			if err != nil {
				return nil, err
			}
			s, err := t.serve(asImage, "--quiet", fixtures)
			if err != nil {
				return nil, err
			}
			defer s.stop()
			if !open {
				spent, err := cpuOfRequests(s, 24_000)
				return []float64{spent}, err
			}
			spent, err := whileFollowed(s, func() (float64, error) { return cpuOfRequests(s, 24_000) })
			return []float64{spent}, err
		}
	}
	return measurement{
		figures: []figure{{name: "CPU per request while the page follows", reference: "the same without the page", unit: "µs"}},
		own:     side(true), reference: side(false),
	}
}

// whileFollowed measures while the page follows, and fails if it has not.
func whileFollowed(s *server, measure func() (float64, error)) (value float64, err error) {
	done := make(chan struct{})
	var asked int
	var trouble error
	var group sync.WaitGroup
	group.Go(func() { asked, trouble = follow(s, done) })
	value, err = measure()
	close(done)
	group.Wait()
	switch {
	case err == nil && trouble != nil:
		err = trouble
	case err == nil && asked < 2:
		err = fmt.Errorf("the users were asked for %d times", asked)
	}
	return value, err
}

// follow does what the page does until it is done, and returns how often it has
// asked for the users.
func follow(s *server, done <-chan struct{}) (asked int, err error) {
	events, err := http.Get(s.root + "/_fake/events")
	if err != nil {
		return 0, err
	}
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
	for {
		select {
		case <-done:
			return asked, nil
		case <-changed:
		}
		if _, err := s.send("GET", "/_fake/users", ""); err != nil {
			return asked, err
		}
		asked++
		select {
		case <-done:
			return asked, nil
		case <-time.After(250 * time.Millisecond):
		}
	}
}
