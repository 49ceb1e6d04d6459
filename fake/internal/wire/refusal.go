package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Write writes. If net/http refuses a request by itself, it reports that, and writes a
// problem document in place of the refusal.
func (c *conn) Write(p []byte) (int, error) {
	const protocol = "HTTP/1.1 "
	if !bytes.HasPrefix(p, []byte(protocol+"4")) && !bytes.HasPrefix(p, []byte(protocol+"5")) || !c.mayRefuse() {
		return c.Conn.Write(p)
	}
	line, _, _ := strings.Cut(string(p[len(protocol):]), "\r\n")
	digits, _, _ := strings.Cut(line, " ")
	status, err := strconv.Atoi(digits)
	if err != nil {
		return c.Conn.Write(p)
	}
	detail := c.connections.config.Refused(c.RemoteAddr(), status, line)
	if err := c.answer(status, detail); err != nil {
		return 0, err
	}
	return len(p), nil
}

// mayRefuse reports whether an answer is net/http's own: no handler has the request, and the
// client is still there.
func (c *conn) mayRefuse() bool {
	config := &c.connections.config
	return !c.isHandled() && !config.Secured && config.Refused != nil && !c.noRequest.Load()
}

// answer writes a problem document, in HTTP/1.1, to a client whose connection is then closed.
func (c *conn) answer(status int, detail string) error {
	title := http.StatusText(status)
	body, err := json.Marshal(struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
	}{"about:blank", title, status, detail})
	if err == nil {
		_, err = fmt.Fprintf(c.Conn, "HTTP/1.1 %d %s\r\nContent-Type: application/problem+json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", status, title, len(body), body)
	}
	return err
}
