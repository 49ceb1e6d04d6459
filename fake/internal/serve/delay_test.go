package serve

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"

	"example.com/campaignfake/fixtures"
)

// What is drawn stays the same from release to release and on every machine, to the
// last microsecond: users repeat a run by its seed.
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
			for _, number := range []int{1, 2, 1501} {
				d := fixtures.Delay{From: 80 * time.Millisecond, To: 250 * time.Millisecond}
				fmt.Fprintf(got, "%d %q %d %d\n", seed, token, number, drawDelay(d, seed, token, number))
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

// No delay is outside of its range, however short that is.
func TestDelayStaysInItsRange(t *testing.T) {
	t.Parallel()
	for _, d := range []fixtures.Delay{{From: 5, To: 9}, {From: time.Second, To: time.Second + 700}, {To: time.Second}} {
		for number := range 1000 {
			if got := drawDelay(d, 0, "alice", number); got < d.From || got > d.To {
				t.Errorf("draw %d of %s is %s", number, d, got)
			}
		}
	}
}
