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
		own:       func(t *tree) []float64 { return []float64{growth(t, method, path, body())} },
		reference: func(*tree) []float64 { return []float64{float64(len(body())) / (1 << 20)} },
	}
}

func growth(t *tree, method, path, body string) float64 {
	s := t.serve(t.campaigns(10))
	defer s.stop()
	s.send("GET", "/_fake/health", "")
	forgetPeak(s.pid())
	before := memory(s.pid())
	s.send(method, path, body)
	return peakMemory(s.pid()) - before
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
