package main

import (
	"fmt"
	"time"
)

const waitingClients = 5000

// waiting measures what clients cost that wait, for an answer or the rest of one: the
// memory for each, and the CPU that the requests of others take meanwhile. The
// fixture is the user they wait for; the bare server has them wait for its token.
func waiting(name, user, bareToken string) measurement {
	return measurement{
		figures: []figure{
			{name: "memory per waiting client, " + name, reference: bare, unit: "KiB"},
			{name: "CPU per request of others while " + thousands(waitingClients) + " wait, " + name, reference: bare, unit: "µs"},
		},
		own: func(t *tree) ([]float64, error) {
			fixtures, err := t.file("waiting "+name+".yaml", "users:\n  token: {generate: {count: 10}}\n  waiting: "+user+"\n")
			if err != nil {
				return nil, err
			}
			return holdBack("waiting")(t.serve(asImage, "--quiet", fixtures))
		},
		reference: func(t *tree) ([]float64, error) {
			fixtures, err := t.campaigns(10)
			if err != nil {
				return nil, err
			}
			return holdBack(bareToken)(t.bare(asImage, "token", fixtures))
		},
	}
}

// holdBack has clients wait for a token, measures, and has them go away: a server
// that keeps their connections open has failed.
func holdBack(token string) func(*server, error) ([]float64, error) {
	return func(s *server, err error) ([]float64, error) {
		if err != nil {
			return nil, err
		}
		defer s.stop()
		others, err := dialAll(s.root, "token", connections)
		if err != nil {
			return nil, err
		}
		defer others.close()
		if err := others.send(warmUp); err != nil {
			return nil, err
		}
		files, err := openFiles(s.pid())
		if err != nil {
			return nil, err
		}
		before, err := memory(s.pid())
		if err != nil {
			return nil, err
		}
		waiting, err := dialAll(s.root, token, waitingClients)
		if err != nil {
			return nil, err
		}
		defer waiting.close()
		for _, c := range waiting {
			if _, err := c.conn.Write(c.request); err != nil {
				return nil, err
			}
		}
		// By the time that these are answered, the server has read those before them.
		if err := others.send(warmUp); err != nil {
			return nil, err
		}
		after, err := memory(s.pid())
		if err != nil {
			return nil, err
		}
		spent, err := cpuOfRequests(s, 4000)
		if err != nil {
			return nil, err
		}
		waiting.close()
		return []float64{(after - before) / 1024 / waitingClients, spent}, closed(s.pid(), files)
	}
}

// closed waits until a process has no more open files than before.
func closed(pid, before int) error {
	var now int
	for range 100 {
		var err error
		if now, err = openFiles(pid); err != nil {
			return err
		}
		if now <= before {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("the server keeps %d files open, and had %d before clients came and went", now, before)
}
