package wire_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

const memoryAddress = wire.MemoryHost + ":80"

func TestMemoryListener(t *testing.T) {
	t.Parallel()
	l := wire.NewMemoryListener()
	dialed := make(chan net.Conn)
	go func() {
		conn, err := l.DialContext(t.Context(), "tcp", memoryAddress)
		if err != nil {
			t.Error(err)
		}
		dialed <- conn
	}()
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	client := <-dialed
	go client.Write([]byte("x"))
	if n, err := server.Read(make([]byte, 2)); n != 1 || err != nil {
		t.Errorf("%d bytes come over it, with %v", n, err)
	}
	for range 2 {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := l.Accept(); err != http.ErrServerClosed {
		t.Errorf("after Close, Accept fails with %v", err)
	}
	if _, err := l.DialContext(t.Context(), "tcp", memoryAddress); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after Close, a dial fails with %v", err)
	}
}

func TestMemoryDialThatFails(t *testing.T) {
	t.Parallel()
	l := wire.NewMemoryListener()
	for _, address := range []string{"127.0.0.1:80", wire.MemoryHost, wire.MemoryHost + ":8080"} {
		if _, err := l.DialContext(t.Context(), "tcp", address); err == nil || !strings.Contains(err.Error(), "reaches campaignfake.test alone, not "+address) {
			t.Errorf("a dial of %s fails with %v", address, err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	if _, err := l.DialContext(ctx, "tcp", memoryAddress); err == nil || err.Error() != "enough" {
		t.Errorf("a dial that is given up fails with %v", err)
	}
}

func TestMemoryAcrossABubble(t *testing.T) {
	t.Parallel()
	outside := wire.NewMemoryListener()
	var inside *wire.MemoryListener
	synctest.Test(t, func(t *testing.T) {
		inside = wire.NewMemoryListener()
		if _, err := outside.DialContext(t.Context(), "tcp", memoryAddress); err == nil || !strings.Contains(err.Error(), "make the server inside") {
			t.Errorf("a dial from the bubble fails with %v", err)
		}
	})
	if _, err := inside.DialContext(t.Context(), "tcp", memoryAddress); err == nil || !strings.Contains(err.Error(), "use it there alone") {
		t.Errorf("a dial from outside fails with %v", err)
	}
}

func TestInBubble(t *testing.T) {
	t.Parallel()
	if wire.InBubble() {
		t.Error("outside is taken for a bubble")
	}
	synctest.Test(t, func(t *testing.T) {
		for range 19 {
			if !wire.InBubble() {
				t.Errorf("a bubble is not known for one at %s", time.Now())
			}
			time.Sleep(365 * 24 * time.Hour)
		}
	})
}
