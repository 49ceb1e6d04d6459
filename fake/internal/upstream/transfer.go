package upstream

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
	"sync/atomic"
	"time"
)

// A transfer is one request on its way to the upstream, and the answer on its way back.
type transfer struct {
	proxy    *Proxy
	received *http.Request
	options  Options
	paths    pathMapping
	writer   answerWriter

	callerHeader http.Header // the headers that the caller has set, to be sent with the answer

	requestBody *requestBody // nil if the request has none
	answerBody  *answerBody  // nil if there is no answer, and for an upgraded connection

	answer  answerKind // the kind of the answer that is sent, or about to be sent
	failure error      // why there is no answer, or no upgraded connection
	cancel  func()     // ends the transfer

	// A stream ends with the server. stopWatching stops to watch for that; nil if it is no stream.
	stopWatching func() bool
}

// An answerKind is what kind of an answer the upstream gives.
type answerKind int

const (
	noAnswer           answerKind = iota // no answer has begun
	ordinaryAnswer                       // has a body, which may finish when the server ends
	eventStream                          // has a body, which ends with the server
	upgradedConnection                   // has no body, and ends with the server
)

// isStream reports whether the answer has no end of its own. It ends with the server then.
func (k answerKind) isStream() bool {
	return k == eventStream || k == upgradedConnection
}

// release is deferred. After a stream, the context of the server would otherwise keep the transfer
// in memory until the server ends.
func (t *transfer) release() {
	if t.stopWatching != nil {
		t.stopWatching()
	}
}

// takeHeader takes the headers of the caller out of the writer. If they stayed there, an answer
// with a status of 1xx would send them, and clear them.
func (t *transfer) takeHeader() {
	header := t.writer.Header()
	t.callerHeader = header.Clone()
	clear(header)
}

// returnHeader undoes takeHeader, so that the caller can answer.
func (t *transfer) returnHeader() {
	header := t.writer.Header()
	clear(header)
	for name, values := range t.callerHeader {
		header[name] = values
	}
}

// flushInterval is how long a part of a body waits for the next part before it is sent. Bodies of
// unknown length, and events, do not wait. If no body waited, the header of a small answer would be
// sent in a packet of its own.
const flushInterval = 5 * time.Millisecond

// serve passes the request on. r is the received request with a context that ends the transfer.
func (t *transfer) serve(r *http.Request) {
	if r.ContentLength != 0 && r.Body != nil {
		t.requestBody = &requestBody{ReadCloser: r.Body}
		r.Body = t.requestBody
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:        t.rewriteRequest,
		Transport:      t.proxy.transport,
		FlushInterval:  flushInterval,
		ModifyResponse: t.rewriteAnswer,
		ErrorHandler:   t.noteFailure,
		ErrorLog:       t.proxy.discard,
	}
	defer ignoreAbort()
	proxy.ServeHTTP(&t.writer, r)
}

// ignoreAbort is deferred. It ends the panic with which ReverseProxy breaks off an answer. The
// method outcome returns the reason.
func ignoreAbort() {
	p := recover()
	if p != nil && p != http.ErrAbortHandler {
		panic(p)
	}
}

// noteFailure is called by ReverseProxy if there is no answer.
func (t *transfer) noteFailure(_ http.ResponseWriter, _ *http.Request, err error) {
	t.failure = err
}

// outcome returns why there is no complete answer, and nil if there is one. It is called at the
// end.
func (t *transfer) outcome() error {
	switch t.answer {
	case noAnswer:
		return t.whyNoAnswer()
	case upgradedConnection:
		return t.whyUpgradeFailed()
	}
	return t.whyIncomplete()
}

// whyNoAnswer returns why no answer has begun.
func (t *transfer) whyNoAnswer() error {
	if t.isClientGone() {
		return t.whyLeft()
	}
	return t.proxy.errorOf(t.failure)
}

// whyUpgradeFailed returns why an upgraded connection was cut off, and nil if the client or the
// upstream has closed it.
func (t *transfer) whyUpgradeFailed() error {
	isEnded := t.proxy.ending.Err() != nil
	isBroken := t.failure != nil // it could not be written to
	if isEnded || isBroken {
		return t.whyLeft()
	}
	return nil
}

// whyIncomplete returns why the client has not received the whole body, and nil if it has.
func (t *transfer) whyIncomplete() error {
	isComplete := t.answerBody.err == io.EOF && t.writer.err == nil
	isEnded := t.answer.isStream() && t.proxy.ending.Err() != nil
	switch {
	case isComplete:
		return nil
	case isEnded || t.isClientGone():
		return t.whyLeft()
	}
	// The caller is about to break the connection. What is not flushed before that is lost.
	http.NewResponseController(t.writer.ResponseWriter).Flush()
	return t.proxy.brokenError()
}

// isClientGone reports whether the client has gone away, has stopped to take the answer, or has not
// sent its whole request.
func (t *transfer) isClientGone() bool {
	if t.requestBody != nil && t.requestBody.hasFailed.Load() {
		return true
	}
	return t.received.Context().Err() != nil || t.writer.err != nil
}

// whyLeft returns the error for a transfer that the server has ended, or else the client.
func (t *transfer) whyLeft() error {
	if t.proxy.ending.Err() != nil {
		return ErrServerClosed
	}
	return ErrClientGone
}

// stopTimeout is how long the transport may still wait for a part of the request's body after the
// answer has ended.
const stopTimeout = 500 * time.Millisecond

// stopReading ends the reading of the request's body if the answer has ended before it. Without
// this, net/http would interrupt the transport when the handler returns, and reset the connection,
// so that some clients never see the answer.
func (t *transfer) stopReading() {
	if t.requestBody == nil || t.requestBody.isRead.Load() {
		return
	}
	controller := http.NewResponseController(t.writer.ResponseWriter)
	controller.SetReadDeadline(time.Now().Add(stopTimeout))
	t.requestBody.stop()
}

// A requestBody is the body of a request. It notes how it ends. The transport may still read it
// when the answer has begun, and even when the answer has ended.
type requestBody struct {
	io.ReadCloser
	isRead    atomic.Bool // to its end
	hasFailed atomic.Bool // the client has not sent the whole body

	reading   sync.Mutex // is locked during each Read
	isStopped bool
}

// stop waits for the end of a Read that has begun. Each later Read fails.
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
	err error // io.EOF if it was read to its end; nil until it ends
}

func (b *answerBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.err = err
	}
	return n, err
}

// An answerWriter writes the answer to the client. It notes how much the client has taken.
type answerWriter struct {
	http.ResponseWriter
	transfer context.Context // ends with the transfer

	sent int64 // bytes of the body
	err  error // why a part of the body was not written; nil if all parts were
}

func (w *answerWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.sent += int64(n)
	if err != nil {
		w.err = err
	}
	return n, err
}

// Hijack is called by ReverseProxy for an upgraded connection. The client's side of it closes when
// the transfer ends. ReverseProxy itself would wait until the client sends or takes something.
func (w *answerWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	context.AfterFunc(w.transfer, func() {
		conn.Close()
	})
	return clientConn{conn}, buffered, nil
}

// A clientConn is the client's side of an upgraded connection. It has no method CloseWrite. With
// that, ReverseProxy would only close one direction when the upstream has closed its side, and
// would wait until the client closes the other.
type clientConn struct {
	net.Conn
}

// Unwrap returns the writer that can flush.
func (w *answerWriter) Unwrap() http.ResponseWriter {
	return w.ResponseWriter
}
