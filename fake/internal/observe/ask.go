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
	"slices"
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
	retryPauses   = 3                // before another try, beside the usual one
)

// An Asker asks a service. It is used once.
type Asker struct {
	BaseURL   *url.URL
	Token     string
	Transport http.RoundTripper
	Pause     time.Duration // between two requests
	Skip      []string      // what is not asked, and not compared
	Origin    string        // whose pages should read answers, "" for any
	KeepTexts bool          // texts of errors and values of enums may be shown

	// Own is set if the service is the fake.
	Own bool

	// Shape is that of the fake. Its places hold where a service has them, too.
	Shape

	// Progress is called before every request, with its number, and what it asks. It may
	// be nil.
	Progress func(number int, what string)

	Asked    int               // how many requests were sent
	Partial  []string          // why something was not seen
	Withheld map[string]string // which secret what was left out holds

	stopped string // why nothing more is asked, "" while more is
	last    time.Time
	waited  bool            // a Retry-After has been honoured
	slash   map[string]bool // paths that are redirected to themselves with a slash
	secrets *secrets
}

// An answer is what a request came to.
type answer struct {
	status int
	header http.Header
	body   []byte
	err    error // there is no answer; its text explains it, without the URL
}

// ok reports whether there is an answer.
func (a *answer) ok() bool { return a != nil && a.err == nil }

// usable reports whether an answer shows how the service is set up: it was not disturbed,
// and does not limit requests.
func (a *answer) usable() bool {
	return a.ok() && a.status < 500 && a.status != http.StatusTooManyRequests
}

// ask sends one request, and once more where that may help. It returns nil if nothing more
// can be asked.
func (a *Asker) ask(ctx context.Context, q Question) *answer {
	got := a.try(ctx, q)
	for isRepeated := false; ; isRepeated = true {
		pause, again := a.retry(got, isRepeated)
		if !again || !sleep(ctx, pause) {
			break
		}
		more := a.try(ctx, q)
		if more == nil {
			break
		}
		got = more
	}
	a.note(q, got)
	return got
}

// retry reports whether to ask again, and after which pause: once after a failure, and once
// in all after the time that a 429 names. After a second 429, or a longer time, nothing more
// is asked.
func (a *Asker) retry(got *answer, isRepeated bool) (pause time.Duration, again bool) {
	switch {
	case got == nil, errors.As(got.err, new(reason)):
		return 0, false
	case got.err == nil && got.status == http.StatusTooManyRequests:
		seconds, err := strconv.Atoi(got.header.Get("Retry-After"))
		if err != nil || seconds < 0 || seconds > maxRetryAfter || a.waited {
			a.stopped = "the service limits requests (429)"
			return 0, false
		}
		a.waited = true
		return time.Duration(seconds) * time.Second, true
	}
	return retryPauses * a.Pause, !isRepeated && !got.usable()
}

// note takes down why a question has no answer.
func (a *Asker) note(q Question, got *answer) {
	why := a.stopped
	switch {
	case got.usable():
		return
	case got == nil:
	case got.err != nil:
		why = got.err.Error()
	default:
		why = fmt.Sprintf("it is answered %d", got.status)
	}
	a.Partial = append(a.Partial, q.Name+": "+why)
}

// addsSlash reports whether an answer redirects to the same place with a slash at its
// end, as some frameworks do.
func (a *Asker) addsSlash(got *answer, q Question) bool {
	if !got.ok() || got.status < 300 || got.status > 308 || a.slash[q.Path] || q.Method != http.MethodGet {
		return false
	}
	from := a.BaseURL.JoinPath(q.Path)
	to, err := from.Parse(got.header.Get("Location"))
	return err == nil && to.Scheme == from.Scheme && to.Host == from.Host && to.User == nil && to.Path == from.Path+"/"
}

// url returns where a question is asked.
func (a *Asker) url(q Question) string {
	at := a.BaseURL.JoinPath(q.Path).String()
	if a.slash[q.Path] {
		at += "/"
	}
	return at + q.Query
}

// try sends one request, or returns nil if it may not be sent. Where the service redirects to
// the same place with a slash at its end, it is sent there.
func (a *Asker) try(ctx context.Context, q Question) *answer {
	if a.stopped != "" {
		return nil
	}
	if a.Asked == maxRequests {
		a.stopped = fmt.Sprintf("%d requests were sent, and no more are", maxRequests)
		return nil
	}
	if a.Asked > 0 && !sleep(ctx, a.Pause-time.Since(a.last)) {
		a.stopped = "the time was over"
		return nil
	}
	a.Asked++
	if a.Progress != nil {
		a.Progress(a.Asked, q.Name)
	}
	got := a.send(ctx, q)
	a.last = time.Now()
	if a.addsSlash(got, q) {
		a.slash[q.Path] = true
		return a.try(ctx, q)
	}
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
	request, err := http.NewRequestWithContext(ctx, q.Method, a.url(q), nil)
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
	encoding := strings.ToLower(response.Header.Get("Content-Encoding"))
	switch {
	case response.Request.Method == http.MethodHead:
		return nil, nil
	case encoding == "gzip":
		unzipped, err := gzip.NewReader(reader)
		if err != nil {
			return nil, reason("the body is not gzip, though its Content-Encoding says so")
		}
		reader = unzipped
	case slices.Contains([]string{"br", "zstd", "deflate", "compress"}, encoding):
		return nil, reason("the body is compressed with " + encoding + ", which was not asked for")
	case encoding != "" && encoding != "identity":
		return nil, reason("the body is encoded in a way that was not asked for (Content-Encoding)")
	}
	body, err := io.ReadAll(io.LimitReader(reader, maxBytes+1))
	if err == nil && len(body) > maxBytes {
		err = reason("the body has more than 16 MiB")
	}
	return body, err
}

// plainly returns an error that explains why there is no answer. The text of the
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
	case strings.Contains(err.Error(), "tls: certificate required"), strings.Contains(err.Error(), "tls: bad certificate"):
		return reason("it wants a certificate of the client")
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
	for _, problem := range []struct{ in, explains string }{
		{"unknown authority", "nobody that this machine trusts has signed it"},
		{"expired", "it has expired, or is not valid yet"},
		{"valid for", "it is for another name"},
		{"doesn't contain any IP SANs", "it is for another name"},
	} {
		if strings.Contains(text, problem.in) {
			return problem.explains
		}
	}
	return "it is not valid"
}
