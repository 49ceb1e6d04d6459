package main

import "time"

// start measures the time from the start of a process to its first answer, and its
// memory then, with the built-in gallery or with fixtures of one's own.
func start(what string) measurement {
	return measurement{
		figures: []figure{
			{name: "start to first answer, " + what, reference: bare, unit: "ms"},
			{name: "memory after the first answer, " + what, reference: bare, unit: "MiB"},
		},
		own: func(t *tree) ([]float64, error) {
			if _, err := t.command(asImage); err != nil { // built before the clock runs
				return nil, err
			}
			if what == "gallery" {
				return firstAnswer("demo", func() (*server, error) { return t.serve(asImage) })
			}
			fixtures, err := t.campaigns(10)
			if err != nil {
				return nil, err
			}
			return firstAnswer("token", func() (*server, error) { return t.serve(asImage, fixtures) })
		},
		reference: func(t *tree) ([]float64, error) {
			fixtures, err := t.campaigns(10)
			if err != nil {
				return nil, err
			}
			warm, err := t.bare(asImage, "token", fixtures) // built before the clock runs
			if err != nil {
				return nil, err
			}
			warm.stop()
			return firstAnswer("token", func() (*server, error) { return t.bare(asImage, "token", fixtures) })
		},
	}
}

// firstAnswer starts a server, asks it once, and returns the milliseconds that took
// and the MiB that are in memory.
func firstAnswer(token string, start func() (*server, error)) ([]float64, error) {
	begin := time.Now()
	s, err := start()
	if err != nil {
		return nil, err
	}
	defer s.stop()
	c, err := dial(s.root, token)
	if err != nil {
		return nil, err
	}
	defer c.conn.Close()
	if err := c.send(1); err != nil {
		return nil, err
	}
	spent := time.Since(begin)
	used, err := memory(s.pid())
	return []float64{float64(spent.Microseconds()) / 1e3, used / (1 << 20)}, err
}
