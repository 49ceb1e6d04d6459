package plan

import (
	"errors"
	"fmt"
	"runtime/debug"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// Limits bound how much clients and fixtures can make a server hold. All of them follow
// from the memory that the process may use: the program itself takes some 12 MiB, a
// quarter of the rest is the budget, and another quarter is for the campaigns.
type Limits struct {
	// Memory is how many bytes of memory the process may use, 0 without a limit.
	Memory int64 `json:"memory_bytes"`

	// Budget is how many bytes everything may take that requests leave behind or
	// occupy: the journal, unknown tokens, users and replies that came over HTTP, and
	// bodies and answers of the control plane.
	Budget int64 `json:"budget_bytes"`

	// Body is how many bytes a body may have that is sent to the control plane, and
	// Header how many the headers of a request may have.
	Body   int `json:"body_bytes"`
	Header int `json:"header_bytes"`

	// Fixtures is how many bytes all files of fixtures may have together, 0 for any
	// number.
	Fixtures int64 `json:"fixtures_bytes"`

	// Connections is how many may be open: beyond that, the least recently used one is
	// closed. A server with TLS has a quarter, since each takes more. Followers is how
	// many clients may follow the events.
	Connections int `json:"connections"`
	Followers   int `json:"followers"`
}

const (
	// largestBudget is the budget of a server without a memory limit.
	largestBudget = 64 << 20

	// ownMemory is what the program takes before it serves anything.
	ownMemory = 12 << 20

	// connectionMemory is how much of that room there has to be for each open connection,
	// besides four times the headers: buffers, stacks, and what the kernel holds.
	connectionMemory = 68 << 10

	// mostConnections is the most that may be open, unless memory or file descriptors
	// allow fewer. A load test takes fewer.
	mostConnections = 20_000

	// mostMemory is more than any machine has. Where there is no limit, a control group
	// has a number beyond it.
	mostMemory = 1 << 50

	// replyMemory is what a reply that waits takes at least.
	replyMemory = 1500
)

// ErrFull is the error of what finds no room.
var ErrFull = errors.New("there is no room")

// LimitsOf returns the limits of a server whose process may use so many bytes of memory;
// 0 means that there is no limit.
func LimitsOf(memory int64) Limits {
	l := Limits{Memory: max(memory, 0), Budget: largestBudget, Header: 64 << 10, Connections: mostConnections, Followers: 32}
	if memory > 0 {
		room := roomIn(memory)
		l.Budget = min(room/4, largestBudget)
		l.Fixtures = fixtures.LimitOf(memory)
		l.Header = int(min(max(memory>>14, 8<<10), 64<<10))
		l.Connections = int(min(room/(connectionMemory+4*int64(l.Header)), mostConnections))
		l.Followers = int(min(max(memory>>23, 1), 32))
	}
	l.Body = int(l.Budget / 8)
	return l
}

// roomIn returns what the program itself leaves of the memory.
func roomIn(memory int64) int64 { return max(memory-ownMemory, memory/4) }

// ofProcess returns the memory limit of the process: that of the Go runtime, which the
// variable GOMEMLIMIT or debug.SetMemoryLimit sets. It is 0 if there is none.
func ofProcess() int64 {
	limit := debug.SetMemoryLimit(-1) // which changes nothing
	if limit > mostMemory {
		return 0
	}
	return limit
}

// Journal returns how many bytes of the budget the journal may take.
func (l Limits) Journal() int { return int(l.Budget / 8) }

// Unknown returns how many bytes of the budget unknown tokens may take.
func (l Limits) Unknown() int { return int(l.Budget / 8) }

// Put returns how many bytes of the budget users and replies that came over HTTP may
// take.
func (l Limits) Put() int64 { return l.Budget / 2 }

// Answers returns how many bytes the normal answers of all users may have together, 0
// for any number. The encoder needs about twice as much while it makes one.
func (l Limits) Answers() int64 { return roomIn(l.Memory) / 4 }

// PutSize returns how much of the budget a body with so many replies takes once it has
// been read.
func PutSize(body []byte, replies int) int64 {
	return fixtures.MemoryOf(body)/2 + int64(replies)*replyMemory
}

// Of returns the end of a sentence about a limit: from which memory it follows. It is ""
// without a memory limit.
func (l Limits) Of() string {
	if l.Memory == 0 {
		return ""
	}
	return fmt.Sprintf(", by its memory of %s", words.InBytes(l.Memory))
}
