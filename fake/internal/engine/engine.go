// Package engine owns what changes while a server runs, under one lock:
//
//	accounts.go  the state of each token, known and unknown
//	user.go      which user each token has, and why
//	chosen.go    which tokens are no secrets, and may be in the log
//	scope.go     the tokens that a call applies to: some, all of a run, or all
//	script.go    the replies that are left to play, enqueued replies first
//	turn.go      the rate limit, the reply and the delay for a request
//	arrival.go   a request arrives, gets its user and its turn, and is answered
//	hold.go      requests that are held until their release
//	change.go    users and replies are set and removed
//	reset.go     tokens go back to how the server started
//	reload.go    fixtures are read again
//	read.go      other packages read the state, such as the users and the unplayed replies
//	tally.go     counts of all requests
//	await.go     waiting for requests
//	flights.go   the requests under way, and the end of the server
//
// The engine uses package plan, whose snapshots it puts in force, and package ring, which has the
// journal. The packages serve, control and fake share one engine.
package engine

import (
	"context"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"sync/atomic"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures/protocol"
)

// An Engine holds the state of a running server. Its methods read the state and change it. Any
// number of goroutines may call them at once.
type Engine struct {
	Config  plan.Config
	Test    *report.Test   // the engine reports failures to it
	Sharing report.Sharing // the tests that have a token of their own

	// The engine calls OnBreaksChanged, without the lock, when the result of Breaks may have
	// changed.
	OnBreaksChanged func()

	Listener atomic.Pointer[net.Listener] // the listener of the API

	// The context Ending ends when the server is closed. From then on the server accepts no
	// request, and nothing waits.
	Ending context.Context
	end    context.CancelFunc

	// Whoever parses fixtures, or a body sent to the control plane, holds Parsing. A parse takes
	// many times the size of the text in memory, so only one text is parsed at a time. Parsing
	// guards no state.
	Parsing sync.Mutex

	// mu is the only lock of the package. It guards every field below it, and what these fields
	// point to, so that a reset changes everything at once. Exported methods lock mu, and unlock it
	// before they return. The caller holds mu for methods whose names end with Locked, and for all
	// methods of accounts, account and Journal. Nobody who holds mu waits, writes to a client, or
	// encodes a body.
	mu       sync.Mutex
	accounts *accounts // has the snapshot in force
	journal  *ring.Journal
	tally    journal.Tally
	reload   ReloadResult
	next     chan struct{}  // closed by the next change; nil if nobody waits
	handlers sync.WaitGroup // the requests in flight
}

// New makes an engine from a Setup, to which the options have been applied. It fails if an option
// is wrong.
func New(setup *plan.Setup) (*Engine, error) {
	snapshot, err := plan.NewSnapshot(setup)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		Config:          setup.Config,
		Test:            setup.Test,
		OnBreaksChanged: func() {},
		accounts:        newAccounts(snapshot),
		journal:         ring.New(),
	}
	if e.Test == nil {
		e.Test = report.New(report.NoTest{})
	}
	e.Ending, e.end = context.WithCancel(context.Background())
	return e, nil
}

// InForce returns the snapshot that is in force.
func (e *Engine) InForce() *plan.Snapshot {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.accounts.snapshot
}

// Next returns a channel that is closed by the next change, or when the server ends. ended reports
// whether the server has been closed.
func (e *Engine) Next() (changed <-chan struct{}, ended bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.next == nil {
		e.next = make(chan struct{})
	}
	return e.next, e.Ended()
}

// changedLocked wakes every goroutine that waits for a change.
func (e *Engine) changedLocked() {
	if e.next != nil {
		close(e.next)
		e.next = nil
	}
}

// BaseURL returns the base URL of the server's listener, or the base path if there is no
// listener.
func (e *Engine) BaseURL() string {
	basePath := e.InForce().BasePath
	listener := e.Listener.Load()
	if listener == nil {
		return basePath
	}
	scheme := "http://"
	if e.Config.Certificates != nil {
		scheme = "https://"
	}
	return scheme + addressOf(*listener) + basePath
}

// Wanted returns the URL that a client should request.
func (e *Engine) Wanted() string {
	return e.BaseURL() + protocol.CampaignsPath
}

// addressOf returns the host and port at which a client on this machine reaches a listener. If it
// listens on all interfaces, the host is 127.0.0.1.
func addressOf(l net.Listener) string {
	tcp, isTCP := l.Addr().(*net.TCPAddr)
	if isTCP && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return l.Addr().String()
}

// TestOf returns the test to which failures of a token's requests are reported.
func (e *Engine) TestOf(token string) *report.Test {
	test := e.Sharing.Of(token)
	if test == nil {
		return e.Test
	}
	return test
}

// LogOf returns the log for lines about a token: the log of its test, unless the server has one log
// for all tokens.
func (e *Engine) LogOf(token string) *slog.Logger {
	test := e.Sharing.Of(token)
	if test == nil || e.Config.HasLogger {
		return e.Config.Logger
	}
	return test.Log
}

// Breaks reports whether each connection may carry only one request. It is true for a server that
// reports to a test. It also becomes true when somebody gives a reply whose fault breaks the
// connection, and whose Times is not Always. Then it stays true after the reply was played, until
// all tokens are reset.
//
// Browsers and Go's client silently repeat a request if its connection breaks and was used before.
// Then nobody would see the fault, and the request would use up two replies. So while Breaks is
// true, each answer closes its connection, also if the user's own http.Server calls the handlers.
// Package fake closes the idle connections of its own server, too.
func (e *Engine) Breaks() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.breaksLocked()
}

func (e *Engine) breaksLocked() bool {
	return e.accounts.mayBreak || e.Config.Test != nil
}
