package wire

import (
	"net"
	"net/http"
)

// Reset resets the connection of an answer, so that the client sees an error: TCP sends RST. A
// connection in memory has no reset, and is only closed. If the writer cannot be hijacked, Reset
// does nothing, and returns the error.
func Reset(w http.ResponseWriter) error {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return err
	}
	defer conn.Close()
	inner := innermost(conn)
	tcp, isTCP := inner.(*net.TCPConn)
	if isTCP {
		tcp.SetLinger(0)
	}
	inner.Close() // before TLS can announce the end to the client
	return nil
}

// innermost returns the connection below TLS. It returns a connection without TLS as it is.
func innermost(conn net.Conn) net.Conn {
	for {
		outer, isOuter := conn.(interface{ NetConn() net.Conn })
		if !isOuter {
			return conn
		}
		conn = outer.NetConn()
	}
}
