// Figures measures campaignfake beside a bare net/http handler that looks the
// header up in a map and writes stored bytes: CPU per request, start to first
// answer, idle memory, and what clients cost that wait. All in one run, taking turns, since machines differ and
// are noisy; what counts are the ratios.
//
//	figures CAMPAIGNFAKE     measures the given binary
//	figures held CAMPAIGNFAKE  measures what waiting clients cost it, alone
//	figures followed CAMPAIGNFAKE  measures what an open page costs it, alone
//	figures tokens CAMPAIGNFAKE  measures what a million tokens leave behind, alone
//	figures table CAMPAIGNFAKE  measures what the README shows, alone
//	figures bare FILE        is the bare program
//
// It needs Linux, whose /proc it reads.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

func main() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "bare":
		check(bare(os.Args[2]))
	case len(os.Args) == 3 && os.Args[1] == "held":
		check(held(os.Args[2], os.TempDir()))
	case len(os.Args) == 3 && os.Args[1] == "table":
		check(measure(os.Args[2], false))
	case len(os.Args) == 3 && os.Args[1] == "tokens":
		check(tokens(os.Args[2], os.TempDir()))
	case len(os.Args) == 3 && os.Args[1] == "followed":
		check(followed(os.Args[2], os.TempDir()))
	case len(os.Args) == 2:
		check(measure(os.Args[1], true))
	default:
		fmt.Fprintln(os.Stderr, "usage: figures CAMPAIGNFAKE | figures held CAMPAIGNFAKE | figures followed CAMPAIGNFAKE | figures tokens CAMPAIGNFAKE | figures table CAMPAIGNFAKE | figures bare FILE")
		os.Exit(2)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// bare is the handler that everything is measured against.
func bare(file string) error {
	body, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	bodies := map[string][]byte{"Bearer token": body}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/api\n", listener.Addr())
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := bodies[r.Header.Get("Authorization")]
		if !ok {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	}))
}

// A program is one of those that are compared.
type program struct {
	name    string
	command []string
	cpu     []float64 // microseconds per request, by round
	start   []float64 // milliseconds
	memory  []float64 // MiB
}

const (
	rounds   = 25
	starts   = 41
	requests = 8000
	clients  = 8
)

// measure measures everything, or only what the README shows.
func measure(binary string, everything bool) error {
	dir, err := os.MkdirTemp("", "figures-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var shown table
	for _, count := range []int{10, 1000} {
		fixtures := filepath.Join(dir, fmt.Sprintf("%d.yaml", count))
		text := fmt.Sprintf("users:\n  token: {generate: {count: %d}}\n", count)
		if err := os.WriteFile(fixtures, []byte(text), 0o600); err != nil {
			return err
		}
		serve := []string{binary, "--listen", "127.0.0.1:0", fixtures}
		body := filepath.Join(dir, "body")
		if err := fetch(serve, body); err != nil {
			return err
		}
		programs := []*program{
			{name: "bare net/http", command: []string{self, "bare", body}},
			{name: "campaignfake --quiet", command: append(slices.Clone(serve), "--quiet")},
			{name: "campaignfake", command: serve},
		}
		if err := load(programs, dir); err != nil {
			return err
		}
		fmt.Printf("CPU per request over loopback, %d campaigns:\n", count)
		for _, p := range programs {
			fmt.Printf("  %-22s %7.2f µs   %.2f times\n", p.name, least(p.cpu), least(p.cpu)/least(programs[0].cpu))
		}
		for i, log := range []string{"", ", without a log", ", with a log"} {
			if i > 0 {
				shown.row(fmt.Sprintf("CPU per request, %d campaigns%s", count, log), "µs", least(programs[0].cpu), least(programs[i].cpu))
			}
		}
		shown.row(fmt.Sprintf("memory after %d requests, %d campaigns", (rounds+1)*requests, count), "MiB", slices.Max(programs[0].memory), slices.Max(programs[2].memory))
	}
	if everything {
		for _, measure := range []func(binary, dir string) error{held, followed, tokens} {
			if err := measure(binary, dir); err != nil {
				return err
			}
		}
	}
	body := filepath.Join(dir, "body")
	programs := []*program{
		{name: "bare net/http", command: []string{self, "bare", body}},
		{name: "campaignfake (gallery)", command: []string{binary, "--listen", "127.0.0.1:0"}},
	}
	for range starts {
		for _, p := range programs {
			if err := start(p, dir); err != nil {
				return err
			}
		}
	}
	fmt.Println("Start to first answer, and memory after it:")
	for _, p := range programs {
		fmt.Printf("  %-22s %7.2f ms   %.2f times   %5.1f MiB\n", p.name, least(p.start), least(p.start)/least(programs[0].start), slices.Max(p.memory))
	}
	shown.row("start to first answer", "ms", least(programs[0].start), least(programs[1].start))
	shown.row("memory after the first answer", "MiB", slices.Max(programs[0].memory), slices.Max(programs[1].memory))
	shown.print()
	return nil
}

// least is the figure of a program: noise only ever adds to what a program
// itself takes.
func least(values []float64) float64 { return slices.Min(values) }

// run starts a program with its standard error in a file, and returns its
// base URL.
func run(command []string, dir string) (*exec.Cmd, string, error) {
	log, err := os.CreateTemp(dir, "log-*")
	if err != nil {
		return nil, "", err
	}
	defer log.Close()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if i := strings.Index(lines.Text(), "http://"); i >= 0 {
			go io.Copy(io.Discard, out)
			return cmd, strings.TrimSuffix(lines.Text()[i:], "/api"), nil
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	return nil, "", fmt.Errorf("%q printed no address", command)
}

func stop(cmd *exec.Cmd) {
	cmd.Process.Kill()
	cmd.Wait()
}

// fetch stores the body that a program serves.
func fetch(command []string, file string) error {
	cmd, root, err := run(command, os.TempDir())
	if err != nil {
		return err
	}
	defer stop(cmd)
	r, err := http.NewRequest(http.MethodGet, root+"/api/user/campaigns", nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer token")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	return os.WriteFile(file, body, 0o600)
}

func start(p *program, dir string) error {
	begin := time.Now()
	cmd, root, err := run(p.command, dir)
	if err != nil {
		return err
	}
	defer stop(cmd)
	if err := newConnection(root).send(1); err != nil {
		return err
	}
	p.start = append(p.start, float64(time.Since(begin).Microseconds())/1000)
	used, err := memory(cmd.Process.Pid)
	p.memory = append(p.memory, float64(used)/(1<<20))
	return err
}

// load sends requests to each program in turn, round after round.
func load(programs []*program, dir string) error {
	type running struct {
		*program
		pid         int
		connections []*connection
	}
	var all []running
	for _, p := range programs {
		cmd, root, err := run(p.command, dir)
		if err != nil {
			return err
		}
		defer stop(cmd)
		r := running{program: p, pid: cmd.Process.Pid}
		for range clients {
			r.connections = append(r.connections, newConnection(root))
		}
		all = append(all, r)
	}
	for round := range rounds + 1 {
		// Who comes first changes, so that nobody profits from the order.
		for i := range all {
			r := all[(i+round)%len(all)]
			before, err := cpu(r.pid)
			if err != nil {
				return err
			}
			errs := make([]error, clients)
			var group sync.WaitGroup
			for i, c := range r.connections {
				group.Go(func() { errs[i] = c.send(requests / clients) })
			}
			group.Wait()
			for _, err := range errs {
				if err != nil {
					return fmt.Errorf("%s: %w", r.name, err)
				}
			}
			after, err := cpu(r.pid)
			if err != nil {
				return err
			}
			if round > 0 { // the first one warms up
				r.cpu = append(r.cpu, float64(after-before)/1000/requests)
				r.program.cpu = r.cpu
			}
		}
	}
	for _, r := range all {
		used, err := memory(r.pid)
		if err != nil {
			return err
		}
		r.program.memory = append(r.program.memory, float64(used)/(1<<20))
	}
	return nil
}

// cpu returns the CPU time of a process in nanoseconds.
func cpu(pid int) (total int64, err error) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil {
		return 0, err
	}
	for _, task := range tasks {
		stat, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has just ended
		}
		spent, err := strconv.ParseInt(strings.Fields(string(stat))[0], 10, 64)
		if err != nil {
			return 0, err
		}
		total += spent
	}
	if total == 0 {
		return 0, fmt.Errorf("/proc tells no CPU time of process %d", pid)
	}
	return total, nil
}

// A connection sends requests as a browser would, and reads answers with as
// little work as possible, so that the servers are what is measured.
type connection struct {
	conn    net.Conn
	reader  *bufio.Reader
	request []byte
	err     error
}

func newConnection(root string) *connection {
	host := strings.TrimPrefix(root, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return &connection{err: err}
	}
	request := "GET /api/user/campaigns HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer token\r\n" +
		"Accept: application/json\r\nAccept-Encoding: gzip\r\nOrigin: http://localhost:5173\r\nUser-Agent: figures\r\n\r\n"
	return &connection{conn: conn, reader: bufio.NewReaderSize(conn, 256<<10), request: []byte(request)}
}

func (c *connection) send(count int) error {
	for range count {
		if c.err != nil {
			return c.err
		}
		if _, c.err = c.conn.Write(c.request); c.err != nil {
			return c.err
		}
		length, first := 0, true
		for {
			line, err := c.reader.ReadSlice('\n')
			if err != nil {
				return err
			}
			if first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
				return fmt.Errorf("the answer is %q", line)
			}
			first = false
			if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
				if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
					return err
				}
			}
			if len(line) == 2 {
				break
			}
		}
		if _, err := c.reader.Discard(length); err != nil {
			return err
		}
	}
	return nil
}
