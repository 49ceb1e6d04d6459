package fake

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"syscall"

	"example.com/campaignfake/fake/internal/api"
)

// Follow calls handle with the requests that carry one of the tokens, or with all
// requests if none is given: first with those in the journal, then with new ones.
// Each request is passed once, when its answer has begun or it is certain that none
// comes, with the start of its body. A call may pass several requests, and calls do not
// overlap.
//
// Follow returns when ctx is done, when handle returns an error, or when the server
// ends the connection. It always returns an error, and fails no test.
func (c *Client) Follow(ctx context.Context, handle func([]Request) error, tokens ...string) error {
	f := &follower{client: c, tokens: tokens, handle: handle}
	f.forget()
	err := f.run(ctx)
	switch {
	case f.failed:
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return fmt.Errorf("the server at %s has ended the connection, as it does when it stops", c.server())
	}
	return err
}

// A follower passes each request once, however often the server sends it. It
// recognises a request by its number.
type follower struct {
	client *Client
	tokens []string
	handle func([]Request) error
	failed bool // handle has returned an error

	journal    int          // that of these numbers; -1 if it is not known
	latest     int          // the highest number so far
	unanswered map[int]bool // lower numbers that have not been passed
}

// forget makes the follower expect numbers from 1 again.
func (f *follower) forget() { f.journal, f.latest, f.unanswered = -1, 0, make(map[int]bool) }

// run reads events until the stream ends, which is io.EOF.
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
	return f.readEvents(ctx, response.Body)
}

// readEvents reads events until their stream ends.
func (f *follower) readEvents(ctx context.Context, stream io.Reader) error {
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, answerLimit)
	var event string
	for lines.Scan() {
		switch field, value, _ := strings.Cut(lines.Text(), ": "); field {
		case "event":
			event = value
		case "data": // always one line, since it is JSON
			if err := f.read(ctx, event, []byte(value)); err != nil {
				return err
			}
		}
	}
	return cmp.Or(lines.Err(), io.EOF)
}

// read reads one event.
func (f *follower) read(ctx context.Context, event string, data []byte) error {
	switch event {
	case "change":
		var c api.Change
		if err := json.Unmarshal(data, &c); err != nil {
			return err
		}
		if c.What == "reset" && c.Token == nil {
			f.forget()
		}
	case "missed": // some events were not sent
		_, err := f.catchUp(ctx)
		return err
	case "request":
		var r api.Request
		if err := json.Unmarshal(data, &r); err != nil {
			return err
		}
		return f.pass(r)
	}
	return nil
}

// catchUp passes the requests in the journal. It returns the version from which
// events continue.
func (f *follower) catchUp(ctx context.Context) (version int, err error) {
	for page, err := range f.client.pages(ctx, f.tokens, false) {
		if err != nil {
			return 0, err
		}
		if f.journal != page.Journal {
			if f.journal >= 0 { // there was a reset meanwhile
				f.forget()
			}
			f.journal, version = page.Journal, page.Version
		}
		if err := f.pass(page.requests...); err != nil {
			return 0, err
		}
	}
	return version, nil
}

// pass passes the requests whose answer has begun or will never come, except those
// that were passed before. A request without a status is over once it has a duration.
func (f *follower) pass(requests ...api.Request) error {
	var finished []api.Request
	for _, r := range requests {
		if r.Number <= f.latest && !f.unanswered[r.Number] || !listed(f.tokens, r.Token) {
			continue
		}
		f.latest = max(f.latest, r.Number)
		if r.Status == 0 && r.Duration == 0 {
			f.unanswered[r.Number] = true
			continue
		}
		delete(f.unanswered, r.Number)
		finished = append(finished, r)
	}
	if len(finished) == 0 {
		return nil
	}
	err := f.handle(newRequests(finished))
	f.failed = err != nil
	return err
}
