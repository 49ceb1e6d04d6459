package fake

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

const (
	// callTimeout is how long an answer of the control plane may take.
	callTimeout = 10 * time.Second

	// answerLimit is more bytes than an answer of the control plane has. The largest is the
	// journal, whose 8 MiB may be six times as much in JSON. The rest is room for the advice.
	answerLimit = 64 << 20
)

// send sends a value as JSON.
func (c *Client) send(method, path string, query url.Values, value any) error {
	body, err := json.Marshal(value)
	if inner := (*json.MarshalerError)(nil); errors.As(err, &inner) {
		err = inner.Err // without words about encoding
	}
	if err != nil {
		return err
	}
	return c.call(method, path, query, body, nil)
}

// call sends a request, and reads the answer into result unless that is nil. It ends
// after callTimeout.
func (c *Client) call(method, path string, query url.Values, body []byte, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	return c.callUntil(ctx, method, path, query, body, result)
}

// callUntil is call without its timeout: it ends when ctx is done.
func (c *Client) callUntil(ctx context.Context, method, path string, query url.Values, body []byte, result any) error {
	to := c.root.JoinPath(path)
	to.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := c.control.Do(request)
	if err != nil {
		return c.unreachable(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(http.MaxBytesReader(nil, response.Body, answerLimit))
	switch {
	case err != nil:
		return fmt.Errorf("the answer of %s cannot be read: %w", c.server(), err)
	case response.StatusCode >= 300:
		return refusal(c.server(), response, answer)
	case result != nil && json.Unmarshal(answer, result) != nil:
		return notCampaignfake(c.server(), method+" "+to.Path+" answers something else")
	}
	return nil
}

// unreachable returns the error of a request that had no answer.
func (c *Client) unreachable(err error) error {
	if inner := (*url.Error)(nil); errors.As(err, &inner) {
		err = inner.Err // without the URL, which the message has already
	}
	switch {
	case errors.As(err, new(x509.UnknownAuthorityError)):
		const advice = "give fake.WithHTTPClient a client that trusts its authority"
		return fmt.Errorf("the certificate of %s cannot be trusted (%w); "+advice, c.server(), err)
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return fmt.Errorf("the certificate of %s cannot be trusted (%w)", c.server(), err)
	}
	return fmt.Errorf("no server answers at %s (%w)", c.server(), err)
}

// server returns the URL of the server, without a path.
func (c *Client) server() string { return c.root.Scheme + "://" + c.root.Host }
