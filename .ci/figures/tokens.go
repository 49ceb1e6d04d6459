package main

import (
	"bytes"
	"fmt"
	"sync"
)

// tokens measures what a million tokens leave behind that nobody has used before
// or uses again: no more than the bound of what is kept of them.
func tokens(binary, dir string) error {
	const count, most = 1_000_000, 64.0
	cmd, root, err := run([]string{binary, "--listen", "127.0.0.1:0", "--quiet"}, dir)
	if err != nil {
		return err
	}
	defer stop(cmd)
	errs := make([]error, clients)
	var group sync.WaitGroup
	for i := range clients {
		group.Go(func() {
			c := newConnection(root)
			for n := i; n < count && errs[i] == nil; n += clients {
				request := c.request
				c.request = bytes.Replace(request, []byte("Bearer token"), fmt.Appendf(nil, "Bearer token-%d", n), 1)
				errs[i] = c.send(1)
				c.request = request
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	used, err := memory(cmd.Process.Pid)
	if err != nil {
		return err
	}
	fmt.Printf("After %d tokens that nobody knows: %.1f MiB\n", count, float64(used)/(1<<20))
	if float64(used)/(1<<20) > most {
		return fmt.Errorf("a million tokens take more than %.0f MiB", most)
	}
	return nil
}
