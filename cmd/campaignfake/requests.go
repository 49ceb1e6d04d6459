package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"example.com/campaignfake/fake"
)

type requestsCommand struct {
	Follow    bool    `env:"-" help:"Go on with further requests as they are answered, until interrupted."`
	Token     token   `env:"-" placeholder:"TOKEN" help:"Only requests that carry this bearer token."`
	Unmatched bool    `env:"-" help:"Only requests for another path, or with another method, than the service has."`
	JSON      bool    `name:"json" env:"-" help:"Print each request as JSON on a line, with its headers and its answer."`
	Server    running `embed:""`
}

func (c *requestsCommand) Run() error {
	plane, err := c.Server.controlPlane(context.Background())
	if err != nil {
		return err
	}
	filter := url.Values{}
	if c.Token != "" {
		filter.Set("token", string(c.Token))
	}
	printer := &requestPrinter{out: os.Stdout, json: c.JSON, unmatched: c.Unmatched}
	if c.Follow {
		return (&follower{plane: plane, filter: filter, print: printer.print}).follow()
	}
	list, err := plane.requests(context.Background(), filter)
	if err != nil {
		return err
	}
	return printer.print(list.Requests)
}

// A listedRequest is a request as the control plane lists it.
type listedRequest struct {
	fake.Request
	text []byte // the JSON that it was read from
}

func (r *listedRequest) UnmarshalJSON(text []byte) error {
	r.text = bytes.Clone(text)
	return r.Request.UnmarshalJSON(text)
}

// A requestList is what the control plane lists of the journal.
type requestList struct {
	Requests []listedRequest // the latest first
	More     bool            // there are earlier ones
	Journal  int             // another one after a reset
	Version  int             // for events to go on from
}

// requests returns all that the journal holds and a filter lets through, the
// oldest first.
func (p *controlPlane) requests(ctx context.Context, filter url.Values) (all requestList, err error) {
	query := url.Values{"limit": {"1000"}, "token": filter["token"]}
	for more := true; more; {
		var list requestList
		if err := p.call(ctx, "GET", "requests", query, nil, &list); err != nil {
			return all, err
		}
		switch {
		case !query.Has("before"):
			all = list
		case list.Journal != all.Journal: // what was read has been forgotten meanwhile
			query.Del("before")
			continue
		default:
			all.Requests = append(all.Requests, list.Requests...)
		}
		if more = list.More && len(list.Requests) > 0; more {
			query.Set("before", strconv.Itoa(all.Requests[len(all.Requests)-1].Number))
		}
	}
	slices.Reverse(all.Requests)
	return all, nil
}

// A requestPrinter prints requests, each on a line.
type requestPrinter struct {
	out       io.Writer
	json      bool
	unmatched bool // and no others

	widths [6]int // of the columns so far; the last column has none
}

func (p *requestPrinter) print(requests []listedRequest) error {
	var out bytes.Buffer
	var rows [][7]string
	for _, r := range requests {
		switch {
		case p.unmatched && !r.Unmatched:
		case p.json:
			out.Write(append(harmless(r.text), '\n'))
		default:
			rows = append(rows, columns(r.Request))
		}
	}
	for _, row := range rows {
		for i := range p.widths {
			p.widths[i] = max(p.widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	for _, row := range rows {
		for i, width := range p.widths {
			fmt.Fprintf(&out, "%-*s  ", width, row[i])
		}
		fmt.Fprintln(&out, row[len(p.widths)])
	}
	_, err := p.out.Write(out.Bytes())
	return err
}

// columns returns what is printed of a request.
func columns(r fake.Request) [7]string {
	status, took := "-", fmt.Sprintf("%10s", "-")
	if r.Status != 0 {
		status = strconv.Itoa(r.Status)
	}
	if r.Duration > 0 {
		took = fmt.Sprintf("%8.2fms", float64(r.Duration)/float64(time.Millisecond))
	}
	const urlWidth, reasonWidth = 80, 400
	return [7]string{
		r.At.Local().Format("15:04:05.000"), status, plain(r.Method, tokenWidth), plain(r.URL, urlWidth),
		cmp.Or(plain(r.Token, tokenWidth), "-"), took, plain(r.Reason, reasonWidth),
	}
}

// harmless escapes what JSON allows as it is, and a terminal might obey.
func harmless(text []byte) []byte {
	var safe []byte
	for _, r := range string(text) {
		if strconv.IsPrint(r) {
			safe = utf8.AppendRune(safe, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			safe = fmt.Appendf(safe, `\u%04x`, unit)
		}
	}
	return safe
}
