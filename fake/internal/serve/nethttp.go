package serve

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
)

// Refused logs and counts a request that net/http has refused by itself, for a reason, and
// reports it to a strict test. It returns what the client should send instead. Nothing of
// the request is known but that.
func (h *Handler) Refused(client net.Addr, status int, reason string) (detail string) {
	detail = h.wellFormed(status, reason)
	h.State.CountRefused(reason)
	h.Config.Logger.Warn("a request was refused before it was read to its end", slog.Int("status", status), slog.String("reason", reason),
		slog.String("instead", detail), slog.String("client", client.String()))
	h.Test.Fail("campaignfake: a request was refused before it was read to its end:\n\t%s\n%s\n"+
		"Make the server with fake.WithLenient() if the request is meant.", reason, detail)
	return detail
}

// wellFormed returns what a client should send instead of a request that was refused.
func (h *Handler) wellFormed(status int, reason string) string {
	switch {
	case status == http.StatusRequestHeaderFieldsTooLarge:
		return fmt.Sprintf("The request line and the headers may have %d bytes together%s. Send fewer.", h.Config.Limits.Header, h.Config.Limits.Of())
	case status == http.StatusHTTPVersionNotSupported:
		return "Send HTTP/1.1."
	case status == http.StatusNotImplemented:
		return "Send the body with Content-Length, or with Transfer-Encoding: chunked."
	case status == http.StatusExpectationFailed:
		return "Leave the header Expect out, or send Expect: 100-continue."
	case strings.Contains(reason, "Host header"):
		return "Send one Host header, with the host and the port of the URL."
	}
	return "Send a path without spaces (a space is %20, and a % is followed by two hexadecimal digits), HTTP/1.1 after it, and headers whose names are letters, digits and hyphens, and whose values have no control characters."
}
