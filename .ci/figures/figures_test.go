package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The Dockerfile says how campaignfake is built, here and in older commits.
func TestImageBuild(t *testing.T) {
	current, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	const older = `# go build -o /wrong ./cmd/campaignfake
RUN CGO_ENABLED=0 go build -trimpath $(cat /imports)
RUN mkdir /image && \
    CGO_ENABLED=0 go build -trimpath -gcflags=all=-l \
    -ldflags="-s -w" \
    -o /image/campaignfake ./cmd/campaignfake && true
`
	for dockerfile, flag := range map[string]string{string(current): "main.listen=:8642", older: "-gcflags=all=-l"} {
		found := imageBuild.FindStringSubmatch(dockerfile)
		if found == nil || !strings.Contains(found[1], flag) || strings.Count(found[1], "go build") != 1 {
			t.Errorf("of\n%s\nis found %q", dockerfile, found)
		}
	}
}

func TestVerdict(t *testing.T) {
	toItself := []float64{0.97, 1.02, 1.01, 0.99, 1.05, 0.96, 1, 1.01, 0.98, 1.03, 1.02, 0.97, 0.99, 1.01, 1, 1.04, 0.95, 1.02, 0.98, 1}
	low, high := spread(toItself)
	if low < 0.97 || low >= 1 || high > 1.03 || high <= 1 || math.Abs(low*high-1) > 0.01 {
		t.Errorf("the spread is %.3f to %.3f", low, high)
	}
	for ratio, want := range map[float64]string{0.9: "better", 1: "same", low: "same", high: "same", 1.1: "worse"} {
		if got := verdict(20, ratio, low, high); got != want {
			t.Errorf("%.3f is %s, want %s", ratio, got, want)
		}
	}
	if got := verdict(20, 1.0004, 1, 1); got != "same" {
		t.Errorf("what the table does not show is %s", got)
	}
	if got := verdict(20, 1.001, 1, 1); got != "worse" {
		t.Errorf("what is larger by a thousandth each time is %s", got)
	}
}

func TestVerdictOfFewPairs(t *testing.T) {
	if got := verdict(9, 2, 0.9, 1.1); got != "too few pairs" {
		t.Errorf("of nine pairs it is %s", got)
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{9, 1, 3}); got != 3 {
		t.Errorf("of three it is %g", got)
	}
	if got := median([]float64{9, 1, 3, 4}); got != 3.5 {
		t.Errorf("of four it is %g", got)
	}
}

func TestReplaceTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "README.md")
	os.WriteFile(file, []byte("before\n<!-- figures -->\nold\n<!-- /figures -->\nafter\n"), 0o600)
	text := string(replaceTable(file, "| new |\n"))
	if want := "before\n<!-- figures -->\n\n| new |\n\n<!-- /figures -->\nafter\n"; text != want {
		t.Error(text)
	}
	os.WriteFile(file, []byte("<!-- /figures -->\n<!-- figures -->\n"), 0o600)
	if err := try(func() { replaceTable(file, "") }); err == nil {
		t.Error("markers in the wrong order are taken")
	}
}

func TestCells(t *testing.T) {
	if got := thousands(200_000) + " " + thousands(10) + " " + thousands(1_005); got != "200,000 10 1,005" {
		t.Error(got)
	}
	if got := inOneCell("a | b\n\tc"); got != `a \| b c` {
		t.Error(got)
	}
}
