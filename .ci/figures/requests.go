package main

import "fmt"

const (
	connections = 8    // that send at once
	warmUp      = 2000 // requests, by which the journal is full
)

// cpuPerRequest measures the CPU time of the server for each request over loopback,
// with and without its log. Each time a new process is measured.
func cpuPerRequest(b build, campaigns int) measurement {
	name := fmt.Sprintf("CPU per request, %s campaigns, %s", thousands(campaigns), b.name)
	return measurement{
		figures: []figure{
			{name: name + ", log off", reference: bare, unit: "µs"},
			{name: name + ", log on", reference: bare, unit: "µs"},
		},
		own: func(t *tree) ([]float64, error) {
			fixtures, err := t.campaigns(campaigns)
			if err != nil {
				return nil, err
			}
			off, err := cpuOf(t.serve(b, fixtures, "--quiet"))
			if err != nil {
				return nil, err
			}
			on, err := cpuOf(t.serve(b, fixtures))
			return []float64{off, on}, err
		},
		reference: func(t *tree) ([]float64, error) {
			fixtures, err := t.campaigns(campaigns)
			if err != nil {
				return nil, err
			}
			spent, err := cpuOf(t.bare(b, "token", fixtures))
			return []float64{spent, spent}, err
		},
	}
}

// cpuOf returns the microseconds of CPU that a server takes for a request, and
// stops it.
func cpuOf(s *server, err error) (float64, error) {
	if err != nil {
		return 0, err
	}
	defer s.stop()
	return cpuOfRequests(s, 8000)
}

// cpuOfRequests returns the microseconds of CPU that a server takes for each of so
// many requests.
func cpuOfRequests(s *server, requests int) (float64, error) {
	all, err := dialAll(s.root, "token", connections)
	if err != nil {
		return 0, err
	}
	defer all.close()
	if err := all.send(warmUp); err != nil {
		return 0, err
	}
	before, err := cpu(s.pid())
	if err != nil {
		return 0, err
	}
	if err := all.send(requests); err != nil {
		return 0, err
	}
	after, err := cpu(s.pid())
	return float64(after-before) / 1e3 / float64(requests), err
}
