package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"example.com/campaignfake/fixtures"
)

// The parts of a reply are texts here, since fixtures know what each can be.
type replyCommand struct {
	Token    token    `arg:"" help:"The bearer token whose next requests are answered differently."`
	Status   *string  `env:"-" placeholder:"503" help:"The HTTP status of the answer."`
	Times    *string  `env:"-" placeholder:"N|always" help:"For how many requests (default 1)."`
	Delay    *string  `env:"-" placeholder:"TIME" help:"How long to hold the answer back: 2s, 80ms..250ms, or {median: 80ms, p99: 2s}."`
	Fault    *string  `env:"-" placeholder:"NAME" help:"What breaks, as reset, hang or truncate."`
	Response *string  `env:"-" placeholder:"NAME" help:"One of the service's own answers, as invalid_token or rate_limited."`
	Body     *string  `env:"-" placeholder:"TEXT|JSON" help:"The body: JSON if it begins with { or [, and text otherwise."`
	Header   []string `env:"-" sep:"none" placeholder:"'NAME: VALUE'" help:"A header of the answer; write the flag once for each."`
	Clear    bool     `env:"-" help:"Drop what was enqueued for the token before."`
	Server   running  `embed:""`
}

func (c *replyCommand) Run() error {
	reply, err := c.reply()
	if err != nil {
		return usageError{err}
	}
	if reply == nil && !c.Clear {
		return usageError{fmt.Errorf("there is nothing to reply to %s; write what, as --status 503 --times 2, --fault reset or --delay 2s, or --clear", c.Token)}
	}
	ctx := context.Background()
	plane, err := c.Server.controlPlane(ctx)
	if err != nil {
		return err
	}
	query := url.Values{"token": {string(c.Token)}}
	if c.Clear {
		if err := plane.call(ctx, "DELETE", "replies", query, nil, nil); err != nil {
			return err
		}
	}
	method := "POST" // which answers what waits, as GET does
	if reply == nil {
		method = "GET"
	}
	var waiting waitingReplies
	if err := plane.call(ctx, method, "replies", query, reply, &waiting); err != nil {
		return err
	}
	return waiting.print(c.Token)
}

// reply returns the reply in JSON, nil if there is none.
func (c *replyCommand) reply() ([]byte, error) {
	parts := make(map[string]any)
	for name, text := range map[string]*string{"status": c.Status, "times": c.Times, "delay": c.Delay, "fault": c.Fault, "response": c.Response, "body": c.Body} {
		if text == nil {
			continue
		}
		parts[name] = *text
		if number, err := strconv.Atoi(*text); err == nil && name != "body" {
			parts[name] = number
		}
	}
	if body := c.Body; body != nil && (strings.HasPrefix(*body, "{") || strings.HasPrefix(*body, "[")) {
		if err := json.Unmarshal([]byte(*body), new(any)); err != nil {
			return nil, fmt.Errorf("--body: begins as JSON does, and is none (%w); write all of it, or --fault bad_json for what was cut off", err)
		}
		parts["body"] = json.RawMessage(*body)
	}
	headers := make(map[string]string)
	for _, header := range c.Header {
		name, value, found := strings.Cut(header, ":")
		if !found {
			return nil, fmt.Errorf("--header: %q is not a header; write its name and its value, as 'Retry-After: 1'", header)
		}
		if _, again := headers[name]; again {
			return nil, fmt.Errorf("--header: %q is there twice; write each header once", name)
		}
		headers[name] = strings.TrimSpace(value)
		parts["headers"] = headers
	}
	if len(parts) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(parts)
	if err != nil {
		return nil, err
	}
	_, err = fixtures.Service{}.ReadReplies("the flags", text)
	if mistakes := (*fixtures.Mistakes)(nil); errors.As(err, &mistakes) {
		err = replyMistakes(mistakes.List)
	}
	return text, err
}

// replyMistakes returns the mistakes in a reply as an error, each with the flag in
// place of the path that leads to it.
func replyMistakes(list []fixtures.Mistake) error {
	var errs []error
	for _, m := range list {
		flag := strings.TrimPrefix(m.Path, "replies[0].")
		if name, found := strings.CutPrefix(flag, "headers"); found {
			flag = "header " + strings.Trim(name, ".[]")
		}
		errs = append(errs, errors.New(plain(fixtures.Mistake{Path: "--" + flag, Problem: m.Problem, Instead: m.Instead}.String(), 1000)))
	}
	return errors.Join(errs...)
}

// waitingReplies are what the control plane says of a token.
type waitingReplies struct {
	Replies []struct {
		Reply  json.RawMessage
		Played int
	}
}

// print says in words what waits to be played.
func (w *waitingReplies) print(token token) error {
	if len(w.Replies) == 0 {
		fmt.Printf("no replies wait for %s\n", token)
		return nil
	}
	fmt.Printf("the next answers to %s are:\n", token)
	for _, waiting := range w.Replies {
		replies, err := fixtures.Service{}.ReadReplies("the answer", waiting.Reply)
		if err != nil {
			return err
		}
		for _, r := range replies {
			often := "once"
			switch left := r.Times - waiting.Played; {
			case r.Times == fixtures.Always:
				often = "always"
			case left > 1:
				often = fmt.Sprintf("%d times", left)
			}
			fmt.Printf("  %-8s  %s\n", often, r)
		}
	}
	return nil
}
