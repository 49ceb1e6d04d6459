package services

import (
	"path/filepath"
	"strings"
	"testing"
)

// A service is written down, and then moves: what is gone or of another type differs, what
// is new is a warning, which counts with --strict, and what is only other data agrees.
func TestTheServiceMoves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		state, args    string
		status         int
		differs, warns string
	}{
		{"field-score", "", 0, "", ""},
		{"field-score", "--strict", 0, "", ""},
		{"field-gone", "", 4, "fields.score", ""},
		{"field-of-another-type", "", 4, "fields.score", ""},
		{"field-in-another-envelope", "", 4, "envelope", ""},
		{"field-more", "", 0, "", "fields.rank"},
		{"field-more", "--strict", 4, "", "fields.rank"},
		{"status-more", "", 0, "", "statuses"},
		{"status-more", "--strict", 4, "", "statuses"},
		{"names-more", "", 0, "", ""},
		{"names-more", "--strict", 0, "", ""},
		{"field-gone", "--skip fields.score", 0, "", ""},
	} {
		t.Run(strings.TrimSpace(c.state+" "+c.args), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "observed.yaml")
			before := start(t, "shapes.py", "field-score")
			if o := compare(t, before.baseURL, "--write", file); o.status != 0 || o.report.with("differs") != "" {
				t.Fatalf("the status is %d, want 0\n%s", o.status, o)
			}
			written(t, file)
			after := start(t, "shapes.py", c.state)
			o := compare(t, after.baseURL, append([]string{file}, strings.Fields(c.args)...)...)
			after.safe(t)
			if o.status != c.status || o.report.with("differs") != c.differs || o.report.with("warning") != c.warns {
				t.Errorf("the status is %d, and these differ: %q, and these have a warning: %q; want %d, %q and %q\n%s",
					o.status, o.report.with("differs"), o.report.with("warning"), c.status, c.differs, c.warns, o)
			}
			if verdict := map[int]string{0: "agrees", 4: "differs"}[c.status]; o.report.Verdict != verdict {
				t.Errorf("the verdict is %q, want %q", o.report.Verdict, verdict)
			}
		})
	}
}
