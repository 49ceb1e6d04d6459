package fake

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"
)

// breakOff ends an exchange before any answer, if that is the fault of the reply.
//
// What the connection has to be taken over for, here and below, is done by
// hijacking it. Where that cannot be, as under HTTP/2 or with a recorder, the
// handler is aborted: the stream is reset, which is the nearest thing.
func (s *Server) breakOff(x *exchange, r *reply) bool {
	switch r.given.Fault {
	case "reset":
		x.complete(0, x.reason)
		reset(x.takeOver())
	case "close":
		x.complete(0, x.reason)
		s.end(x)
	case "garbage":
		x.complete(0, x.reason)
		conn := x.takeOver()
		defer s.closeAtStop(conn)()
		conn.Write([]byte(garbage))
		s.finish(conn)
	default:
		return false
	}
	return true
}

// deliver sends a body under the answer of a reply, as its fault and its rate
// have it.
func (s *Server) deliver(x *exchange, r *reply, body []byte) {
	if r.given.Fault == "bad_json" {
		body = body[:cut(body)]
	}
	x.body = body
	x.broken = r.given.Fault != ""
	if x.request.Method == http.MethodHead || r.given.Fault == "" || r.given.Fault == "bad_json" || r.given.Fault == "wrong_type" {
		if x.request.Method == http.MethodHead && breaksBody(r.given.Fault) {
			x.reason += "; an answer to HEAD has no body to break"
		}
		s.send(x, r, body, len(body))
		return
	}
	half := body[:cut(body)]
	if r.given.Fault == "bad_chunk" {
		s.badChunk(x, r, half)
		return
	}
	if !s.send(x, r, half, max(len(body), 1)) {
		return
	}
	x.flush()
	if r.given.Fault == "stall" {
		x.amend("; %d of %d bytes were sent, and then nothing until %s", len(half), len(body), s.wait(x))
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
	if r.given.Rate == 0 {
		sent, err = x.Write(body)
	} else {
		x.flush() // the headers do not wait
		sent, err = s.pace(s.attended(x), paced{x}, body, r.given.Rate)
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
	if header.Get("Date") == "" {
		header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	}
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", r.answer.status, http.StatusText(r.answer.status))
	header.Write(&head)
	head.WriteString("\r\n")
	x.complete(r.answer.status, x.reason)
	defer s.closeAtStop(conn)()
	conn.Write(head.Bytes())
	var sent int
	var err error
	switch {
	case r.given.Rate > 0:
		sent, err = s.pace(s.watched(conn), chunks{conn}, half, r.given.Rate)
	case len(half) > 0: // an empty chunk would be the end of the body
		sent, err = chunks{conn}.Write(half)
	}
	if err != nil {
		x.amend("; %d bytes were sent before %s", sent, s.ended())
		conn.Close()
		return
	}
	// What comes together may be read together, and the first part of it be lost
	// with the rest: one time, and not another.
	timer := time.NewTimer(chunkPause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.stopping.Done():
	}
	conn.Write([]byte("this is not the size of a chunk\r\n"))
	s.finish(conn)
}

// chunks writes everything that it is given as a chunk.
type chunks struct{ conn net.Conn }

func (c chunks) Write(data []byte) (int, error) {
	chunk := net.Buffers{fmt.Appendf(nil, "%x\r\n", len(data)), data, []byte("\r\n")}
	if _, err := chunk.WriteTo(c.conn); err != nil {
		return 0, err
	}
	return len(data), nil
}

// chunkPause is the time between the chunks and what is none.
const chunkPause = 20 * time.Millisecond

// hang sends nothing for as long as somebody waits for it.
func (s *Server) hang(x *exchange) {
	x.note()
	x.complete(0, x.reason+"; nothing was sent until "+s.wait(x))
	s.end(x)
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
