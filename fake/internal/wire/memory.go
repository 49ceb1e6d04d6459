package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// MemoryHost is the host of servers in memory. The domain "test" is reserved, so
// that another client than the server's own finds nobody there.
const MemoryHost = "campaignfake.test"

// InBubble reports whether it is called in a testing/synctest bubble, whose clock
// starts with the year 2000. There is no other way to know it. A bubble in which
// twenty years have passed is not recognised any more.
func InBubble() bool {
	year := time.Now().UTC().Year()
	return 2000 <= year && year < 2020
}

// A MemoryListener accepts connections that its own DialContext makes in memory,
// without a port. It works inside a testing/synctest bubble, for clients in the
// same bubble; one that is made outside works for clients outside.
type MemoryListener struct {
	accept   chan net.Conn
	closed   chan struct{}
	close    sync.Once
	inBubble bool
}

// NewMemoryListener makes a listener in memory.
func NewMemoryListener() *MemoryListener {
	return &MemoryListener{accept: make(chan net.Conn), closed: make(chan struct{}), inBubble: InBubble()}
}

// Errors of a dial from the wrong side. The runtime ends the process when a
// goroutine uses a channel of a bubble that it is not in, or a pipe.
var (
	errOutside = errors.New("the server was made in a testing/synctest bubble, and this request comes from outside it; " +
		"send it from the bubble, or make the server outside")
	errInside = errors.New("this request comes from a testing/synctest bubble, and the server was made outside it; " +
		"make the server in the bubble, inside the function that synctest.Test calls")
)

// DialContext connects to the listener. It fails if the address is not that of
// MemoryHost, if the listener is closed, or if only one of dialer and listener is
// in a testing/synctest bubble.
func (l *MemoryListener) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	switch bubble := InBubble(); {
	case address != MemoryHost+":80" && address != MemoryHost+":443":
		return nil, fmt.Errorf("the client of an in-memory server reaches %s alone, not %s; build the URL from the server's BaseURL", MemoryHost, address)
	case l.inBubble && !bubble:
		return nil, errOutside
	case bubble && !l.inBubble:
		return nil, errInside
	}
	client, server := net.Pipe()
	select {
	case l.accept <- server:
		return client, nil
	case <-l.closed:
		return nil, fmt.Errorf("the server is closed: %w", net.ErrClosed)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Accept returns the next connection, or http.ErrServerClosed after Close.
func (l *MemoryListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.accept:
		return conn, nil
	case <-l.closed:
		return nil, http.ErrServerClosed
	}
}

// Close ends Accept and DialContext. It may be called more than once.
func (l *MemoryListener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return nil
}

// Addr returns an address whose text is MemoryHost.
func (l *MemoryListener) Addr() net.Addr { return memoryAddress{} }

type memoryAddress struct{}

func (memoryAddress) Network() string { return "memory" }
func (memoryAddress) String() string  { return MemoryHost }
