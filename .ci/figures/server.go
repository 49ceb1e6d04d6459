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
	log  *os.File
}

// listen starts a server, and returns when it has printed its address. Its standard
// error goes to a file that nobody else sees.
func listen(command ...string) (*server, error) {
	log, err := os.CreateTemp("", "figures-log-*")
	if err != nil {
		return nil, err
	}
	os.Remove(log.Name())
	s := &server{cmd: exec.Command(command[0], command[1:]...), log: log}
	s.cmd.Stderr = log
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		log.Close()
		return nil, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if i := strings.Index(lines.Text(), "http://"); i >= 0 {
			s.root = strings.TrimSuffix(lines.Text()[i:], "/api")
			go io.Copy(io.Discard, out)
			return s, nil
		}
	}
	complaint := make([]byte, 4096)
	n, _ := log.ReadAt(complaint, 0)
	s.stop()
	return nil, fmt.Errorf("%s printed no address: %s", filepath.Base(command[0]), firstOf(string(complaint[:n])))
}

func (s *server) pid() int { return s.cmd.Process.Pid }

func (s *server) stop() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
	s.log.Close()
}

// send sends a request to the control plane, and returns what is answered.
func (s *server) send(method, path, body string) (string, error) {
	request, err := http.NewRequest(method, s.root+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s %s is answered %d: %s", method, path, response.StatusCode, inOneCell(string(text)))
	}
	return string(text), err
}

// serve starts campaignfake on some port.
func (t *tree) serve(b build, args ...string) (*server, error) {
	command, err := t.command(b)
	if err != nil {
		return nil, err
	}
	return listen(append([]string{command, "--listen", "127.0.0.1:0"}, args...)...)
}

// bare starts the bare server, which answers a token with what campaignfake answers
// it, given some fixtures.
func (t *tree) bare(b build, token, fixtures string) (*server, error) {
	helper, err := t.helper("bare", b)
	if err != nil {
		return nil, err
	}
	body, err := t.make("body of "+filepath.Base(fixtures), func(path string) error {
		s, err := t.serve(asImage, fixtures)
		if err != nil {
			return err
		}
		defer s.stop()
		c, err := dial(s.root, "token")
		if err != nil {
			return err
		}
		body, err := c.body()
		if err != nil {
			return err
		}
		return os.WriteFile(path, body, 0o600)
	})
	if err != nil {
		return nil, err
	}
	return listen(helper, body, token)
}

// campaigns returns the path of fixtures whose user, token, has so many campaigns.
func (t *tree) campaigns(count int) (string, error) {
	return t.file(fmt.Sprintf("%d.yaml", count), fmt.Sprintf("users:\n  token: {generate: {count: %d}}\n", count))
}
