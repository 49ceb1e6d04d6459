package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"example.com/campaignfake/fake"
)

type requestsCommand struct {
	Follow    bool    `env:"-" help:"Continue with requests as they are answered, until interrupted."`
	Token     token   `env:"-" placeholder:"TOKEN" help:"Only requests that carry this bearer token."`
	Unmatched bool    `env:"-" help:"Only requests with a path or a method that the API does not have."`
	JSON      bool    `name:"json" env:"-" help:"Print each request as JSON on a line, with its headers and its answer."`
	Server    running `embed:""`
}

func (c *requestsCommand) Run() error {
	var tokens []string
	if c.Token != "" {
		tokens = []string{string(c.Token)}
	}
	printer := &requestPrinter{out: os.Stdout, json: c.JSON, unmatched: c.Unmatched}
	return c.Server.control(func(ctx context.Context, client *fake.Client) error {
		if c.Follow {
			return follow(ctx, client, printer.print, tokens)
		}
		requests, err := client.Requests(ctx, tokens...)
		if err != nil {
			return err
		}
		return printer.print(requests)
	})
}

// follow prints the requests in the journal, and then new ones, until a signal comes
// or the server ends the connection. A second signal ends the process.
func follow(ctx context.Context, client *fake.Client, print func([]fake.Request) error, tokens []string) error {
	ctx, stop := signal.NotifyContext(ctx, endings()...)
	defer stop()
	context.AfterFunc(ctx, stop)
	if err := client.Follow(ctx, print, tokens...); ctx.Err() == nil {
		return err
	}
	return nil
}

// A requestPrinter prints requests as lines whose columns are aligned, or as JSON.
type requestPrinter struct {
	out       io.Writer
	json      bool
	unmatched bool // print only unmatched requests

	widths [6]int // of the columns so far; the last column has none
}

func (p *requestPrinter) print(requests []fake.Request) error {
	var out bytes.Buffer
	var rows [][7]string
	for _, r := range requests {
		switch {
		case p.unmatched && !r.Unmatched:
		case p.json:
			text, err := json.Marshal(r)
			if err != nil {
				return err
			}
			out.Write(append(escapeJSON(text), '\n'))
		default:
			rows = append(rows, columns(r))
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

// columns returns the columns for a request.
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

// escapeJSON escapes control characters that JSON allows, and that could change the
// terminal.
func escapeJSON(text []byte) []byte {
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
