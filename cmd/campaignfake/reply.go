package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// The values of these flags are text, which package fixtures checks.
type replyCommand struct {
	Token    token    `arg:"token" missing:"no token was named; name the one whose next requests get the reply" help:"The bearer token whose next requests are answered differently."`
	Status   *string  `flag:"status" env:"off" placeholder:"503" help:"The HTTP status of the answer."`
	Times    *string  `flag:"times" env:"off" placeholder:"N|always" help:"For how many requests (default 1)."`
	Delay    *string  `flag:"delay" env:"off" placeholder:"TIME" help:"How long the answer takes: 2s, 80ms..250ms, or until released."`
	Fault    *string  `flag:"fault" env:"off" placeholder:"reset|close|hang|truncate|stall|bad_json|wrong_type" help:"What breaks."`
	Response *string  `flag:"response" env:"off" placeholder:"missing_token|invalid_token|not_found|method_not_allowed|rate_limited" help:"One of the service's own answers."`
	Body     *string  `flag:"body" env:"off" placeholder:"TEXT|JSON" help:"The body: JSON if it begins with { or [, and text otherwise."`
	Header   []string `flag:"header" env:"off" placeholder:"'NAME: VALUE'" help:"A header of the answer; write the flag once for each value."`
	Clear    bool     `flag:"clear" env:"off" help:"Drop what was enqueued for the token before."`
	running
}

func (c *replyCommand) run(call *call) error {
	replies, err := c.replies()
	if err != nil {
		return usageError{err}
	}
	if len(replies) == 0 && !c.Clear {
		return usageError{fmt.Errorf("no reply to %s is given; write one, as --status 503 --times 2, --fault reset or --delay 2s, or --clear", c.Token)}
	}
	token := string(c.Token)
	return c.control(func(client *fake.Client) error {
		if c.Clear {
			if err := client.DropReplies(token); err != nil {
				return err
			}
		}
		var unknown *fake.RefusedError
		if _, err := client.Replies(token); err != nil && !errors.As(err, &unknown) {
			return err
		}
		if len(replies) > 0 {
			if err := client.Enqueue(token, replies...); err != nil {
				return err
			}
		}
		waiting, err := client.Replies(token)
		if err == nil {
			printWaiting(call.stdout, token, waiting)
		}
		if err == nil && unknown != nil {
			fmt.Fprintln(call.stdout, printable(unknown.Detail), "Its other answers are generated campaigns.")
		}
		return err
	})
}

// replies returns the reply that the flags describe, or none.
func (c *replyCommand) replies() ([]fixtures.Reply, error) {
	parts := make(map[string]any)
	for name, flag := range map[string]*string{"status": c.Status, "times": c.Times, "delay": c.Delay, "fault": c.Fault, "response": c.Response} {
		if flag == nil {
			continue
		}
		parts[name] = *flag
		if number, err := strconv.Atoi(*flag); err == nil {
			parts[name] = number
		}
	}
	var err error
	if c.Body != nil {
		if parts["body"], err = replyBody(*c.Body); err != nil {
			return nil, err
		}
	}
	if len(c.Header) > 0 {
		if parts["headers"], err = replyHeaders(c.Header); err != nil {
			return nil, err
		}
	}
	if len(parts) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(parts)
	if err != nil {
		return nil, err
	}
	replies, err := fixtures.Service{}.ReadReplies("the flags", text)
	if mistakes := (*fixtures.Mistakes)(nil); errors.As(err, &mistakes) {
		err = replyMistakes(mistakes.List)
	}
	return replies, err
}

// replyBody returns a body: JSON if it begins with { or [, text otherwise.
func replyBody(text string) (any, error) {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return text, nil
	}
	if err := json.Unmarshal([]byte(text), new(any)); err != nil {
		return nil, fmt.Errorf("--body: begins like JSON, but is not JSON (%w); complete it, or use --fault bad_json for JSON that was cut off", err)
	}
	return json.RawMessage(text), nil
}

// replyHeaders returns headers that are written as 'NAME: VALUE'. A name can stand in
// several lines.
func replyHeaders(lines []string) (map[string]any, error) {
	given := make(http.Header)
	for _, line := range lines {
		name, value, found := strings.Cut(line, ":")
		if !found {
			return nil, fmt.Errorf("--header: %q is not a header; write its name and its value, as 'Retry-After: 1'", line)
		}
		given.Add(name, strings.TrimSpace(value))
	}
	headers := make(map[string]any)
	for name, values := range given {
		if headers[name] = values; len(values) == 1 {
			headers[name] = values[0]
		}
	}
	return headers, nil
}

// replyMistakes returns the mistakes in a reply as an error, each with the name of
// its flag in place of its path.
func replyMistakes(list []fixtures.Mistake) error {
	var errs []error
	for _, m := range list {
		flag := strings.TrimPrefix(m.Path, "replies[0].")
		if name, found := strings.CutPrefix(flag, "headers"); found {
			if one, _, isList := strings.Cut(name, "["); isList && one != "" {
				name = one
			}
			flag = "header " + strings.Trim(name, ".[]")
		}
		errs = append(errs, errors.New(fixtures.Mistake{Path: "--" + flag, Problem: m.Problem, Instead: m.Instead}.String()))
	}
	return errors.Join(errs...)
}

// printWaiting prints the replies that wait to be played.
func printWaiting(w io.Writer, token string, waiting []fake.WaitingReply) {
	if len(waiting) == 0 {
		fmt.Fprintf(w, "no replies wait for %s\n", token)
		return
	}
	fmt.Fprintf(w, "the next answers to %s are:\n", token)
	for _, reply := range waiting {
		often := "once"
		switch left := reply.Reply.Times - reply.Played; {
		case reply.Reply.Times == fixtures.Always:
			often = "always"
		case left > 1:
			often = fmt.Sprintf("%d times", left)
		}
		fmt.Fprintf(w, "  %-8s  %s\n", often, reply.Reply)
	}
}
