package main

import (
	"bytes"
	"encoding/json"
	"io"

	"example.com/campaignfake/fake"
)

type requestsCommand struct {
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
		requests, err := client.Requests(tokens...)
		if err != nil {
			return err
		}
		return printer.print(requests)
	})
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
