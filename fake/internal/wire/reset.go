package wire

import (
	"net"
	"net/http"
)

// Reset ends the connection of an answer so that the client sees an error: TCP sends RST.
// A connection in memory has no reset, and is only closed. Without a connection, as with a
// recorder, Reset aborts the handler.
func Reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer conn.Close()
	type wrapper interface{ NetConn() net.Conn }
	inner := conn
	for outer, ok := inner.(wrapper); ok; outer, ok = inner.(wrapper) {
		inner = outer.NetConn()
	}
	if tcp, ok := inner.(interface{ SetLinger(seconds int) error }); ok {
		tcp.SetLinger(0)
	}
	inner.Close() // first, or TLS would announce the end of the connection
}
