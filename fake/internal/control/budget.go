package control

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// The memory that bodies and answers of the control plane take, while they are read and
// written.

// busy refuses a call whose body or answer finds no room now.
func (c *call) busy() error {
	limits := c.plane.Config.Limits
	return refuse(http.StatusServiceUnavailable, "The control plane is busy: other bodies and answers take the %s of memory that there are for them%s. Try again.",
		words.InBytes(limits.Budget), limits.Of())
}

// answerTimeout is how long a client may take to read answerPiece bytes of an answer of
// the control plane, which is in memory until then.
const (
	answerPiece   = 64 << 10
	answerTimeout = 5 * time.Second
)

// bodyPiece is how much of a body is read at once.
const bodyPiece = 16 << 10

// readAll reads the body of the call, and occupies memory for it as it arrives: twice as
// much, because the buffer grows by doubling.
func (c *call) readAll() ([]byte, error) {
	limits := c.plane.Config.Limits
	var read bytes.Buffer
	var err error
	rest := http.MaxBytesReader(nil, c.r.Body, int64(limits.Body))
	c.unread = true
	for err == nil && c.r.ContentLength <= int64(limits.Body) {
		if !c.occupy(2 * bodyPiece) {
			return nil, c.busy()
		}
		_, err = io.CopyN(&read, rest, bodyPiece)
	}
	if err == nil || errors.As(err, new(*http.MaxBytesError)) {
		return nil, refuse(http.StatusRequestEntityTooLarge, "The body is larger than %s%s.", words.InBytes(int64(limits.Body)), limits.Of())
	}
	c.unread = false
	if err != io.EOF {
		return nil, refuse(http.StatusBadRequest, "The body cannot be read: %v.", err)
	}
	return read.Bytes(), nil
}

// occupy takes bytes of the budget of memory until the call ends. It returns false if
// there is no room.
func (c *call) occupy(bytes int64) bool {
	if !c.plane.State.Occupy(bytes, c.occupied) {
		return false
	}
	c.occupied += bytes
	return true
}

// occupyValues takes the memory that the values in a body take once they are read, or
// refuses the call if there is no room.
func (c *call) occupyValues(body []byte) error {
	need, limits := fixtures.MemoryOf(body), c.plane.Config.Limits
	switch {
	case need > limits.Budget:
		return refuse(http.StatusRequestEntityTooLarge, "The values in the body take about %s of memory, and the server has %s%s. Send less at once.",
			words.InBytes(need), words.InBytes(limits.Budget), limits.Of())
	case need > c.occupied && !c.occupy(need-c.occupied):
		return c.busy()
	}
	return nil
}
