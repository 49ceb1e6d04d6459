package fake

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
)

// memoryHost is the host of servers that have no port. The domain test is
// reserved, so that a client which is not the server's own finds nobody.
const memoryHost = "campaignfake.test"

// A memoryListener accepts connections that are made in memory.
type memoryListener struct {
	accept chan net.Conn
	closed chan struct{}
	close  sync.Once
}

func newMemoryListener() *memoryListener {
	return &memoryListener{accept: make(chan net.Conn), closed: make(chan struct{})}
}

// dial connects to the listener.
func (l *memoryListener) dial(ctx context.Context, _, address string) (net.Conn, error) {
	if address != memoryHost+":80" && address != memoryHost+":443" {
		return nil, fmt.Errorf("the client of an in-memory server reaches http://%s alone, not %s; build the URL from the server's BaseURL", memoryHost, address)
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

func (l *memoryListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.accept:
		return conn, nil
	case <-l.closed:
		return nil, http.ErrServerClosed
	}
}

func (l *memoryListener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return nil
}

func (l *memoryListener) Addr() net.Addr { return memoryAddress{} }

type memoryAddress struct{}

func (memoryAddress) Network() string { return "memory" }
func (memoryAddress) String() string  { return memoryHost }
