package fake_test

import (
	"runtime"
	"testing"

	"example.com/campaignfake/fake"
)

// Replies that are enqueued one by one cost no more the longer the queue is.
func TestEnqueueingOneByOneIsLinear(t *testing.T) {
	t.Parallel()
	const (
		replies = 10_000
		most    = 200 << 20 // bytes; a queue that is copied each time takes 400 MB
		tries   = 5         // since other tests allocate at the same time
	)
	least := uint64(1 << 62)
	for range tries {
		srv, err := fake.New(fake.WithUser("alice", fake.User{}))
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range replies {
			if err := srv.Enqueue("alice", fake.Reply{Status: 503}); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		if least = min(least, after.TotalAlloc-before.TotalAlloc); least < most {
			return
		}
	}
	t.Errorf("%d replies, enqueued one by one, take %d MB", replies, least/1e6)
}
