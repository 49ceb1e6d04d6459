package wire

import (
	"io"
	"log"
	"log/slog"
	"net"
	"strings"
)

// ErrorLog returns a log for http.Server.ErrorLog, which writes to a logger, or to
// nowhere if that is nil. Of clients that fail to speak TLS it says what to do:
// what net/http itself says is seldom the reason.
func ErrorLog(logger *slog.Logger) *log.Logger {
	if logger == nil {
		return log.New(io.Discard, "", 0)
	}
	return log.New(errorLog{logger}, "", 0)
}

type errorLog struct{ logger *slog.Logger }

func (e errorLog) Write(line []byte) (int, error) {
	text := strings.TrimSpace(string(line))
	rest, failed := strings.CutPrefix(text, "http: TLS handshake error from ")
	client, problem, ok := strings.Cut(rest, ": ")
	switch {
	case !failed || !ok:
		e.logger.Warn(text)
	case strings.Contains(problem, "HTTP request to an HTTPS server"):
		e.logger.Warn("a client does not talk TLS, and the server does; give the client a base URL that begins with https://", slog.String("client", client))
	case strings.HasSuffix(problem, "EOF"): // for example, a check whether the port is open
		e.logger.Info("a client went away before it talked TLS", slog.String("client", client))
	case strings.Contains(problem, "does not look like a TLS handshake"):
		e.logger.Warn("a client does not talk TLS, and the server does: it may talk HTTP/2 without TLS (PRI *), or no HTTP at all; give it a base URL that begins with https://", slog.String("client", client))
	case strings.HasPrefix(problem, "remote error: ") && strings.Contains(problem, "certificate"):
		e.logger.Warn("a TLS handshake failed: the client does not trust the certificate, which has to be given to it",
			slog.String("client", client), slog.String("error", problem))
	default:
		e.logger.Warn("a TLS handshake failed", slog.String("client", client), slog.String("error", problem))
	}
	return len(line), nil
}

// LogClientHTTP2 returns a Config.ClientHTTP2 that writes to a logger, nil if that is
// nil.
func LogClientHTTP2(logger *slog.Logger) func(client net.Addr) {
	return warnOfClient(logger, "a client talks HTTP/2 without TLS (PRI *), which the server does not; have the client talk HTTP/1.1, or have the server talk TLS, as with --tls-self-signed localhost")
}

// LogClientTLS returns a Config.ClientTLS that writes to a logger, nil if that is
// nil.
func LogClientTLS(logger *slog.Logger) func(client net.Addr) {
	return warnOfClient(logger, "a client talks TLS, and the server does not; give the client a base URL that begins with http://, or have the server talk TLS")
}

func warnOfClient(logger *slog.Logger, message string) func(client net.Addr) {
	if logger == nil {
		return nil
	}
	return func(client net.Addr) { logger.Warn(message, slog.String("client", client.String())) }
}
