// Soak has everything happen to a server at once, for a while: every token of the
// gallery, clients that go away, fixtures that change ten times a second, good and
// bad, the control plane and its followers, attackers who never finish their
// sentence. Each answer has to be one that is legal; and in the end, memory and
// goroutines have to be where they were after the first seconds, and nothing may
// have gone to the log as an error but what was meant to.
//
//	soak -for 10m
package main

import (
	"flag"
	"fmt"
	"net"
	"os"
	"runtime"
	"time"
)

func main() {
	length := flag.Duration("for", 10*time.Minute, "how long to go on")
	flag.Parse()
	if err := soak(*length); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// used is what a server has for itself while nobody asks it for anything.
type used struct {
	goroutines int
	heap       float64 // MiB
}

// measure waits until what was going on is over, which takes the patience that
// servers have with clients, and says what is left.
func measure() used {
	var least used
	for range 60 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		now := used{runtime.NumGoroutine(), float64(stats.HeapAlloc) / (1 << 20)}
		if least.goroutines == 0 || now.goroutines < least.goroutines || now.goroutines == least.goroutines && now.heap < least.heap {
			least = now
		}
		time.Sleep(500 * time.Millisecond)
	}
	return least
}

func soak(length time.Duration) error {
	world, err := newWorld()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	go func() { failed <- world.server.Serve(listener) }()
	world.root = "http://" + listener.Addr().String()
	if err := world.remember(); err != nil {
		return err
	}
	const warm = 15 * time.Second
	world.run(warm)
	before := measure()
	world.run(length)
	after := measure()
	world.server.Close()
	if err := <-failed; err != nil {
		return err
	}
	fmt.Printf("%s: %d answers, %d clients gone away, %d reloads, %d of them refused, %d calls of the control plane\n",
		length, world.answers.Load(), world.gone.Load(), world.reloads.Load(), world.refused.Load(), world.calls.Load())
	fmt.Printf("goroutines: %d before, %d after; heap: %.1f MiB before, %.1f MiB after\n", before.goroutines, after.goroutines, before.heap, after.heap)
	switch {
	case world.wrong() != nil:
		return world.wrong()
	case world.logged.Load() != world.refused.Load():
		return fmt.Errorf("%d errors were logged, and %d reloads refused", world.logged.Load(), world.refused.Load())
	case after.goroutines > before.goroutines+5:
		return fmt.Errorf("%d goroutines are left over", after.goroutines-before.goroutines)
	case after.heap > before.heap*1.25+4:
		return fmt.Errorf("%.1f MiB are left over", after.heap-before.heap)
	case world.answers.Load() == 0 || world.reloads.Load() == 0 || world.refused.Load() == 0 || world.gone.Load() == 0 || world.calls.Load() == 0:
		return fmt.Errorf("something has not happened at all")
	}
	return nil
}
