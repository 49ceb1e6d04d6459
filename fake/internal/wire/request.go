package wire

import (
	"io"
	"net/http"
	"time"
)

const (
	drainBytes   = 8 << 20                // Drain reads at most 8 MiB of a body
	drainTimeout = 500 * time.Millisecond // Drain reads for at most this long
)

// Drain reads and drops the body of a request: at most 8 MiB, for at most half a second. A handler
// that does not use the body calls Drain before it waits or answers, for two reasons. net/http
// notices that a client has gone away only after the body was read. And TCP resets a connection
// that is closed with unread bytes, so that the client loses the answer.
//
// If Drain leaves a part of the body, net/http reads no more of it, and closes the connection after
// the answer. If Drain stops after half a second, net/http also ends the context of the request, so
// that a delayed answer is not sent.
func Drain(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	controller := http.NewResponseController(w)
	controller.SetReadDeadline(time.Now().Add(drainTimeout))
	// With MaxBytesReader, net/http delays the close of a connection whose body was too large, so
	// that the client can read the answer.
	_, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, drainBytes))
	if err == nil {
		controller.SetReadDeadline(time.Time{})
	}
}
