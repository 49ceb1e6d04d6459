package fake

import (
	"context"
	"io"
	"time"
)

// pace writes a body at a rate of bytes per second, evenly: in pieces of about a
// twentieth of a second, each when its time has come. It returns how much was
// written, and an error if that is not all, since the client has gone away or
// the server has stopped.
func (s *Server) pace(ctx context.Context, w io.Writer, body []byte, rate int) (sent int, err error) {
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
		case <-s.stopping.Done():
			return sent, context.Cause(s.stopping)
		}
		if _, err := w.Write(body[sent:next]); err != nil {
			return sent, err
		}
		sent = next
	}
	return sent, nil
}

// paced sends everything that it is given at once, rather than when there is
// more of it.
type paced struct{ x *exchange }

func (p paced) Write(data []byte) (int, error) {
	n, err := p.x.Write(data)
	p.x.flush()
	return n, err
}
