package main

import (
	"fmt"
	"io"
)

// memoryAfterRequests measures the memory of a server that has answered one token
// for a while.
func memoryAfterRequests() measurement {
	after := func(s *server) []float64 { return memoryAfter(s, func(all clients) { all.send(200_000) }) }
	return measurement{
		figures:   []figure{{name: "memory after 200,000 requests", reference: bare, unit: "MiB"}},
		own:       func(t *tree) []float64 { return after(t.serve(t.campaigns(10))) },
		reference: func(t *tree) []float64 { return after(t.bare("token", t.campaigns(10))) },
	}
}

// memoryAfterTokens measures what tokens leave behind that nobody has used before or
// uses again.
func memoryAfterTokens() measurement {
	after := func(s *server) []float64 {
		return memoryAfter(s, func(all clients) {
			all.each(100_000, func(c *connection, n int) error {
				c.useToken(fmt.Sprintf("token-%d", n))
				return c.get(io.Discard)
			})
		})
	}
	return measurement{
		figures:   []figure{{name: "memory after 100,000 unknown tokens", reference: bare, unit: "MiB", more: true}},
		own:       func(t *tree) []float64 { return after(t.serve("--unknown-tokens=generate")) },
		reference: func(t *tree) []float64 { return after(t.bare("any", t.campaigns(10))) },
	}
}

// memoryAfter sends requests to a server, returns the MiB that it has in memory then,
// and stops it.
func memoryAfter(s *server, send func(clients)) []float64 {
	defer s.stop()
	all := dialAll(s.root, "token", connections)
	defer all.close()
	send(all)
	return []float64{memory(s.pid())}
}
