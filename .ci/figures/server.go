package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A server is a process that is asked: campaignfake, or the bare one.
type server struct {
	cmd  *exec.Cmd
	root string // its URL, without a path
}

// listen starts a server, and returns when it has printed its address. Its log goes to
// a file.
func (t *tree) listen(command ...string) *server {
	log := must(os.Create(filepath.Join(t.out, "log")))
	defer log.Close()
	s := &server{cmd: exec.Command(command[0], command[1:]...)}
	s.cmd.Stderr = log
	out := must(s.cmd.StdoutPipe())
	check(s.cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if i := strings.Index(lines.Text(), "http://"); i >= 0 {
			s.root = strings.TrimSuffix(lines.Text()[i:], "/api")
			go io.Copy(io.Discard, out)
			return s
		}
	}
	s.stop()
	check(fmt.Errorf("%s printed no address: %s", filepath.Base(command[0]), firstOf(string(must(os.ReadFile(log.Name()))))))
	return nil
}

func (s *server) pid() int { return s.cmd.Process.Pid }

func (s *server) stop() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// send sends a request to the control plane, which it must take.
func (s *server) send(method, path, body string) {
	response := must(http.DefaultClient.Do(must(http.NewRequest(method, s.root+path, strings.NewReader(body)))))
	defer response.Body.Close()
	if text := must(io.ReadAll(response.Body)); response.StatusCode >= 300 {
		check(fmt.Errorf("%s %s is answered %d: %s", method, path, response.StatusCode, text))
	}
}

// serve starts campaignfake on some port.
func (t *tree) serve(args ...string) *server {
	return t.listen(append([]string{t.command(), "--listen", "127.0.0.1:0"}, args...)...)
}

// bare starts the bare server, which answers a token with what campaignfake answers
// it, given some fixtures.
func (t *tree) bare(token, fixtures string) *server {
	body := t.make("body of "+filepath.Base(fixtures), func(path string) {
		s := t.serve(fixtures)
		defer s.stop()
		c := dial(s.root, "token")
		defer c.conn.Close()
		file := must(os.Create(path))
		defer file.Close()
		check(c.get(file))
	})
	return t.listen(t.reference("bare"), body, token)
}

// campaigns returns the path of fixtures whose user, token, has so many campaigns.
func (t *tree) campaigns(count int) string {
	return t.file(fmt.Sprintf("%d.yaml", count), fmt.Sprintf("users:\n  token: {generate: {count: %d}}\n", count))
}
