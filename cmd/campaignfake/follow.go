package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// A follower prints each request once, when it is over, however often it hears of
// it. Requests are told apart by their numbers.
type follower struct {
	plane  *controlPlane
	filter url.Values
	print  func([]listedRequest) error

	journal int          // that the numbers are of; -1 if that is not known
	latest  int          // the highest number so far
	open    map[int]bool // those that were not over
}

// follow prints what the journal holds, and then what comes, until a signal ends
// it, or the server the connection.
func (f *follower) follow() error {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends what the first cannot
	f.forget()
	err := f.read(ctx)
	switch {
	case ctx.Err() != nil:
		return nil // whatever the signal interrupted
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return fmt.Errorf("the server at %s has ended the connection, as it does when it stops; start this again when it runs", f.plane.root)
	}
	return err
}

// forget has the numbers start over.
func (f *follower) forget() { f.journal, f.latest, f.open = -1, 0, make(map[int]bool) }

// read reads events until there are no more, which is io.EOF.
func (f *follower) read(ctx context.Context) error {
	version, err := f.catchUp(ctx)
	if err != nil {
		return err
	}
	query := url.Values{"since": {strconv.Itoa(version)}, "token": f.filter["token"]}
	response, err := f.plane.open(ctx, "GET", "events", query, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	lines := bufio.NewReader(response.Body)
	var event string
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return err
		}
		switch field, value, _ := strings.Cut(line, ": "); field {
		case "event":
			event = strings.TrimSpace(value)
		case "data": // on one line, since JSON has no need of more
			if err := f.hear(ctx, event, []byte(value)); err != nil {
				return err
			}
		}
	}
}

// hear takes in one event.
func (f *follower) hear(ctx context.Context, event string, data []byte) error {
	switch event {
	case "change":
		var change struct {
			What  string
			Token *string // nil if it concerns all
		}
		if err := json.Unmarshal(data, &change); err != nil {
			return err
		}
		if change.What == "reset" && change.Token == nil {
			f.forget()
		}
	case "missed": // there was more than events tell
		_, err := f.catchUp(ctx)
		return err
	case "request":
		var r listedRequest
		if err := json.Unmarshal(data, &r); err != nil {
			return err
		}
		return f.take(r)
	}
	return nil
}

// catchUp takes in what the journal holds. It returns the version for events to
// go on from.
func (f *follower) catchUp(ctx context.Context) (version int, err error) {
	list, err := f.plane.requests(ctx, f.filter)
	if err != nil {
		return 0, err
	}
	if f.journal >= 0 && f.journal != list.Journal { // a reset was missed as well
		f.forget()
	}
	f.journal = list.Journal
	return list.Version, f.take(list.Requests...)
}

// take prints those requests that are over, and were not before. One that was
// never answered is told from one that may be by the time that it took.
func (f *follower) take(requests ...listedRequest) error {
	var over []listedRequest
	for _, r := range requests {
		if r.Number <= f.latest && !f.open[r.Number] {
			continue
		}
		f.latest = max(f.latest, r.Number)
		if r.Status == 0 && r.Duration == 0 {
			f.open[r.Number] = true
			continue
		}
		delete(f.open, r.Number)
		over = append(over, r)
	}
	return f.print(over)
}
