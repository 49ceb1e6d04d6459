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
// that does not use the body calls it before it waits or answers, for two reasons: net/http notices
// that a client has gone away only when the body was read, and a connection that is closed with
// unread bytes is reset, so that the answer is lost. If a part is left, the answer ends the
// connection, and net/http does not wait for that part.
func Drain(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	controller := http.NewResponseController(w)
	controller.SetReadDeadline(time.Now().Add(drainTimeout))
	// With MaxBytesReader, net/http delays the close of a connection whose body
	// was too large, so that the client can read the answer.
	_, err := io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, drainBytes))
	if err != nil {
		w.Header().Set("Connection", "close") // the rest is slow, too long, or malformed
		return
	}
	controller.SetReadDeadline(time.Time{})
}
