// Package replicas proves that several servers behind a proxy are as good as one:
// nginx, with the file that the page of the command shows. It is no part of go test ./..., since
// it needs nginx.
package replicas

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// program is the command, which TestMain builds.
var program string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "replicas-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	program = filepath.Join(folder, "campaignfake")
	build := exec.Command("go", "build", "-o", program, "./cmd/campaignfake")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// free returns an address that nobody listens on.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A replica is a server that can be killed and started again at its address.
type replica struct {
	t       *testing.T
	address string
	args    []string
	cmd     *exec.Cmd
}

func (r *replica) start() {
	r.t.Helper()
	r.cmd = exec.Command(program, append([]string{"--listen", r.address}, r.args...)...)
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "base URL") {
	}
	go io.Copy(io.Discard, out)
}

func (r *replica) kill() {
	r.cmd.Process.Kill()
	r.cmd.Wait()
}

// start starts three replicas behind nginx, and returns the address of that.
func start(t *testing.T, args ...string) (address string, replicas []*replica) {
	t.Helper()
	page, err := os.ReadFile("../../cmd/campaignfake/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, conf, _ := strings.Cut(string(page), "```"+"nginx nginx.conf"+"\n")
	conf, _, found := strings.Cut(conf, "```\n")
	if !found {
		t.Fatal("the page of the command has no nginx.conf")
	}
	for i := range 3 {
		r := &replica{t: t, address: free(t), args: args}
		r.start()
		t.Cleanup(func() { r.kill() })
		replicas = append(replicas, r)
		conf = strings.Replace(conf, fmt.Sprintf("campaigns-%d:8642", i+1), r.address, 1)
	}
	address = free(t)
	conf = strings.Replace(conf, "listen 8642", "listen "+address, 1)
	folder := t.TempDir()
	var own strings.Builder // what nginx keeps elsewhere, where not everybody may write
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&own, "  %s_temp_path %s/%[1]s;\n", kind, folder)
	}
	conf = strings.Replace(conf, "http {\n", "http {\n  access_log off;\n"+own.String(), 1)
	file := filepath.Join(folder, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	nginx := exec.Command("nginx", "-p", folder, "-c", file, "-e", filepath.Join(folder, "error.log"), "-g", "daemon off; pid "+folder+"/pid;")
	if err := nginx.Start(); err != nil {
		t.Fatalf("nginx does not start: %v; install it, as with apt-get install nginx", err)
	}
	t.Cleanup(func() {
		nginx.Process.Signal(syscall.SIGTERM)
		nginx.Wait()
		if log, _ := os.ReadFile(filepath.Join(folder, "error.log")); t.Failed() {
			t.Logf("nginx wrote\n%s", log)
		}
	})
	for deadline := time.Now().Add(time.Minute); ; {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return address, replicas
		}
		if !errors.Is(err, syscall.ECONNREFUSED) || time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// ask asks for the campaigns of a token.
func ask(address, token string) (status int, body string, err error) {
	r, err := http.NewRequest("GET", "http://"+address+"/api/user/campaigns", nil)
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}

// Replicas agree without talking to each other.
func TestSameBytes(t *testing.T) {
	_, replicas := start(t, "--seed", "7")
	for _, token := range []string{"demo", "many", "edge-cases", "anybody", "somebody-else"} {
		_, want, err := ask(replicas[0].address, token)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range replicas[1:] {
			if _, got, err := ask(r.address, token); err != nil || got != want {
				t.Errorf("of %s, one replica has %d bytes (%v) and another %d", token, len(got), err, len(want))
			}
		}
	}
}

// What a token has been through stays with it, whoever asks.
func TestStateStaysWithItsToken(t *testing.T) {
	address, _ := start(t)
	for round := range 3 {
		for i, want := range []int{503, 503, 200, 200, 200} {
			if status, _, err := ask(address, "flaky"); err != nil || status != want {
				t.Errorf("in round %d, answer %d is %d (%v), want %d", round, i, status, err, want)
			}
		}
	}
}

// One replica after the other is killed and started again while clients ask, and
// none of them gets a wrong answer.
func TestKilledUnderLoad(t *testing.T) {
	address, replicas := start(t)
	want := make(map[string]string)
	for i := range 40 {
		token := fmt.Sprintf("token-%d", i)
		_, body, err := ask(replicas[0].address, token)
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
					status, got, err := ask(address, token)
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
			r.kill()
			more(200)
			r.start()
		}
	}
	more(200)
	stop.Store(true)
	clients.Wait()
	t.Logf("%d answers, all of them right", asked.Load())
}
