package main

import (
	"path/filepath"
	"strconv"
)

// firstPaint measures from the moment that Chromium goes to the page until it paints
// something of it.
func firstPaint() measurement {
	painted := func(t *tree, s *server, path string) []float64 {
		defer s.stop()
		ownFiles := []string{"TMPDIR=" + t.out} // of which the browser leaves some
		out := must(output(filepath.Join(t.ci, "..", "page"), ownFiles, "node", "paint.mjs", s.root+path))
		return []float64{must(strconv.ParseFloat(out, 64))}
	}
	return measurement{
		figures:   []figure{{name: "first paint of the page", reference: "a page of one letter", unit: "ms"}},
		own:       func(t *tree) []float64 { return painted(t, t.serve(t.campaigns(10), "--quiet"), "/_fake/") },
		reference: func(t *tree) []float64 { return painted(t, t.bare("token", t.campaigns(10)), "/") },
	}
}
