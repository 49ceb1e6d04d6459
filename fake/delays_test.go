package fake_test

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

// took sends a request, and returns how long the answer took to begin and to
// end, on the clock of a bubble.
func took(t *testing.T, srv *fake.Server, token string, prefer ...string) (begin, end time.Duration) {
	t.Helper()
	r, err := http.NewRequest("GET", srv.BaseURL()+"/user/campaigns", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = bearer(token)
	if prefer != nil {
		r.Header["Prefer"] = prefer
	}
	start := time.Now()
	response, err := srv.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	begin = time.Since(start)
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Fatal(err)
	}
	return begin, time.Since(start)
}

// Of several delays the most specific holds.
func TestDelays(t *testing.T) {
	t.Parallel()
	fixed := func(d time.Duration) *fake.Delay { return &fake.Delay{Fixed: d} }
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(),
			fake.WithService(fake.Service{Delay: fixed(time.Second), UnknownTokens: "generate"}),
			fake.WithUser("service", fake.User{}),
			fake.WithUser("user", fake.User{Delay: fixed(time.Hour)}),
			fake.WithUser("none", fake.User{Delay: fixed(0)}),
			fake.WithUser("reply", fake.User{Delay: fixed(time.Hour), Replies: []fake.Reply{
				{Delay: fixed(time.Minute)}, {Status: 503}, {Delay: fixed(0)}, {Fault: "wrong_type", Delay: fixed(2 * time.Minute)},
			}}),
			fake.WithUser("chaos", fake.User{Chaos: &fake.Chaos{Delay: fixed(3 * time.Second)}, Replies: []fake.Reply{{Delay: fixed(time.Second)}}}))
		for i, step := range []struct {
			token string
			want  time.Duration
		}{
			{"service", time.Second}, {"unknown", time.Second}, {"user", time.Hour}, {"none", 0},
			{"reply", time.Minute}, {"reply", time.Hour}, {"reply", 0}, {"reply", 2 * time.Minute}, {"reply", time.Hour},
			{"chaos", time.Second}, {"chaos", 3 * time.Second},
		} {
			if begin, end := took(t, srv, step.token); begin != step.want || end != step.want {
				t.Errorf("request %d, of %s, took %s, and %s in all; want %s", i, step.token, begin, end, step.want)
			}
		}
		for i, want := range []time.Duration{time.Second, time.Second, time.Hour} {
			if got := srv.Requests()[i].Duration; got != want {
				t.Errorf("the duration of request %d is %s, want %s", i, got, want)
			}
		}
		// What is refused is not delayed.
		start := time.Now()
		ask(t, srv, "GET", listPath, nil)
		if got := time.Since(start); got != 0 {
			t.Errorf("a refusal took %s", got)
		}
	})
}

// A user's delay, of whatever kind, goes before all that the service has.
func TestDelaysBesideChaos(t *testing.T) {
	t.Parallel()
	fixed := func(d time.Duration) *fake.Delay { return &fake.Delay{Fixed: d} }
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(),
			fake.WithService(fake.Service{Chaos: &fake.Chaos{Delay: fixed(time.Minute)}, UnknownTokens: "generate"}),
			fake.WithUser("service", fake.User{}),
			fake.WithUser("user", fake.User{Delay: fixed(time.Hour)}),
			fake.WithUser("none", fake.User{Delay: fixed(0)}),
			fake.WithUser("calm", fake.User{Chaos: &fake.Chaos{}}),
			fake.WithUser("chaos", fake.User{Chaos: &fake.Chaos{Delay: fixed(time.Second)}}))
		for token, want := range map[string]time.Duration{
			"service": time.Minute, "unknown": time.Minute, "user": time.Hour, "none": 0, "calm": 0, "chaos": time.Second,
		} {
			for _, prefer := range [][]string{nil, {"code=200"}} {
				if begin, _ := took(t, srv, token, prefer...); begin != want {
					t.Errorf("a request of %s with Prefer: %v took %s, want %s", token, prefer, begin, want)
				}
			}
		}
	})
}

// An hour of delays takes no time in a bubble, and each is drawn where it should
// be.
func TestDrawnDelays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil),
			fake.WithUser("range", fake.User{Delay: &fake.Delay{From: 80 * time.Millisecond, To: 250 * time.Millisecond}}),
			fake.WithUser("network", fake.User{Delay: &fake.Delay{Median: 80 * time.Millisecond, P99: 2 * time.Second}}))
		const n = 2000
		draws := make(map[string][]float64)
		for range n {
			for _, token := range []string{"range", "network"} {
				begin, _ := took(t, srv, token)
				draws[token] = append(draws[token], begin.Seconds())
			}
		}
		for _, list := range draws {
			slices.Sort(list)
		}
		even := draws["range"]
		if even[0] < 0.080 || even[n-1] > 0.250 || even[n/4] < 0.115 || even[n/4] > 0.130 || even[n*3/4] < 0.200 || even[n*3/4] > 0.215 {
			t.Errorf("of delays from 80 to 250 ms, the least is %g, the quarters are %g and %g, the most is %g", even[0], even[n/4], even[n*3/4], even[n-1])
		}
		// The bounds are three and a half standard deviations of so many draws.
		network := draws["network"]
		if median := network[n/2]; math.Abs(math.Log(median/0.080)) > 0.14 {
			t.Errorf("the median is %g s", median)
		}
		if p99 := network[n*99/100]; math.Abs(math.Log(p99/2)) > 0.35 || network[n-1] > 20 {
			t.Errorf("the 99th percentile is %g s, the most %g s", p99, network[n-1])
		}
		// The journal keeps the last thousand: the first of them is number 1,501.
		if reason, want := srv.Requests("range")[0].Reason, ", drawn from 80ms..250ms for request 1501 of the token under seed 0"; !strings.HasSuffix(reason, want) {
			t.Errorf("the reason is %q, want %q at its end", reason, want)
		}
	})
}

// The longest of all delays is ten times the 99th percentile, or a day.
func TestLongestDelays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil),
			fake.WithUser("hour", fake.User{Delay: &fake.Delay{Median: time.Millisecond, P99: time.Hour}}),
			fake.WithUser("day", fake.User{Delay: &fake.Delay{Median: time.Millisecond, P99: 24 * time.Hour}}))
		for token, want := range map[string]time.Duration{"hour": 10 * time.Hour, "day": 24 * time.Hour} {
			longest := time.Duration(0)
			for range 1000 {
				begin, _ := took(t, srv, token)
				longest = max(longest, begin)
			}
			if longest != want {
				t.Errorf("the longest of many delays of %s is %s, want %s", token, longest, want)
			}
		}
	})
}

// The same seed gives the same delays and the same fates, whatever other tokens
// do meanwhile; another seed gives others.
func TestDrawsCanBeRepeated(t *testing.T) {
	t.Parallel()
	run := func(t *testing.T, seed uint64, order ...string) (seen map[string][]string) {
		seen = make(map[string][]string)
		synctest.Test(t, func(t *testing.T) {
			chaos := &fake.Chaos{
				Status: map[int]float64{500: 0.2, 503: 0.2}, Faults: map[fake.Fault]float64{"bad_json": 0.2},
				Delay: &fake.Delay{To: time.Second},
			}
			srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithSeed(seed), fake.WithLogger(nil),
				fake.WithService(fake.Service{Chaos: chaos}),
				fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{spring}}), fake.WithUser("bob", fake.User{}))
			for range 40 {
				for _, token := range order {
					start := time.Now()
					response, body := ask(t, srv, "GET", listPath, bearer(token))
					seen[token] = append(seen[token], fmt.Sprint(response.StatusCode, time.Since(start), body))
				}
			}
			for _, r := range srv.Requests() {
				seen["reasons of "+r.Token] = append(seen["reasons of "+r.Token], r.Reason)
			}
		})
		return seen
	}
	first := run(t, 7, "alice", "bob")
	second := run(t, 7, "bob", "bob", "alice")
	other := run(t, 8, "alice", "bob")
	for _, token := range []string{"alice", "bob", "reasons of alice", "reasons of bob"} {
		if got := second[token][:40]; !slices.Equal(first[token], got) {
			t.Errorf("under the same seed, %s has\n%s\nand then\n%s", token, strings.Join(first[token], "\n"), strings.Join(got, "\n"))
		}
		if slices.Equal(first[token], other[token]) {
			t.Errorf("under another seed, %s has the same", token)
		}
	}
	if slices.Equal(first["alice"], first["bob"]) {
		t.Error("two tokens have the same fates")
	}
}

// A body at a rate comes evenly: each part has come when it should have.
func TestRates(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"", "truncate", "bad_chunk"} {
		synctest.Test(t, func(t *testing.T) {
			const rate = 100
			srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{
				Replies: []fake.Reply{{Body: strings.Repeat("x", 1000), Rate: rate, Fault: fake.Fault(fault), Delay: &fake.Delay{Fixed: time.Minute}}},
			}))
			r, _ := http.NewRequest("GET", srv.BaseURL()+"/user/campaigns", nil)
			r.Header = bearer("alice")
			start := time.Now()
			response, err := srv.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			if got := time.Since(start); got != time.Minute {
				t.Errorf("%q: the headers came after %s", fault, got)
			}
			start = time.Now()
			buffer := make([]byte, 4)
			read := 0
			for {
				n, err := io.ReadFull(response.Body, buffer)
				if read += n; err != nil {
					break
				}
				// The server sends five bytes at once, the last of them on time.
				if due := time.Duration((read+4)/5*5) * time.Second / rate; time.Since(start) != due {
					t.Fatalf("%q: %d bytes came after %s, and should after %s", fault, read, time.Since(start), due)
				}
			}
			if want := map[bool]int{true: 1000, false: 500}[fault == ""]; read != want {
				t.Errorf("%q: %d bytes came, want %d", fault, read, want)
			}
		})
	}
}

// Requests that are delayed hold up nobody else.
func TestDelaysDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil), fake.WithUser("alice", fake.User{Delay: &fake.Delay{Fixed: time.Minute}}), fake.WithUser("bob", fake.User{}))
		start := time.Now()
		done := make(chan time.Duration)
		for range 100 {
			go func() {
				took(t, srv, "alice")
				done <- time.Since(start)
			}()
		}
		synctest.Wait()
		if _, end := took(t, srv, "bob"); end != 0 {
			t.Errorf("bob's answer took %s", end)
		}
		for range 100 {
			if got := <-done; got != time.Minute {
				t.Errorf("an answer came after %s", got)
			}
		}
	})
}
