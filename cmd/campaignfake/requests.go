package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"

	"example.com/campaignfake/fake"
)

type requestsCommand struct {
	Follow    bool  `flag:"follow" env:"off" help:"Continue with requests as they are answered, until interrupted."`
	Token     token `flag:"token" env:"off" placeholder:"TOKEN" help:"Only requests that carry this bearer token."`
	Unmatched bool  `flag:"unmatched" env:"off" help:"Only requests with a path or a method that the API does not have."`
	JSON      bool  `flag:"json" env:"off" help:"Print each request as JSON on a line, with its headers and its answer."`
	running
}

func (c *requestsCommand) run(call *call) error {
	var tokens []string
	if c.Token != "" {
		tokens = []string{string(c.Token)}
	}
	printer := &requestPrinter{out: call.stdout, json: c.JSON, unmatched: c.Unmatched, table: table{coloured: call.mayColour(call.stdout)}}
	return c.control(func(client *fake.Client) error {
		if c.Follow {
			return follow(call, client, printer.print, tokens)
		}
		return printer.printAll(client.Journal(tokens...))
	})
}

// follow prints the requests in the journal, and then new ones, until a signal comes
// or the server ends the connection.
func follow(ctx context.Context, client *fake.Client, print func([]fake.Request) error, tokens []string) error {
	ctx, stop := untilSignal(ctx)
	defer stop()
	if err := client.Follow(ctx, print, tokens...); ctx.Err() == nil {
		return err
	}
	return nil
}

// A requestPrinter prints requests as rows of a table, or as JSON.
type requestPrinter struct {
	out       io.Writer
	json      bool
	unmatched bool // print only unmatched requests
	table     table
}

// printAll prints requests. JSON is printed one request at a time, since a journal with
// whole bodies can be larger than the memory of a small container. Rows wait for the last
// one, since columns are as wide as their longest text, but without their bodies.
func (p *requestPrinter) printAll(requests iter.Seq2[fake.Request, error]) error {
	var waiting []fake.Request
	for request, err := range requests {
		if err == nil && p.json {
			err = p.print([]fake.Request{request})
		}
		if err != nil {
			return err
		}
		if !p.json {
			request.Header, request.Answer = nil, fake.Answer{}
			waiting = append(waiting, request)
		}
	}
	return p.print(waiting)
}

func (p *requestPrinter) print(requests []fake.Request) error {
	var out bytes.Buffer
	var rows []row
	for _, r := range requests {
		switch {
		case p.unmatched && !r.Unmatched:
		case p.json:
			if err := json.NewEncoder(escaping{&out}).Encode(r); err != nil {
				return err
			}
		default:
			rows = append(rows, newRow(r))
			p.table.widen(rows[len(rows)-1])
		}
	}
	for _, row := range rows {
		p.table.write(&out, row)
	}
	_, err := p.out.Write(out.Bytes())
	return err
}
