// Package replicas proves that several servers behind a proxy are as good as one:
// nginx, with the file that the page of the command shows. It is no part of
// go test ./..., since it needs nginx.
package replicas

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"example.com/campaignfake/ci/pages"
	"example.com/campaignfake/ci/process"
)

func TestMain(m *testing.M) { os.Exit(process.Main(m)) }

// A replica is a server that can be killed and started again at its address.
type replica struct {
	*process.Server
	start func() *process.Server
}

// start starts three replicas behind nginx, and returns the base URL of that.
func start(t *testing.T, args ...string) (baseURL string, replicas []*replica) {
	t.Helper()
	conf := pages.Example(t, "cmd/campaignfake/README.md", "nginx nginx.conf")
	conf = strings.Replace(conf, "http {\n", "http {\n  access_log off;\n", 1)
	for i := range 3 {
		own := append([]string{"--listen", process.Free(t)}, args...)
		r := &replica{start: func() *process.Server { return process.Start(t, own...) }}
		r.Server = r.start()
		replicas = append(replicas, r)
		conf = strings.Replace(conf, fmt.Sprintf("campaigns-%d:8642", i+1), r.Address, 1)
	}
	address := process.Free(t)
	conf = strings.Replace(conf, "listen 8642", "listen "+address, 1)
	process.Nginx(t, t.TempDir(), address, conf)
	return "http://" + address + "/api", replicas
}

// Replicas agree without talking to each other.
func TestSameBytes(t *testing.T) {
	_, replicas := start(t, "--seed", "7")
	for _, token := range []string{"demo", "many", "edge-cases", "anybody", "somebody-else"} {
		_, want, err := process.Ask(replicas[0].BaseURL, token)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range replicas[1:] {
			if _, got, err := process.Ask(r.BaseURL, token); err != nil || got != want {
				t.Errorf("of %s, one replica has %d bytes (%v) and another %d", token, len(got), err, len(want))
			}
		}
	}
}

// What a token has been through stays with it, whoever asks.
func TestStateStaysWithItsToken(t *testing.T) {
	baseURL, _ := start(t)
	for round := range 3 {
		for i, want := range []int{503, 503, 200, 200, 200} {
			if status, _, err := process.Ask(baseURL, "flaky"); err != nil || status != want {
				t.Errorf("in round %d, answer %d is %d (%v), want %d", round, i, status, err, want)
			}
		}
	}
}

// One replica after the other is killed and started again while clients ask, and
// none of them gets a wrong answer.
func TestKilledUnderLoad(t *testing.T) {
	baseURL, replicas := start(t)
	want := make(map[string]string)
	for i := range 40 {
		token := fmt.Sprintf("token-%d", i)
		_, body, err := process.Ask(replicas[0].BaseURL, token)
		if err != nil {
			t.Fatal(err)
		}
		want[token] = body
	}
	var stop atomic.Bool
	var asked atomic.Int64
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for !stop.Load() {
				for token, body := range want {
					status, got, err := process.Ask(baseURL, token)
					if err != nil || status != 200 || got != body {
						t.Errorf("%s is answered %d with %d bytes (%v), want %d", token, status, len(got), err, len(body))
						stop.Store(true)
						return
					}
					asked.Add(1)
				}
			}
		})
	}
	more := func(count int64) {
		for until := asked.Load() + count; asked.Load() < until && !stop.Load(); {
			runtime.Gosched()
		}
	}
	for range 3 {
		for _, r := range replicas {
			more(100)
			r.Kill()
			more(200)
			r.Server = r.start()
		}
	}
	more(200)
	stop.Store(true)
	clients.Wait()
	t.Logf("%d answers, all of them right", asked.Load())
}

// Where a replica has been, nothing may answer at all, not even by a refusal. The others
// answer its tokens, within a second.
func TestGoneWithoutARefusal(t *testing.T) {
	baseURL, replicas := start(t)
	replicas[0].Kill()
	silence(t, replicas[0].Address)
	for i := range 30 {
		begin := time.Now()
		status, _, err := process.Ask(baseURL, fmt.Sprintf("token-%d", i))
		if took := time.Since(begin); err != nil || status != 200 || took > time.Second {
			t.Errorf("token-%d is answered %d after %s (%v)", i, status, took, err)
		}
	}
}

// silence makes connections to an address of this machine wait for ever: somebody listens
// there who accepts none, and whose queue is full.
func silence(t *testing.T, address string) {
	t.Helper()
	at := netip.MustParseAddrPort(address)
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(socket) })
	for _, err := range []error{
		syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1),
		syscall.Bind(socket, &syscall.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}),
		syscall.Listen(socket, 0),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 10 {
		conn, err := net.DialTimeout("tcp", address, 200*time.Millisecond)
		if err != nil {
			return
		}
		t.Cleanup(func() { conn.Close() })
	}
	t.Fatal("the queue does not fill")
}
