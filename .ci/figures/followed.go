package main

import (
	"bufio"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

// followed measures what it costs the API that the page is open and follows: the
// events are read, and the page is asked for what is new four times a second, as
// its script does.
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
		err = fmt.Errorf("the page was asked %d times for what is new", asked)
	}
	return value, err
}

// follow does what the page does until it is done, and returns how often it has
// asked for what is new.
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
	page := &page{path: "/_fake/?since=", since: "0"}
	for {
		select {
		case <-done:
			return asked, nil
		case <-changed:
		}
		if err := page.ask(s); err != nil {
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

// A page asks for what is new: where the server draws it, for itself since some
// version, and where it draws itself, for the counts of the users.
type page struct{ path, since string }

var pageVersion = regexp.MustCompile(`data-version="(\d+)"`)

// ask asks once.
func (p *page) ask(s *server) error {
	text, err := s.send("GET", p.path+p.since, "")
	if err != nil {
		return err
	}
	found := pageVersion.FindStringSubmatch(text)
	switch {
	case found != nil:
		p.since = found[1]
	case p.since != "":
		p.path, p.since = "/_fake/users", ""
		return p.ask(s)
	}
	return nil
}
