package control

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"example.com/campaignfake/fake/internal/words"
)

const (
	// maxBody is how many bytes the body of a call may have.
	maxBody = 1 << 20

	// maxBodies is how many bytes all bodies have together that are being read.
	maxBodies = 32 << 20

	// bodyTimeout is how long reading one may take.
	bodyTimeout = 10 * time.Second

	// pieceBytes is how many bytes of a body are read at once. What has not come takes no memory.
	pieceBytes = 4 << 10

	// retryAfter is after how many seconds a call may be sent again that found no room.
	retryAfter = "1"
)

// errNoRoom says that other bodies have the room that all have together.
var errNoRoom = errors.New("there is no room for the body")

// readBody reads the body of the call, for a limited time, and then calls read with it. Bodies of
// several calls are read at once, but read runs for one call at a time: the type memory says why.
func (c *call) readBody(read func(body []byte) error) error {
	encoding := c.r.Header.Get("Content-Encoding")
	if encoding != "" && !strings.EqualFold(encoding, "identity") {
		return refuse(http.StatusUnsupportedMediaType,
			"The body has the Content-Encoding %s; send it as it is, without that header.",
			words.CutInput(encoding))
	}
	controller := http.NewResponseController(c.w)
	if err := c.limit(controller.SetReadDeadline, bodyTimeout); err != nil {
		return err
	}
	body := &heldBody{room: &c.memory.bodies}
	defer body.drop()
	err := body.readAll(http.MaxBytesReader(c.w, c.r.Body, maxBody))
	if err != nil {
		return c.refuseBody(err)
	}
	if err := c.engine.ParseLock.Enter(c.r.Context()); err != nil {
		return err
	}
	defer c.engine.ParseLock.Leave()
	return read(slices.Concat(body.pieces...))
}

// refuseBody returns the refusal of a body that was not read to its end.
func (c *call) refuseBody(err error) error {
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return refuse(http.StatusRequestEntityTooLarge,
			"The body is larger than %d MiB.", maxBody>>20)
	case errors.Is(err, errNoRoom):
		c.w.Header().Set("Retry-After", retryAfter)
		return refuse(http.StatusServiceUnavailable,
			"The bodies of other calls have the %d MiB that all have together; "+
				"send this one again in a second.", maxBodies>>20)
	}
	return refuse(http.StatusBadRequest, "The body cannot be read: %v.", err)
}

// A bodyRoom counts the bytes of all bodies that are being read.
type bodyRoom struct {
	taken atomic.Int64
}

// take takes room for a piece of a body, or returns false if there is none.
func (r *bodyRoom) take() bool {
	if r.taken.Add(pieceBytes) <= maxBodies {
		return true
	}
	r.taken.Add(-pieceBytes)
	return false
}

// A heldBody is the part of a body that was read. It has room until it is dropped.
type heldBody struct {
	room   *bodyRoom
	pieces [][]byte
}

// readAll reads a body to its end, or fails with errNoRoom or the error of the reader.
func (b *heldBody) readAll(body io.Reader) error {
	for {
		if !b.room.take() {
			return errNoRoom
		}
		piece, err := readPiece(body)
		b.pieces = append(b.pieces, piece)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readPiece reads the next piece of a body, which is shorter than others if there is an error. That
// is io.EOF at the end of the body.
func readPiece(body io.Reader) (piece []byte, err error) {
	piece = make([]byte, 0, pieceBytes)
	for len(piece) < cap(piece) && err == nil {
		n := 0
		n, err = body.Read(piece[len(piece):cap(piece)])
		piece = piece[:len(piece)+n]
	}
	return piece, err
}

// drop gives the room back.
func (b *heldBody) drop() {
	b.room.taken.Add(-int64(len(b.pieces)) * pieceBytes)
	b.pieces = nil
}
