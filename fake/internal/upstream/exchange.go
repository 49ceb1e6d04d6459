package upstream

import (
	"io"
	"net/http"
	"net/http/httputil"
	"sync"
	"sync/atomic"
	"time"
)

// An exchange is a request that is passed on, and its answer.
type exchange struct {
	proxy    *Proxy
	received *http.Request
	options  Options
	paths    pathMapping
	writer   answerWriter
	own      http.Header // what the caller has set, to be sent with the answer

	requestBody *requestBody // nil if there is none
	answerBody  *answerBody  // nil if there is no answer, and for an upgraded connection

	answer  answerKind  // that is sent, or about to be
	failure error       // why there is no answer, or no upgraded connection
	cancel  func()      // ends the exchange
	forget  func() bool // undoes that the end of the server ends it; nil if nothing does that
}

// An answerKind is what the upstream answers.
type answerKind int

const (
	noAnswer           answerKind = iota // by now, or at all
	ordinaryAnswer                       // has a body, which may finish when the server ends
	eventStream                          // has a body, which ends with the server
	upgradedConnection                   // has no body, and ends with the server
)

// isStream reports whether an answer has no end of its own, so that it ends with the server.
func (k answerKind) isStream() bool {
	return k == eventStream || k == upgradedConnection
}

// release is deferred. It lets go of what would be kept for a stream until the server ends.
func (x *exchange) release() {
	if x.forget != nil {
		x.forget()
	}
}

// takeHeader takes what the caller has set out of the writer. An answer with a status of 1xx would
// send it, and clear it.
func (x *exchange) takeHeader() {
	header := x.writer.Header()
	x.own = header.Clone()
	clear(header)
}

// returnHeader undoes takeHeader, for the answer of the caller.
func (x *exchange) returnHeader() {
	header := x.writer.Header()
	clear(header)
	for name, values := range x.own {
		header[name] = values
	}
}

// flushInterval is how long a part of a body may wait for the next one before it is sent, if the
// length of the whole is known. Other bodies, and events, never wait. If each part were sent at
// once, a small answer would take a packet of its own for the header.
const flushInterval = 5 * time.Millisecond

// serve passes the request on. r is the received one, with a context that ends the exchange.
func (x *exchange) serve(r *http.Request) {
	if r.ContentLength != 0 && r.Body != nil {
		x.requestBody = &requestBody{ReadCloser: r.Body}
		r.Body = x.requestBody
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:        x.rewriteRequest,
		Transport:      x.proxy.transport,
		FlushInterval:  flushInterval,
		ModifyResponse: x.rewriteAnswer,
		ErrorHandler:   x.noteFailure,
		ErrorLog:       x.proxy.discard,
	}
	defer ignoreAbort()
	proxy.ServeHTTP(&x.writer, r)
}

// ignoreAbort is deferred. It ends the panic with which ReverseProxy breaks off an answer: outcome
// returns why.
func ignoreAbort() {
	p := recover()
	if p != nil && p != http.ErrAbortHandler {
		panic(p)
	}
}

// noteFailure is called by ReverseProxy if there is no answer.
func (x *exchange) noteFailure(_ http.ResponseWriter, _ *http.Request, err error) {
	x.failure = err
}

// outcome returns why there is no answer, or not all of it. It is called at the end.
func (x *exchange) outcome() error {
	switch x.answer {
	case noAnswer:
		return x.whyNoAnswer()
	case upgradedConnection:
		return x.whyUpgradeFailed()
	}
	return x.whyIncomplete()
}

// whyNoAnswer returns why no answer has begun.
func (x *exchange) whyNoAnswer() error {
	if x.isClientGone() {
		return x.whyLeft()
	}
	return x.proxy.errorOf(x.failure)
}

// whyUpgradeFailed returns why an upgraded connection has not lasted until a side closed it, nil if
// it has.
func (x *exchange) whyUpgradeFailed() error {
	isEnded := x.proxy.ending.Err() != nil
	if isEnded || x.failure != nil { // it could not be written to
		return x.whyLeft()
	}
	return nil
}

// whyIncomplete returns why the client has not received all of the body, nil if it has.
func (x *exchange) whyIncomplete() error {
	isComplete := x.answerBody.err == io.EOF && x.writer.err == nil
	isEnded := x.answer.isStream() && x.proxy.ending.Err() != nil
	switch {
	case isComplete:
		return nil
	case isEnded || x.isClientGone():
		return x.whyLeft()
	}
	// The connection is about to be broken, and with it goes what has not been sent.
	http.NewResponseController(x.writer.ResponseWriter).Flush()
	return x.proxy.brokenError()
}

// isClientGone reports whether the client has gone away, takes no more of the answer, or has not
// sent all of the request.
func (x *exchange) isClientGone() bool {
	if x.requestBody != nil && x.requestBody.hasFailed.Load() {
		return true
	}
	return x.received.Context().Err() != nil || x.writer.err != nil
}

// whyLeft returns the error for an exchange that was ended by the client, or by the end of the
// server.
func (x *exchange) whyLeft() error {
	if x.proxy.ending.Err() != nil {
		return ErrServerClosed
	}
	return ErrClientGone
}

// stopTimeout is how long the transport may still wait for a part of the request's body when the
// answer has ended.
const stopTimeout = 500 * time.Millisecond

// stopReading ends the reading of a body whose answer came early. net/http would otherwise
// interrupt the transport when the handler returns, and then reset the connection, so that some
// clients never see the answer.
func (x *exchange) stopReading() {
	if x.requestBody == nil || x.requestBody.isRead.Load() {
		return
	}
	controller := http.NewResponseController(x.writer.ResponseWriter)
	controller.SetReadDeadline(time.Now().Add(stopTimeout))
	x.requestBody.stop()
	controller.SetReadDeadline(time.Time{})
}

// A requestBody is the body of a request. It notes how it ends. The transport may still read it
// when the answer has begun, and even when that has ended.
type requestBody struct {
	io.ReadCloser
	isRead    atomic.Bool // all of it
	hasFailed atomic.Bool // the client has not sent all of it

	reading   sync.Mutex // is held while it is read
	isStopped bool
}

// stop waits for the end of a Read, and lets no other one begin.
func (b *requestBody) stop() {
	b.reading.Lock()
	defer b.reading.Unlock()
	b.isStopped = true
}

func (b *requestBody) Read(p []byte) (int, error) {
	b.reading.Lock()
	defer b.reading.Unlock()
	if b.isStopped {
		return 0, http.ErrBodyReadAfterClose
	}
	n, err := b.ReadCloser.Read(p)
	switch err {
	case nil:
	case io.EOF:
		b.isRead.Store(true)
	default:
		b.hasFailed.Store(true)
	}
	return n, err
}

// An answerBody is the body of an answer. It notes how it ends.
type answerBody struct {
	io.ReadCloser
	err error // io.EOF if all of it was read
}

func (b *answerBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.err = err
	}
	return n, err
}

// An answerWriter writes to the client. It counts the body, and notes whether the client takes it.
type answerWriter struct {
	http.ResponseWriter
	sent int64
	err  error
}

func (w *answerWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.sent += int64(n)
	if err != nil {
		w.err = err
	}
	return n, err
}

// Unwrap returns the writer that can flush, and be hijacked.
func (w *answerWriter) Unwrap() http.ResponseWriter {
	return w.ResponseWriter
}
