package main

import "fmt"

// memoryAfterRequests measures the memory of a server that has answered one token
// for a while.
func memoryAfterRequests() measurement {
	return measurement{
		figures: []figure{{name: "memory after 200,000 requests", reference: bare, unit: "MiB"}},
		own: func(t *tree) ([]float64, error) {
			fixtures, err := t.campaigns(10)
			if err != nil {
				return nil, err
			}
			return memoryAfter(200_000, clients.send)(t.serve(asImage, fixtures))
		},
		reference: func(t *tree) ([]float64, error) {
			fixtures, err := t.campaigns(10)
			if err != nil {
				return nil, err
			}
			return memoryAfter(200_000, clients.send)(t.bare(asImage, "token", fixtures))
		},
	}
}

// memoryAfterTokens measures what tokens leave behind that nobody has used before or
// uses again.
func memoryAfterTokens() measurement {
	send := func(all clients, requests int) error {
		return all.each(func(i int, c *connection) error {
			for n := i; n < requests; n += len(all) {
				c.useToken(fmt.Sprintf("token-%d", n))
				if err := c.send(1); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return measurement{
		figures: []figure{{name: "memory after 100,000 unknown tokens", reference: bare, unit: "MiB"}},
		own: func(t *tree) ([]float64, error) {
			return memoryAfter(100_000, send)(t.serve(asImage, "--unknown-tokens=generate"))
		},
		reference: func(t *tree) ([]float64, error) {
			fixtures, err := t.campaigns(10)
			if err != nil {
				return nil, err
			}
			return memoryAfter(100_000, send)(t.bare(asImage, "any", fixtures))
		},
	}
}

// memoryAfter sends so many requests to a server, returns the MiB that it has in
// memory then, and stops it.
func memoryAfter(requests int, send func(clients, int) error) func(*server, error) ([]float64, error) {
	return func(s *server, err error) ([]float64, error) {
		if err != nil {
			return nil, err
		}
		defer s.stop()
		all, err := dialAll(s.root, "token", connections)
		if err != nil {
			return nil, err
		}
		defer all.close()
		if err := send(all, requests); err != nil {
			return nil, err
		}
		used, err := memory(s.pid())
		return []float64{used / (1 << 20)}, err
	}
}
