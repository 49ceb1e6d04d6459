package fake

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Follow calls a function with the requests that carry one of the tokens, or with
// all requests if none is given: at first with those in the journal, then with
// those that arrive. It passes each request once, when its answer has begun or it
// is known that none comes, and several at once where it can.
//
// It returns when ctx is done, when the function returns an error, or when the
// server ends the connection, always with an error.
func (c *Client) Follow(ctx context.Context, tell func([]Request) error, tokens ...string) error {
	f := &follower{client: c, tokens: tokens, tell: tell}
	f.forget()
	err := f.run(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return fmt.Errorf("the server at %s has ended the connection, as it does when it stops", c.server())
	}
	return err
}

// A follower passes on each request once, however often the server tells of it.
// The number of a request tells it from others.
type follower struct {
	client *Client
	tokens []string
	tell   func([]Request) error

	journal    int          // which the numbers belong to; -1 if that is not known
	latest     int          // the highest number so far
	unanswered map[int]bool // numbers that were not passed on yet
}

// forget makes the follower expect numbers from 1 again.
func (f *follower) forget() { f.journal, f.latest, f.unanswered = -1, 0, make(map[int]bool) }

// run reads events until there are no more, which is io.EOF.
func (f *follower) run(ctx context.Context) error {
	version, err := f.catchUp(ctx)
	if err != nil {
		return err
	}
	query := url.Values{"since": {strconv.Itoa(version)}}
	if len(f.tokens) == 1 {
		query.Set("token", f.tokens[0])
	}
	response, err := f.client.request(ctx, "GET", "events", query, nil)
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
		case "data": // is always one line, since it is JSON
			if err := f.read(ctx, event, []byte(value)); err != nil {
				return err
			}
		}
	}
}

// read reads one event.
func (f *follower) read(ctx context.Context, event string, data []byte) error {
	switch event {
	case "change":
		var c change
		if err := json.Unmarshal(data, &c); err != nil {
			return err
		}
		if c.What == "reset" && c.Token == nil {
			f.forget()
		}
	case "missed": // there were more changes than the events tell
		_, err := f.catchUp(ctx)
		return err
	case "request":
		var r Request
		if err := json.Unmarshal(data, &r); err != nil {
			return err
		}
		return f.pass(r)
	}
	return nil
}

// catchUp passes on what the journal holds. It returns the version that events are
// to continue from.
func (f *follower) catchUp(ctx context.Context) (version int, err error) {
	list, err := f.client.journal(ctx, f.tokens)
	if err != nil {
		return 0, err
	}
	if f.journal >= 0 && f.journal != list.Journal { // a reset was among what was missed
		f.forget()
	}
	f.journal = list.Journal
	return list.Version, f.pass(list.Requests...)
}

// pass passes on the requests that are answered, or will not be, and were not
// passed on before. A request that was never answered has a duration.
func (f *follower) pass(requests ...Request) error {
	var over []Request
	for _, r := range requests {
		if r.Number <= f.latest && !f.unanswered[r.Number] || len(f.tokens) > 1 && !slices.Contains(f.tokens, r.Token) {
			continue
		}
		f.latest = max(f.latest, r.Number)
		if r.Status == 0 && r.Duration == 0 {
			f.unanswered[r.Number] = true
			continue
		}
		delete(f.unanswered, r.Number)
		over = append(over, r)
	}
	if len(over) == 0 {
		return nil
	}
	return f.tell(over)
}
