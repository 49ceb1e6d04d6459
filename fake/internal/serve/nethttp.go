package serve

import (
	"log/slog"
	"net"
)

// Refused logs and counts a request that could not be read, and reports it to a strict
// test. line is the reason. Nothing else is known of the request.
func (h *Handler) Refused(client net.Addr, line string) {
	const instead = "Use a base URL that begins with http://, and send HTTP/1.1 with a path without spaces, " +
		"one Host header, and headers of at most 32 KiB."
	h.CountRefused(line)
	h.Config.Logger.Warn("a request could not be read",
		slog.String("reason", line), slog.String("instead", instead), slog.String("client", client.String()))
	h.Test.Fail("campaignfake: a request could not be read:\n\t%s\n%s\n"+
		"Make the server with fake.WithLenient() if the request is meant.", line, instead)
}
