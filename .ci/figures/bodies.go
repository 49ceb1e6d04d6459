package main

import (
	"fmt"
	"strings"
)

// body measures how much more memory the server has at most while it reads a body,
// beside the size of the body.
func body(name, method, path string, body func() string) measurement {
	return measurement{
		figures:   []figure{{name: "memory to read " + name + " of 2 MB", reference: "size of the body", unit: "MiB"}},
		own:       func(t *tree) ([]float64, error) { return growth(t, method, path, body()) },
		reference: func(*tree) ([]float64, error) { return []float64{float64(len(body())) / (1 << 20)}, nil },
	}
}

func growth(t *tree, method, path, body string) ([]float64, error) {
	fixtures, err := t.campaigns(10)
	if err != nil {
		return nil, err
	}
	s, err := t.serve(asImage, fixtures)
	if err != nil {
		return nil, err
	}
	defer s.stop()
	if _, err := s.send("GET", "/_fake/health", ""); err != nil {
		return nil, err
	}
	if err := forgetPeak(s.pid()); err != nil {
		return nil, err
	}
	before, err := memory(s.pid())
	if err != nil {
		return nil, err
	}
	if _, err := s.send(method, path, body); err != nil {
		return nil, err
	}
	most, err := peakMemory(s.pid())
	return []float64{(most - before) / (1 << 20)}, err
}

func userOfTwoMegabytes() string {
	return `{"campaigns": [` + list(2_000_000, func(n int) string {
		return fmt.Sprintf(`{"id": "cmp_%d", "name": "Campaign %d", "status": "active", "created_at": "2026-01-05T09:30:00Z", "updated_at": "2026-02-05T09:30:00Z"}`, n, n)
	}) + `]}`
}

// repliesOfTwoMegabytes has fewer than the 10,000 replies that may wait.
func repliesOfTwoMegabytes() string {
	return `[` + list(2_000_000, func(n int) string {
		return fmt.Sprintf(`{"status": 503, "times": 2, "delay": "20ms", "headers": {"Retry-After": "1", "X-Reply": "%d"}, "body": "%s"}`, n, strings.Repeat("sorry ", 30))
	}) + `]`
}

// list returns items with commas between them, of so many bytes.
func list(size int, item func(n int) string) string {
	var b strings.Builder
	for n := 0; b.Len() < size; n++ {
		if n > 0 {
			b.WriteString(", ")
		}
		b.WriteString(item(n))
	}
	return b.String()
}
