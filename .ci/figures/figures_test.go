package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestImageBuild(t *testing.T) {
	const dockerfile = `FROM golang:1.26 AS build
# go build -o /wrong ./cmd/campaignfake
COPY cmd ./cmd
RUN mkdir /image && go mod download
RUN CGO_ENABLED=0 go build -trimpath -gcflags=all=-l \
    # a comment in between
    -ldflags="-s -w -X main.listen=:8642" \
    -o /image/campaignfake ./cmd/campaignfake
`
	line, err := imageBuild(dockerfile)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(line), " ")
	if want := `CGO_ENABLED=0 go build -trimpath -gcflags=all=-l -ldflags="-s -w -X main.listen=:8642" -o "$OUT" ./cmd/campaignfake`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, flag := range []string{"-gcflags=all=-l", "-gcflags all=-l", `-gcflags="all=-l -N"`} {
		if got := compilerFlags.ReplaceAllString("go build "+flag+" .", " "); strings.Join(strings.Fields(got), " ") != "go build ." {
			t.Errorf("of %s is left %q", flag, got)
		}
	}
	if _, err := imageBuild("FROM scratch\n"); err == nil {
		t.Error("a Dockerfile without a build has one")
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
	text, err := replaceTable(file, "| new |\n")
	if want := "before\n<!-- figures -->\n\n| new |\n\n<!-- /figures -->\nafter\n"; err != nil || string(text) != want {
		t.Errorf("%v\n%s", err, text)
	}
	os.WriteFile(file, []byte("<!-- /figures -->\n<!-- figures -->\n"), 0o600)
	if _, err := replaceTable(file, ""); err == nil {
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
