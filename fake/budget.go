package fake

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fixtures"
)

// The memory that bodies and answers of the control plane take, while they are read and
// written.

// refuseBusy answers a call whose body or answer finds no room now.
func (c *call) refuseBusy() {
	c.Header().Set("Retry-After", "1")
	limits := c.server.config.limits
	c.refuse(http.StatusServiceUnavailable, fmt.Sprintf("The control plane is busy: bodies and answers of %s are being read and written, and there is room for no more%s. Try again.", inBytes(limits.Reading), limits.of()))
}

// answerTimeout is how long a client may take to read answerPiece bytes of an answer of
// the control plane, which is in memory until then.
const (
	answerPiece   = 64 << 10
	answerTimeout = 5 * time.Second
)

// maxComposers is how many calls with large answers may wait for each other.
const maxComposers = 4

// bodyPiece is how much memory is taken first for a body that is not small.
const bodyPiece = 4 << 10

var (
	errBusy  = errors.New("there is no room for the body")
	errLarge = errors.New("the body is too large")
)

// readAll reads the body of the request, and takes memory for it as it arrives.
func (c *call) readAll() (read []byte, err error) {
	most := c.server.config.limits.Body
	if c.r.ContentLength > int64(most) {
		return nil, errLarge
	}
	for {
		if len(read) == cap(read) {
			grown := max(2*len(read), bodyPiece)
			if length := int(c.r.ContentLength); 0 < length && length < 4*grown {
				grown = length + 1 // and the end: who has sent an eighth gets room for all of it
			}
			if !c.hold(int64(grown)) {
				return nil, errBusy
			}
			before := int64(cap(read))
			read = append(make([]byte, 0, grown), read...)
			c.release(before)
		}
		n, err := c.r.Body.Read(read[len(read):cap(read)])
		read = read[:len(read)+n]
		switch {
		case len(read) > most:
			return nil, errLarge
		case err == io.EOF:
			return read, nil
		case err != nil:
			return nil, err
		}
	}
}

// refuseUnread refuses a call before the body has been read. It then reads what still
// comes, but no longer than five seconds: the connection would be reset otherwise, and
// the answer lost.
func (c *call) refuseUnread(refuse func()) {
	controller := http.NewResponseController(c.ResponseWriter)
	if controller.EnableFullDuplex() != nil {
		refuse()
		return
	}
	c.Header().Set("Connection", "close")
	refuse()
	controller.Flush()
	wire.Discard(c.ResponseWriter, c.r)
}

// hold takes bytes of the memory for the control plane, until they are released or the
// call ends. It returns false if there is no room. The first to take any gets them in any
// case.
func (c *call) hold(bytes int64) bool {
	if held := c.server.held.Add(bytes); held > c.server.config.limits.Reading && held > bytes {
		c.server.held.Add(-bytes)
		return false
	}
	c.held += bytes
	return true
}

// release gives bytes back.
func (c *call) release(bytes int64) {
	c.server.held.Add(-bytes)
	c.held -= bytes
}

// checkValues returns an error if the values in JSON, and the replies among them, take
// more memory than there is.
func (l Limits) checkValues(body []byte) error {
	if need := fixtures.MemoryOf(body); need > l.Values {
		return fmt.Errorf("%w for what the body holds: its values take about %s of memory, and there are %s%s; send less at once", errFull, inBytes(need), inBytes(l.Values), l.of())
	}
	return nil
}

// checkReplies returns an error if replies take more memory than there is.
func (l Limits) checkReplies(count int) error {
	if need := int64(count) * replyMemory; need > l.Values {
		return fmt.Errorf("%w for %d replies at once, which take about %s of memory, and there are %s%s; send fewer", errFull, count, inBytes(need), inBytes(l.Values), l.of())
	}
	return nil
}

// kept returns how many bytes of JSON count as kept for a body with so many replies.
func (l Limits) kept(body []byte, replies int) int {
	if l.Memory == 0 {
		return len(body)
	}
	return max(len(body), int((fixtures.MemoryOf(body)+int64(replies)*replyMemory)/keptMemory))
}
