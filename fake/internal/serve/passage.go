package serve

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"mime"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
)

// A passage is the http.ResponseWriter for a request that the upstream or the fallback answers. It
// adds our headers to the final answer, and notes the answer in the journal when the answer begins
// and when it has ended.
//
// When the server is closed, the passage cancels the context of a request whose answer has not
// begun. An answer that has begun may finish until the server closes its connection. A stream may
// never finish, so the passage cancels its context, too.
type passage struct {
	exchange *exchange
	request  *http.Request
	header   http.Header // our headers, such as CORS; an answer with a status of 1xx gets none
	cancel   context.CancelFunc
	stop     func() bool // after stop, closing the server does not cancel the context

	hasBegun bool // the header of the final answer is sent, or is about to be
	isStream bool // an event stream, or an upgraded connection
	isWhole  bool // the upstream or the fallback has returned
	sent     int  // how many bytes of the body were written
	isLost   bool // a part was not written: the client has gone away, or the server was closed
}

// newPassage begins the passage of a request. It moves our headers, such as CORS, from the writer
// into the passage. So an answer with a status of 1xx does not get our headers. The method begin
// adds our headers to the final answer.
func newPassage(x *exchange) *passage {
	ctx, cancel := context.WithCancel(x.received.Context())
	p := &passage{
		exchange: x,
		request:  x.received.WithContext(ctx),
		header:   x.writer.Header().Clone(),
		cancel:   cancel,
		stop:     context.AfterFunc(x.engine.Ending, cancel),
	}
	clear(x.writer.Header())
	return p
}

// returnHeader puts our headers, such as CORS, back into the writer, from which newPassage has
// taken them. The exchange needs them for an answer of its own, such as 502.
func (p *passage) returnHeader() {
	maps.Copy(p.Header(), p.header)
}

// isOver reports whether the request was cancelled: the client has gone away, or somebody closes
// the server.
func (p *passage) isOver() bool {
	return p.request.Context().Err() != nil
}

// begin adds the headers of this server, such as CORS, to the answer of the upstream or the
// fallback when that answer begins. It also notes the answer in the journal. Later calls do
// nothing.
func (p *passage) begin(status int) {
	if p.hasBegun {
		return
	}
	p.hasBegun = true
	x := p.exchange
	isUpgraded := status == http.StatusSwitchingProtocols
	if isUpgraded {
		p.header.Del("Connection") // an upgrade has a header Connection of its own
	}
	header := p.Header()
	if x.arrival.Snapshot.CORS != nil {
		maps.DeleteFunc(header, isOfCORS) // our CORS headers replace them
	}
	plan.ExposeHeaders(p.header, header)
	for name, values := range p.header {
		header[name] = slices.Concat(values, header[name])
	}
	length, _ := strconv.Atoi(header.Get("Content-Length"))
	x.entry.Request.Answer.Bytes = max(length, 0)
	x.complete(status)

	p.isStream = isUpgraded || isEventStream(header)
	if p.isStream {
		x.log() // a stream is logged at its start, since it may last for hours
		return
	}
	p.stop()
}

func isOfCORS(name string, _ []string) bool {
	return strings.HasPrefix(name, "Access-Control-")
}

// isEventStream reports whether an answer has server-sent events.
func isEventStream(header http.Header) bool {
	mediaType, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	return mediaType == "text/event-stream"
}

// end notes in the journal how the answer has ended. If no answer has begun, end notes nothing.
// passOn calls end by defer: if the upstream or the fallback breaks off its answer, the code
// panics, and end must still run.
func (p *passage) end() {
	defer p.cancel()
	p.stop()
	if !p.hasBegun {
		return
	}
	x := p.exchange
	x.entry.Request.Answer.Bytes = max(x.entry.Request.Answer.Bytes, p.sent)
	if x.received.Method != http.MethodHead {
		x.entry.Request.Answer.Sent = p.sent // net/http drops the body of the answer to a HEAD
	}
	switch {
	case p.isStream && p.isOver(): // a stream has no end of its own, so nothing is missing
		x.reason.ending = "it lasted until " + x.whoBrokeAnswer()
		x.note()
	case p.isStream && p.isWhole:
		x.reason.ending = "it lasted until one side ended it"
		x.note()
	case p.isWhole && !p.isLost:
		x.note()
	case p.isOver():
		x.noteBroken(brokenBody(p.sent, x.entry.Request.Answer.Bytes, x.whoBrokeAnswer()))
	default:
		// The panic is about to break the connection, and bytes that are not flushed would be lost.
		http.NewResponseController(x.writer).Flush()
		x.noteBroken(fmt.Sprintf("%s ended the connection in the middle of its answer, after %s",
			x.answerer(), words.Counted(p.sent, "byte")))
	}
}

// connectionHeaders are the headers about a connection, and not about an answer. WriteHeader
// removes them from answers with a status of 1xx.
var connectionHeaders = [...]string{"Connection", "Keep-Alive", "Transfer-Encoding", "Upgrade"}

// Header returns the header of the answer.
func (p *passage) Header() http.Header {
	return p.exchange.writer.Header()
}

// WriteHeader sends the header. Answers with a status of 1xx may come before the final answer.
func (p *passage) WriteHeader(status int) {
	isInformational := status < 200 && status != http.StatusSwitchingProtocols
	if isInformational {
		for _, name := range connectionHeaders {
			p.Header().Del(name)
		}
	} else {
		p.begin(status)
	}
	p.exchange.writer.WriteHeader(status)
}

func (p *passage) Write(part []byte) (int, error) {
	p.begin(http.StatusOK)
	n, err := p.exchange.writer.Write(part)
	p.sent += n
	if err != nil && p.isOver() {
		p.isLost = true
	}
	return n, err
}

// Flush makes a passage an http.Flusher, because some handlers need this interface.
func (p *passage) Flush() {
	p.FlushError()
}

// FlushError sends everything that was written so far.
func (p *passage) FlushError() error {
	p.begin(http.StatusOK)
	return http.NewResponseController(p.exchange.writer).Flush()
}

// Hijack gives the connection to the caller, for an upgrade. Closing the server closes the
// connection, even while the caller waits for a write to end.
func (p *passage) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(p.exchange.writer).Hijack()
	if err != nil {
		return nil, nil, err
	}
	p.begin(http.StatusSwitchingProtocols)
	p.stop()
	p.stop = context.AfterFunc(p.exchange.engine.Ending, func() {
		p.cancel()
		conn.Close()
	})
	return conn, buffered, nil
}

// Unwrap returns the writer of the server, on which an http.ResponseController can set deadlines.
func (p *passage) Unwrap() http.ResponseWriter {
	return p.exchange.writer
}
