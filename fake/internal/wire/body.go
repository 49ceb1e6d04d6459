package wire

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
	"unicode/utf8"
)

// Pace writes a body evenly, at a rate in bytes per second: one piece about every
// twentieth of a second. It returns how many bytes were written. If a write fails, or if
// ctx ends, it stops and returns the error, or the cause of ctx.
func Pace(ctx context.Context, w io.Writer, body []byte, rate int) (sent int, err error) {
	piece := max(rate/20, 1)
	start := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for sent < len(body) {
		next := min(sent+piece, len(body))
		due := start.Add(time.Duration(next) * time.Second / time.Duration(rate))
		timer.Reset(time.Until(due))
		select {
		case <-timer.C:
		case <-ctx.Done():
			return sent, context.Cause(ctx)
		}
		if _, err := w.Write(body[sent:next]); err != nil {
			return sent, err
		}
		sent = next
	}
	return sent, nil
}

// PaceResponse is Pace for the body of a response. It flushes the headers and each piece.
func PaceResponse(ctx context.Context, w http.ResponseWriter, body []byte, rate int) (sent int, err error) {
	controller := http.NewResponseController(w)
	controller.Flush()
	return Pace(ctx, flusher{w, controller}, body, rate)
}

// A flusher flushes after each write.
type flusher struct {
	io.Writer
	controller *http.ResponseController
}

func (f flusher) Write(data []byte) (int, error) {
	n, err := f.Writer.Write(data)
	f.controller.Flush()
	return n, err
}

// garbage is not HTTP of any version: neither a status line nor a frame.
const garbage = "\x00\xff\x13\x37 this is not HTTP \xfe\x01\r\n\r\n"

// SendGarbage sends bytes that are not HTTP, and finishes the connection. When ctx
// is done, the connection is closed at once.
func SendGarbage(ctx context.Context, conn net.Conn) {
	defer CloseAfter(ctx, conn)()
	conn.Write([]byte(garbage))
	Finish(ctx, conn)
}

// SetChunked changes the headers of an answer for SendBrokenChunks.
func SetChunked(header http.Header) {
	delete(header, "Content-Length")
	header.Set("Transfer-Encoding", "chunked")
	header.Set("Connection", "close")
	if header.Get("Date") == "" {
		header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	}
}

// chunkPause is the time between the last chunk and the broken one. A client that reads
// both at once may drop the whole chunk, too.
const chunkPause = 20 * time.Millisecond

// SendBrokenChunks sends an HTTP/1.1 answer with a body in chunks, then bytes that are not
// a chunk, and finishes the connection. The server's own writer cannot send them. rate is
// in bytes per second, or 0 for no pause. SetChunked must have changed the headers.
//
// It returns how many bytes of the body were sent, and an error if the client has gone
// away or ctx is done before all were sent.
func SendBrokenChunks(ctx context.Context, conn net.Conn, status int, header http.Header, body []byte, rate int) (sent int, err error) {
	defer conn.Close()
	defer CloseAfter(ctx, conn)()
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	header.Write(&head)
	head.WriteString("\r\n")
	conn.Write(head.Bytes())
	switch {
	case rate > 0:
		sent, err = Pace(Watch(ctx, conn), chunks{conn}, body, rate)
	case len(body) > 0: // an empty chunk would be the end of the body
		sent, err = chunks{conn}.Write(body)
	}
	if err != nil {
		return sent, err
	}
	timer := time.NewTimer(chunkPause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	conn.Write([]byte("this is not the size of a chunk\r\n"))
	Finish(ctx, conn)
	return sent, nil
}

// chunks sends the bytes of each write as one chunk.
type chunks struct{ conn net.Conn }

func (c chunks) Write(data []byte) (int, error) {
	chunk := net.Buffers{fmt.Appendf(nil, "%x\r\n", len(data)), data, []byte("\r\n")}
	if _, err := chunk.WriteTo(c.conn); err != nil {
		return 0, err
	}
	return len(data), nil
}

// Cut returns the length to which a body is truncated: about half of it, so that it ends
// between two characters of a JSON string that is a value. If there is no such string, it
// is exactly half. A body that is not empty always loses something.
func Cut(body []byte) int {
	half := len(body) / 2
	last := -1 // the middle of the last value before the half
	for i := 0; i < len(body); i++ {
		if body[i] != '"' {
			continue
		}
		start := i + 1
		i = stringEnd(body, start)
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
		for at > start && !utf8.RuneStart(body[at]) {
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

// stringEnd returns the index of the quote that ends a JSON string whose first character
// is at i. If the string does not end, the result is the length of the body or more.
func stringEnd(body []byte, i int) int {
	for ; i < len(body) && body[i] != '"'; i++ {
		if body[i] == '\\' {
			i++
		}
	}
	return i
}
