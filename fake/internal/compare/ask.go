package compare

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// The bounds of a comparison.
const (
	answerTimeout = 10 * time.Second // of one answer, to the end of its body
	wholeTimeout  = 60 * time.Second // of all answers
	answerBytes   = 8 << 20          // of one body
)

// CheckURL checks the base URL of a service. A token is sent there, so it has to be HTTPS, or
// on this machine. The error does not repeat the URL, which may have a password in it.
func CheckURL(text string) error {
	base, err := url.Parse(text)
	if err != nil || !hasHostAndPathAlone(base) {
		return errors.New("the base URL cannot be used; " +
			"write one as https://example.com/api, without a user, a query or a fragment")
	}
	isSafe := base.Scheme == "https" || base.Scheme == "http" && isThisMachine(base.Hostname())
	if !isSafe {
		return errors.New("the base URL is neither HTTPS nor on this machine, " +
			"so that others could read the token; write https://…")
	}
	return nil
}

// hasHostAndPathAlone reports whether a URL has a host, and behind that nothing but a path.
func hasHostAndPathAlone(base *url.URL) bool {
	hasMore := base.User != nil || base.RawQuery != "" || base.Fragment != ""
	return base.Hostname() != "" && !hasMore
}

func isThisMachine(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// NewTransport returns a transport without a proxy, which sends each request once: on a
// connection that was used before, net/http would silently repeat a GET.
func NewTransport() http.RoundTripper {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{DisableKeepAlives: true, Protocols: protocols}
}

// An answer is what came back for a request.
type answer struct {
	status  int
	header  http.Header
	body    []byte
	missing string // why there is none, for a sentence that begins with "the service"
}

// send sends one request, and reads the answer to its end. It follows no redirect.
func send(ctx context.Context, transport http.RoundTripper, request *http.Request) answer {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	response, err := transport.RoundTrip(request.WithContext(ctx))
	if err != nil {
		return answer{missing: reason(ctx, err)}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, answerBytes+1))
	a := answer{status: response.StatusCode, header: response.Header, body: body}
	switch {
	case a.status == http.StatusTooManyRequests:
		a.missing = "limits how often it is asked (429)"
	case a.status >= http.StatusBadGateway && a.status <= http.StatusGatewayTimeout:
		a.missing = fmt.Sprintf("is not available (%d)", a.status)
	case err != nil:
		a.missing = reason(ctx, err)
	case len(body) > answerBytes:
		a.missing = fmt.Sprintf("sends more than %d MiB", answerBytes>>20)
	}
	return a
}

// reason says why there is no answer. It repeats no word of the error, which may have words
// of the service, and so the token.
func reason(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return fmt.Sprintf("has not answered to the end within %v (%v for all questions)",
			answerTimeout, wholeTimeout)
	}
	isCertificate := errors.As(err, new(*tls.CertificateVerificationError))
	isNoTLS := errors.As(err, new(tls.RecordHeaderError))
	if isCertificate || isNoTLS {
		return "has no certificate that is trusted, or does not speak HTTPS"
	}
	return "cannot be reached, breaks the connection, or sends what is no HTTP; " +
		"is the base URL right?"
}
