package fake

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fixtures"
)

// Limits are how much a server holds at once of what clients and fixtures can make
// grow. Beyond a limit there is an error or an answer that names it.
type Limits struct {
	// Memory is the memory in bytes that the limits were made for, 0 for any.
	Memory int64 `json:"memory_bytes"`

	// Connections is how many may be open. With TLS, of which each takes more, it is a
	// quarter of that, with up to Streams requests at once over HTTP/2.
	Connections int `json:"connections"`
	Streams     int `json:"streams"`

	// Header is the bytes of a request's headers.
	Header int `json:"header_bytes"`

	// Body is the bytes of a body that is sent to the control plane, Reading those of
	// all bodies and answers of the control plane that are in memory at once, and Values
	// the memory that the values in one body take. A number or a short word in a list takes
	// many times its bytes.
	Body    int   `json:"body_bytes"`
	Reading int64 `json:"reading_bytes"`
	Values  int64 `json:"values_bytes"`

	// Kept is the bytes of JSON of all users and replies that came over HTTP. Those
	// that take more memory than eight times their JSON count for more.
	Kept int `json:"kept_bytes"`

	// Campaigns is the bytes of the lists that are sent to users, of all users together,
	// and Fixtures those of all files of fixtures. 0 stands for no limit.
	Campaigns int64 `json:"campaigns_bytes"`
	Fixtures  int64 `json:"fixtures_bytes"`

	// Journal is the bytes of headers, URLs and answers in the journal, Unknown those
	// of the unknown tokens that are remembered, and Followers how many clients follow
	// the events.
	Journal   int `json:"journal_bytes"`
	Unknown   int `json:"unknown_bytes"`
	Followers int `json:"followers"`
}

// What a server is assumed to take in memory. The test in .ci/containers shows that the
// sum is enough; no part was measured alone, save that a server without clients takes
// about 4 MiB.
const (
	ownMemory        = 12 << 20 // of the program, before it serves anything
	connectionMemory = 40 << 10 // of an open connection, besides the headers: buffers, stacks, and what the kernel holds
	keptMemory       = 8        // of a byte of JSON that is kept
	yamlMemory       = 25       // of a byte of YAML while it is read
	replyMemory      = 1500     // of a reply that waits, at least
)

// LimitsOf returns the limits of a server that may use so many bytes of memory, as a
// container allows. 0 returns the limits of a server without a memory limit, which are
// never exceeded: up to about 4 GiB, less memory means lower limits.
func LimitsOf(memory int64) Limits {
	l := Limits{
		Memory: memory, Connections: 20_000, Streams: 250, Header: 64 << 10,
		Body: 8 << 20, Reading: maxNumber, Values: maxNumber, Kept: 16 << 20,
		Journal: 8 << 20, Unknown: maxNumber, Followers: 32,
	}
	if memory <= 0 {
		l.Memory = 0
		return l
	}
	room := max(memory-ownMemory, memory/4)
	l.Header = int(min(max(memory>>14, 8<<10), 64<<10))
	l.Connections = int(min(room*2/5/(connectionMemory+int64(l.Header)), 20_000))
	l.Streams = int(min(max(memory>>22, 8), 250))
	l.Values = room / 5
	l.Reading = room / 10
	l.Body = int(min(l.Values/10, 8<<20)) // so that one of campaigns may be as large
	l.Kept = int(min(room/5/keptMemory, 16<<20))
	l.Campaigns = room / 6
	l.Fixtures = room * 2 / 5 / yamlMemory
	l.Journal = int(min(memory>>6, 8<<20))
	l.Unknown = int(memory >> 6)
	l.Followers = int(min(max(memory>>23, 1), 32))
	return l
}

// WithMemory sets how many bytes of memory the server may use, as a container allows.
// Its Limits follow from that. 0, which is the default, means that there is no limit.
func WithMemory(memory int64) Option {
	return func(c *config) { c.limits = LimitsOf(memory) }
}

// Limits returns the limits of the server.
func (s *Server) Limits() Limits { return s.config.limits }

// String describes the limits on a line.
func (l Limits) String() string {
	if l.Memory == 0 {
		return "no limit"
	}
	return fmt.Sprintf("%s: up to %d connections, bodies of %s for /_fake/, %s of fixtures, and %s of campaigns",
		inBytes(l.Memory), l.Connections, inBytes(int64(l.Body)), inBytes(l.Fixtures), inBytes(l.Campaigns))
}

// of adds to a sentence which memory a limit follows from.
func (l Limits) of() string {
	if l.Memory == 0 {
		return ""
	}
	return fmt.Sprintf(", by its memory of %s", inBytes(l.Memory))
}

// inBytes writes a number of bytes for people.
func inBytes(n int64) string {
	switch {
	case n >= 10<<20, n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// A budget is bytes that are taken and given back. It may be used by several
// goroutines at once.
type budget struct{ taken atomic.Int64 }

// take takes bytes, and returns false if there are not so many up to a limit. Whoever
// is alone gets all that he needs.
func (b *budget) take(n, limit int64) bool {
	if taken := b.taken.Add(n); taken > limit && taken > n {
		b.taken.Add(-n)
		return false
	}
	return true
}

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

// bodyPiece is how much memory is taken first for a body whose length is not known.
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
			if length := int(c.r.ContentLength); 0 < length && length < grown {
				grown = length + 1 // and the end
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

// hold takes bytes of the budget for the control plane, until they are released or the
// call ends. It returns false if there is no room.
func (c *call) hold(bytes int64) bool {
	if !c.server.held.take(bytes, c.server.config.limits.Reading) {
		return false
	}
	c.held += bytes
	return true
}

// release gives bytes back.
func (c *call) release(bytes int64) {
	c.server.held.taken.Add(-bytes)
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
