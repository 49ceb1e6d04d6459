package fake

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"
)

// deliver sends a body under the answer of a reply, as its fault and its rate
// have it.
//
// What the connection has to be taken over for is done by hijacking it. Where
// that cannot be, as under HTTP/2 or with a recorder, the handler is aborted:
// the stream is reset, which is the nearest thing.
func (s *Server) deliver(x *exchange, r *reply, body []byte) {
	switch r.fault {
	case "reset":
		x.complete(0, x.reason)
		reset(x.takeOver())
		return
	case "close":
		x.complete(0, x.reason)
		s.end(x)
		return
	case "garbage":
		x.complete(0, x.reason)
		conn := x.takeOver()
		defer s.closeAtStop(conn)()
		conn.Write([]byte(garbage))
		s.finish(conn)
		return
	case "bad_json":
		body = body[:cut(body)]
	}
	if x.request.Method == http.MethodHead || r.fault == "" || r.fault == "bad_json" || r.fault == "wrong_type" {
		if x.request.Method == http.MethodHead && breaksBody(r.fault) {
			x.reason += "; an answer to HEAD has no body to break"
		}
		s.send(x, r, body, len(body))
		return
	}
	half := body[:cut(body)]
	if r.fault == "bad_chunk" {
		s.badChunk(x, r, half)
		return
	}
	if !s.send(x, r, half, max(len(body), 1)) {
		return
	}
	x.flush()
	if r.fault == "stall" {
		x.amend("; %d of %d bytes were sent, and then nothing until %s", len(half), len(body), s.wait(x.request.Context()))
	}
	s.end(x)
}

func breaksBody(fault string) bool {
	return fault == "truncate" || fault == "stall" || fault == "bad_chunk" || fault == "bad_json"
}

// garbage is no HTTP in any version: neither a status line nor a frame.
const garbage = "\x00\xff\x13\x37 this is not HTTP \xfe\x01\r\n\r\n"

// send sends the answer of r with a body, of which it declares the given length.
// It returns false if the client has gone away before all of it was sent, or the
// server has stopped; the exchange is over then.
func (s *Server) send(x *exchange, r *reply, body []byte, length int) bool {
	r.answer.writeHeader(x, []string{strconv.Itoa(length)})
	if x.request.Method == http.MethodHead {
		return true
	}
	var sent int
	var err error
	if r.rate == 0 {
		sent, err = x.Write(body)
	} else {
		x.flush() // the headers do not wait
		sent, err = s.pace(x.request.Context(), paced{x}, body, r.rate)
	}
	if err == nil {
		return true
	}
	x.amend("; %d of %d bytes were sent before %s", sent, length, s.ended())
	s.end(x)
	return false
}

// badChunk sends the first part of a body in chunks, and then what is no chunk.
// The server's own writer writes no such thing, so it is done by hand.
func (s *Server) badChunk(x *exchange, r *reply, half []byte) {
	var conn net.Conn
	if x.request.ProtoMajor == 1 && x.request.ProtoMinor > 0 {
		conn = x.hijack()
	}
	if conn == nil { // where there are no chunks, the body just ends
		if s.send(x, r, half, len(half)+1) {
			x.flush()
			s.end(x)
		}
		return
	}
	header := x.Header()
	r.answer.set(header)
	delete(header, "Content-Length")
	header.Set("Transfer-Encoding", "chunked")
	header.Set("Connection", "close")
	header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", r.answer.status, http.StatusText(r.answer.status))
	header.Write(&head)
	head.WriteString("\r\n")
	x.complete(r.answer.status, x.reason)
	defer s.closeAtStop(conn)()
	if r.rate == 0 {
		fmt.Fprintf(&head, "%x\r\n%s\r\n", len(half), half)
		conn.Write(head.Bytes())
	} else {
		conn.Write(head.Bytes())
		if sent, err := s.pace(s.stopping, chunks{conn}, half, r.rate); err != nil {
			x.amend("; %d bytes were sent before %s", sent, s.ended())
			conn.Close()
			return
		}
	}
	conn.Write([]byte("this is not the size of a chunk\r\n"))
	s.finish(conn)
}

// chunks writes everything that it is given as a chunk.
type chunks struct{ conn net.Conn }

func (c chunks) Write(data []byte) (int, error) {
	if _, err := fmt.Fprintf(c.conn, "%x\r\n%s\r\n", len(data), data); err != nil {
		return 0, err
	}
	return len(data), nil
}

// hang sends nothing for as long as somebody waits for it.
func (s *Server) hang(x *exchange) {
	x.note()
	x.complete(0, x.reason+"; nothing was sent until "+s.wait(x.request.Context()))
	s.end(x)
}

// end closes the connection of an exchange in the middle of it.
func (s *Server) end(x *exchange) { s.finish(x.takeOver()) }

// hijack takes the connection over from the server, nil if it cannot be.
func (x *exchange) hijack() net.Conn {
	conn, _, err := http.NewResponseController(x.ResponseWriter).Hijack()
	if err != nil {
		return nil
	}
	return conn
}

// takeOver takes the connection over, and aborts the handler if it cannot be.
func (x *exchange) takeOver() net.Conn {
	conn := x.hijack()
	if conn == nil {
		panic(http.ErrAbortHandler)
	}
	return conn
}

// closeAtStop closes a connection that was taken over when the server stops,
// which does not know it any more, so that no write waits longer. It returns
// what ends that.
func (s *Server) closeAtStop(conn net.Conn) (end func()) {
	stop := context.AfterFunc(s.stopping, func() { conn.Close() })
	return func() { stop() }
}

// reset closes a connection so that the client's side breaks: TCP sends RST
// when there is nothing to wait for. A connection in memory has no such thing,
// and is just closed.
func reset(conn net.Conn) {
	if secured, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = secured.NetConn() // whose end is not announced
	}
	if tcp, ok := conn.(interface{ SetLinger(seconds int) error }); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}

// lingering is how long a client may take to close its side.
const lingering = 500 * time.Millisecond

// finish closes a connection so that the client reads everything that was sent,
// and then its end. Closing it at once would reset it if the client has sent
// what nobody has read, as the body of a request.
func (s *Server) finish(conn net.Conn) {
	defer conn.Close()
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	conn.SetReadDeadline(time.Now().Add(lingering))
	defer s.closeAtStop(conn)()
	io.Copy(io.Discard, conn)
}

// cut returns where a body is cut off: inside a value, about in the middle.
func cut(body []byte) int {
	half := len(body) / 2
	last := -1 // the middle of the last value before the half
	for i := 0; i < len(body); i++ {
		if body[i] != '"' {
			continue
		}
		start := i + 1
		for i = start; i < len(body) && body[i] != '"'; i++ {
			if body[i] == '\\' {
				i++
			}
		}
		if i >= len(body) {
			break
		}
		if start < 2 || body[start-2] != ':' || i-start < 2 {
			continue // a key, or too short to be cut
		}
		at := start + (i-start)/2
		if start < half && half < i {
			at = half
		}
		for at > start+1 && !utf8.RuneStart(body[at]) {
			at--
		}
		if i > half {
			return at
		}
		last = at
	}
	if last > 0 {
		return last
	}
	return half
}

// wrongPage is what a proxy or a captive portal sends in place of JSON.
const wrongPage = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in</title></head>
<body><h1>Sign in</h1><p>This is a page, where a list of campaigns should be.</p></body>
</html>
`
