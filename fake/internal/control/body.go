package control

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/words"
)

const (
	// maxBody bounds the body of a call, in bytes.
	maxBody = 1 << 20

	// bodyTimeout bounds how long a handler reads a body. After this time, a client that stopped in
	// the middle of its body gets an answer.
	bodyTimeout = 10 * time.Second
)

// readBody reads the body of the call. If that fails, the error is the problem document to send.
func (c *call) readBody() ([]byte, error) {
	encoding := c.r.Header.Get("Content-Encoding")
	if encoding != "" && !strings.EqualFold(encoding, "identity") {
		return nil, refuse(http.StatusUnsupportedMediaType,
			"The body has the Content-Encoding %s; send it as it is, without that header.",
			words.CutInput(encoding))
	}
	http.NewResponseController(c.w).SetReadDeadline(time.Now().Add(bodyTimeout))
	body, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, maxBody))
	switch {
	case err == nil:
		return body, nil
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, refuse(http.StatusRequestEntityTooLarge,
			"The body is larger than %d MiB.", maxBody>>20)
	}
	return nil, refuse(http.StatusBadRequest, "The body cannot be read: %v.", err)
}
