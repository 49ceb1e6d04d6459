package fake

import (
	"fmt"
	"net"
	"net/http"
	"time"
	"unicode/utf8"

	"example.com/campaignfake/fake/internal/wire"
)

// An exchange is one request to the API and its answer. Handlers write through it,
// so that the journal is complete before the client has the whole answer.
type exchange struct {
	http.ResponseWriter
	server   *Server
	r        *http.Request
	path     string // as it was sent
	at       time.Time
	received []byte // packed for the journal
	inFlight inFlight

	// What was in force when the request arrived; see state.arrive.
	snapshot *snapshot
	route    route
	account  *account
	counts   *counts // of the account when the request arrived
	token    string
	user     *user    // nil if the token has none
	known    bool     // the user was given, and is not an unknown token's
	tokens   []string // of all users, if the token has none; shared
	deviates bool     // a rate limit, a reply, chaos or a delay may apply to it
	usesOnce bool     // the connection is not used for another request
	number   int      // in the journal
	reset    int      // how often the numbers had started over

	// What the steps have decided.
	preferred bool   // the answer is the one that the Prefer header asks for
	plain     bool   // nothing but the normal answer is left for it: its turn counts when it is complete
	turn      turn   // that limitRate has taken; with Prefer, its number alone
	reply     *reply // nil for the normal answer

	body        []byte // of the answer
	sent        []byte // what the journal keeps of it, packed
	unsent      int    // bytes of the body that a fault, or the end of the connection, leaves out
	status      int
	reason      string
	remark      string // added to whatever the reason is
	near        string // a user's token of which an unknown one is probably a misspelling
	placeholder string // what was sent in place of a token
	duration    time.Duration
	broken      bool // a fault breaks the answer
	completed   bool

	drained  bool         // somebody has read the body of the request
	rest     wire.Drained // what became of that
	hijacked net.Conn     // nil if the connection is still net/http's
}

// because says why the answer is what it will be.
func (x *exchange) because(format string, args ...any) { x.reason = fmt.Sprintf(format, args...) }

// WriteHeader completes the entry in the journal, and sends the header.
func (x *exchange) WriteHeader(status int) {
	x.complete(status, x.reason)
	x.ResponseWriter.WriteHeader(status)
}

// flush sends what has been written so far.
func (x *exchange) flush() { http.NewResponseController(x.ResponseWriter).Flush() }

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// complete enters the answer into the journal, unless it is there. Status 0 stands
// for no answer.
func (x *exchange) complete(status int, reason string) {
	if x.completed {
		return
	}
	x.completed = true
	x.status, x.reason = status, reason+x.remark
	x.duration = time.Since(x.at)
	if status != 0 {
		x.sent = packHeader(pack(x.sent[:0], start(x.body)), x.Header())
	}
	x.server.state.complete(x, answered{
		done: true, broken: x.broken, status: status, reason: x.reason, duration: x.duration,
		length: len(x.body), unsent: x.unsent, near: x.near,
	})
}

// start returns the first bytes of a body, which each entry of the journal has.
func start(body []byte) []byte {
	if len(body) <= answerBytes {
		return body
	}
	end := answerBytes
	for end > answerBytes-utf8.UTFMax && !utf8.RuneStart(body[end]) {
		end--
	}
	return body[:end]
}

// amend adds to the reason of an answer that ended early, or never came.
func (x *exchange) amend(format string, args ...any) {
	x.reason += fmt.Sprintf(format, args...)
	x.server.state.explain(x, true)
}
