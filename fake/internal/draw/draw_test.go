package draw_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"example.com/campaignfake/fake/internal/draw"
	"example.com/campaignfake/fixtures"
)

// What is drawn stays the same from release to release and on every machine, to the
// last bit: users repeat a run by its seed.
func TestDrawsStayTheSame(t *testing.T) {
	t.Parallel()
	const path = "testdata/draws.txt"
	golden, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := bytes.Cut(golden, []byte("\n"))
	got := bytes.NewBuffer(append(header, '\n'))
	for _, seed := range []uint64{0, 7, 1<<63 + 5} {
		for _, token := range []string{"alice", "", "a/b.c"} {
			for _, kind := range []string{"request", "preferred request"} {
				for _, number := range []int{1, 2, 1501} {
					s := draw.New(seed, token, kind, number)
					fmt.Fprintf(got, "%d %q %q %d %x %x", seed, token, kind, number, s.Fate, s.Delay)
					for _, d := range []fixtures.Delay{
						{From: 80 * time.Millisecond, To: 250 * time.Millisecond},
						{Median: 80 * time.Millisecond, P99: 2 * time.Second},
						{Median: time.Hour, P99: 24 * time.Hour},
					} {
						fmt.Fprintf(got, " %d", draw.Delay(d, s.Delay))
					}
					got.WriteString("\n")
				}
			}
		}
	}
	want, have := bytes.Split(golden, []byte("\n")), bytes.Split(got.Bytes(), []byte("\n"))
	if len(want) != len(have) {
		t.Fatalf("there are %d lines, want %d", len(have), len(want))
	}
	for i := range want {
		if !bytes.Equal(want[i], have[i]) {
			t.Errorf("%s:%d: drew %s\nwant %s", path, i+1, have[i], want[i])
		}
	}
}

func TestDelayAtTheEnds(t *testing.T) {
	t.Parallel()
	below := math.Nextafter(1, 0) // the largest share
	even := fixtures.Delay{From: 5, To: 9}
	for _, tt := range []struct {
		d     fixtures.Delay
		share float64
		want  time.Duration
	}{
		{even, 0, 5},
		{fixtures.Delay{To: time.Second}, below, time.Second},
		{fixtures.Delay{From: time.Second, To: time.Second + 700}, below, time.Second + 700}, // and not the next microsecond
		{fixtures.Delay{Median: time.Second, P99: time.Minute}, 0, 0},
		{fixtures.Delay{Median: time.Second, P99: time.Minute}, 0.5, time.Second},
		{fixtures.Delay{Median: time.Millisecond, P99: time.Minute}, below, 10 * time.Minute},
		{fixtures.Delay{Median: time.Second, P99: 24 * time.Hour}, below, 24 * time.Hour},
		{fixtures.Delay{Median: time.Second, P99: time.Second}, below, time.Second},
	} {
		if got := draw.Delay(tt.d, tt.share); got != tt.want {
			t.Errorf("the delay at %g of %+v is %s, want %s", tt.share, tt.d, got, tt.want)
		}
	}
}

func TestPick(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		chances []float64
		share   float64
		want    int
	}{
		{nil, 0, -1},
		{[]float64{0.25}, 0, 0},
		{[]float64{0.25, 0.5}, math.Nextafter(0.25, 0), 0},
		{[]float64{0.25, 0.5}, 0.25, 1},
		{[]float64{0.25, 0.5}, 0.75, -1},
		{[]float64{0, 1}, 0, 1},
		{[]float64{0.5, 0.5}, math.Nextafter(1, 0), 1},
	} {
		if got := draw.Pick(tt.chances, tt.share); got != tt.want {
			t.Errorf("of %v, %g picks %d, want %d", tt.chances, tt.share, got, tt.want)
		}
	}
}
