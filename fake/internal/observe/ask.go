package observe

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	maxRequests   = 12               // that a service gets
	maxTime       = time.Minute      // of all requests together
	maxAnswerTime = 10 * time.Second // of one request
	maxRetryAfter = 30               // seconds
	maxBytes      = 16 << 20         // of a body, after gzip
)

// An Asker asks a service. It is used once.
type Asker struct {
	BaseURL   *url.URL
	Token     string
	Transport http.RoundTripper
	Pause     time.Duration // between two requests
	Skip      []string      // what is not asked, and not compared

	// Progress is told of every request before it is sent: its number, and what it
	// asks. nil is told nothing.
	Progress func(number int, what string)

	Asked   int    // how many requests were sent
	Stopped string // why nothing more is asked, "" while more is

	last      time.Time
	waited    bool             // a Retry-After has been honoured
	campaigns []map[string]any // that were seen
}

// An answer is what a request came to.
type answer struct {
	status int
	header http.Header
	body   []byte
	err    error // there is no answer; its text says why, without the URL
}

// ok reports whether there is an answer.
func (a *answer) ok() bool { return a != nil && a.err == nil }

// tells reports whether there is an answer that says something about a setting: the
// service was not disturbed, and does not limit requests.
func (a *answer) tells() bool {
	return a.ok() && a.status < 500 && a.status != http.StatusTooManyRequests
}

// CheckURL says why a base URL cannot be asked, "" if it can.
func CheckURL(u *url.URL) string {
	host := u.Hostname()
	loopback := host == "localhost" || net.ParseIP(host).IsLoopback()
	switch {
	case u.Scheme != "http" && u.Scheme != "https" || host == "":
		return "it is not a URL; write one as https://staging.example.com/api"
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "it has more than a host and a path; leave the rest out"
	case u.Scheme == "http" && !loopback:
		return "the token would be sent unencrypted; write https"
	}
	return ""
}

// ask sends one request, and tries once more if the service fails. It returns nil if
// the question is skipped, or nothing more can be asked.
func (a *Asker) ask(ctx context.Context, q Question) *answer {
	if q.skipped(a.Skip) {
		return nil
	}
	got := a.try(ctx, q)
	switch {
	case got == nil:
	case got.status == http.StatusTooManyRequests:
		return a.again(ctx, q, got)
	case errors.As(got.err, new(reason)), q.once:
	case got.err != nil || got.status >= 500:
		if more := a.try(ctx, q); more != nil {
			return more
		}
	}
	return got
}

// again asks again after the time that a 429 names, once. After a second one, or a
// longer time, nothing more is asked.
func (a *Asker) again(ctx context.Context, q Question, got *answer) *answer {
	for got.status == http.StatusTooManyRequests {
		seconds, err := strconv.Atoi(got.header.Get("Retry-After"))
		if err != nil || seconds < 0 || seconds > maxRetryAfter || a.waited {
			a.Stopped = "the service limits requests (429)"
			break
		}
		a.waited = true
		if !sleep(ctx, time.Duration(seconds)*time.Second) {
			break
		}
		if more := a.try(ctx, q); more != nil {
			got = more
		}
	}
	return got
}

// try sends one request, or returns nil if it may not be sent.
func (a *Asker) try(ctx context.Context, q Question) *answer {
	if a.Stopped != "" {
		return nil
	}
	if a.Asked == maxRequests {
		a.Stopped = fmt.Sprintf("%d requests were sent, and no more are", maxRequests)
		return nil
	}
	if a.Asked > 0 && !sleep(ctx, a.Pause-time.Since(a.last)) {
		a.Stopped = "the time was over"
		return nil
	}
	a.Asked++
	if a.Progress != nil {
		a.Progress(a.Asked, q.Name)
	}
	got := a.send(ctx, q)
	a.last = time.Now()
	return got
}

// sleep waits, and returns false if the context ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	return ctx.Err() == nil
}

// send sends a request, follows no redirect, and reads the answer.
func (a *Asker) send(ctx context.Context, q Question) *answer {
	ctx, cancel := context.WithTimeout(ctx, maxAnswerTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, q.Method, a.BaseURL.JoinPath(q.Path).String()+q.Query, nil)
	if err != nil {
		return &answer{err: errors.New("the request cannot be made")}
	}
	for name, value := range q.Header {
		request.Header.Set(name, value)
	}
	request.Header.Set("User-Agent", "campaignfake-compare")
	switch q.token {
	case "":
	case itsToken:
		request.Header.Set("Authorization", "Bearer "+a.Token)
	default:
		request.Header.Set("Authorization", "Bearer "+q.token)
	}
	response, err := a.Transport.RoundTrip(request)
	if err != nil {
		return &answer{err: plainly(err)}
	}
	defer response.Body.Close()
	body, err := readBody(response)
	if err != nil {
		return &answer{err: plainly(err)}
	}
	return &answer{status: response.StatusCode, header: response.Header, body: body}
}

// A reason is an error in words of this package. Another try would come to the same.
type reason string

func (r reason) Error() string { return string(r) }

func readBody(response *http.Response) ([]byte, error) {
	var reader io.Reader = response.Body
	if strings.EqualFold(response.Header.Get("Content-Encoding"), "gzip") && response.Request.Method != http.MethodHead {
		unzipped, err := gzip.NewReader(reader)
		if err != nil {
			return nil, reason("the body is not gzip, though its Content-Encoding says so")
		}
		reader = unzipped
	}
	body, err := io.ReadAll(io.LimitReader(reader, maxBytes+1))
	if err == nil && len(body) > maxBytes {
		err = reason("the body has more than 16 MiB")
	}
	return body, err
}

// plainly returns an error that says why there is no answer. The text of the
// original may hold what the service sent, and is left out.
func plainly(err error) error {
	var own reason
	var timeout net.Error
	var certificate *tls.CertificateVerificationError
	var operation *net.OpError
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, context.Canceled):
		return errors.New("it was interrupted")
	case errors.As(err, new(*net.DNSError)):
		return errors.New("the name of the host cannot be resolved")
	case errors.As(err, &certificate):
		return errors.New("its certificate cannot be verified: " + certificateProblem(certificate))
	case errors.As(err, new(tls.RecordHeaderError)), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return errors.New("it does not speak TLS at this address")
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Errorf("it did not answer within %s", maxAnswerTime)
	case errors.As(err, &operation) && operation.Op == "dial":
		return errors.New("no connection could be made")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("the connection ended in the middle of the answer")
	}
	return errors.New("the connection broke, or the answer was not HTTP")
}

func certificateProblem(err *tls.CertificateVerificationError) string {
	text := err.Err.Error()
	for _, problem := range []struct{ in, says string }{
		{"unknown authority", "nobody that this machine trusts has signed it"},
		{"expired", "it has expired, or is not valid yet"},
		{"valid for", "it is for another name"},
		{"doesn't contain any IP SANs", "it is for another name"},
	} {
		if strings.Contains(text, problem.in) {
			return problem.says
		}
	}
	return "it is not valid"
}
