package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/signal"

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
	printer := &requestPrinter{out: os.Stdout, json: c.JSON, unmatched: c.Unmatched, table: table{coloured: mayColour(os.Stdout)}}
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

// A requestPrinter prints requests as rows of a table, or as JSON.
type requestPrinter struct {
	out       io.Writer
	json      bool
	unmatched bool // print only unmatched requests
	table     table
}

func (p *requestPrinter) print(requests []fake.Request) error {
	var out bytes.Buffer
	var rows []row
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
