package wire

import (
	"log"
	"log/slog"
	"net"
	"strings"
)

// Messages about clients that do not speak the protocol of the server. net/http itself logs
// nothing about them.
const (
	clientHTTP2 = "a client speaks HTTP/2 without TLS (PRI *), which the server does not; have the client speak HTTP/1.1, or have the server use TLS, as with --tls-self-signed localhost"
	clientTLS   = "a client speaks TLS, and the server does not; give the client a base URL that begins with http://, or have the server use TLS"
)

// ErrorLog returns a log for http.Server.ErrorLog, which writes to a logger. If a client
// fails to speak TLS, the line says what to do, because the message of net/http seldom
// names the reason.
func ErrorLog(logger *slog.Logger) *log.Logger { return log.New(errorLog{logger}, "", 0) }

type errorLog struct{ logger *slog.Logger }

func (e errorLog) Write(line []byte) (int, error) {
	text := strings.TrimSpace(string(line))
	rest, failed := strings.CutPrefix(text, "http: TLS handshake error from ")
	client, problem, ok := strings.Cut(rest, ": ")
	switch {
	case !failed || !ok:
		e.logger.Warn(text)
	case strings.HasSuffix(problem, net.ErrClosed.Error()): // to make room, of which Connections writes a line
	case strings.Contains(problem, "HTTP request to an HTTPS server"):
		e.logger.Warn("a client does not speak TLS, and the server does; give the client a base URL that begins with https://", slog.String("client", client))
	case strings.HasSuffix(problem, "EOF"): // for example, a check whether the port is open
		e.logger.Info("a client went away before it spoke TLS", slog.String("client", client))
	case strings.Contains(problem, "does not look like a TLS handshake"):
		e.logger.Warn("a client does not speak TLS, and the server does: it may speak HTTP/2 without TLS (PRI *), or no HTTP at all; give it a base URL that begins with https://", slog.String("client", client))
	case strings.HasPrefix(problem, "remote error: ") && strings.Contains(problem, "certificate"):
		e.logger.Warn("a TLS handshake failed: the client does not trust the certificate, which has to be given to it",
			slog.String("client", client), slog.String("error", problem))
	default:
		e.logger.Warn("a TLS handshake failed", slog.String("client", client), slog.String("error", problem))
	}
	return len(line), nil
}
