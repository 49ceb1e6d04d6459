package fake

import (
	"fmt"

	"example.com/campaignfake/fake/internal/wire"
)

// Limits are how much a server holds at once of what clients and fixtures can make
// grow. Beyond a limit there is an error or an answer that names it.
type Limits struct {
	// Memory is the memory in bytes that the limits were made for, 0 for any.
	Memory int64 `json:"memory_bytes"`

	// Connections is how many may be open, each with up to Streams requests at once over
	// HTTP/2. A server with TLS has a quarter of what LimitsOf returns, since each takes
	// more.
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
		Memory: memory, Connections: wire.ConnectionLimit, Streams: 250, Header: 64 << 10,
		Body: 8 << 20, Reading: maxNumber, Values: maxNumber, Kept: 16 << 20,
		Journal: 8 << 20, Unknown: maxNumber, Followers: 32,
	}
	if memory <= 0 {
		l.Memory = 0
		return l
	}
	room := max(memory-ownMemory, memory/4)
	l.Header = int(min(max(memory>>14, 8<<10), 64<<10))
	l.Connections = int(min(room*2/5/(connectionMemory+int64(l.Header)), wire.ConnectionLimit))
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
