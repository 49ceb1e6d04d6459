package main

import (
	"io"
	"time"
)

// start measures the time from the start of a process to its first answer, and its
// memory then: with the built-in gallery, or with fixtures of one's own.
func start(what, token string, serve func(*tree) *server, more bool) measurement {
	return measurement{
		figures: []figure{
			{name: "start to first answer, " + what, reference: bare, unit: "ms", more: more},
			{name: "memory after the first answer, " + what, reference: bare, unit: "MiB", more: more},
		},
		own: func(t *tree) []float64 {
			serve(t).stop() // built before the clock runs
			return firstAnswer(token, func() *server { return serve(t) })
		},
		reference: func(t *tree) []float64 {
			t.bare("token", t.campaigns(10)).stop() // built before the clock runs
			return firstAnswer("token", func() *server { return t.bare("token", t.campaigns(10)) })
		},
	}
}

func withGallery(t *tree) *server     { return t.serve() }
func withOwnFixtures(t *tree) *server { return t.serve(t.campaigns(10)) }

// firstAnswer starts a server, asks it once, and returns the milliseconds that took
// and the MiB that are in memory.
func firstAnswer(token string, start func() *server) []float64 {
	begin := time.Now()
	s := start()
	defer s.stop()
	c := dial(s.root, token)
	defer c.conn.Close()
	check(c.get(io.Discard))
	return []float64{float64(time.Since(begin).Microseconds()) / 1e3, memory(s.pid())}
}
