package wire_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/campaignfake/fake/internal/wire"
)

const memoryAddress = wire.MemoryHost + ":80"

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
