package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A browser is Chromium without a window, steered by the DevTools protocol over two
// pipes: JSON messages with a zero byte after each.
type browser struct {
	cmd     *exec.Cmd
	dir     string
	write   io.WriteCloser
	answers chan answer
	sent    int
}

type answer struct {
	ID     int
	Result json.RawMessage
	Error  *struct{ Message string }
}

var (
	openBrowser = sync.OnceValues(startBrowser)
	opened      *browser
)

func startBrowser() (*browser, error) {
	program := os.Getenv("CHROMIUM")
	if program == "" {
		var err error
		if program, err = exec.LookPath("chromium"); err != nil {
			return nil, errors.New("no chromium")
		}
	}
	dir, err := os.MkdirTemp("", "figures-chromium-*")
	if err != nil {
		return nil, err
	}
	theirRead, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirRead.Close()
	read, theirWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirWrite.Close()
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "--user-data-dir="+dir)
	cmd.ExtraFiles = []*os.File{theirRead, theirWrite}
	if err := cmd.Start(); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	b := &browser{cmd: cmd, dir: dir, write: write, answers: make(chan answer, 100)}
	opened = b
	go b.read(read)
	return b, nil
}

// closeBrowser ends the browser if one was started.
func closeBrowser() {
	if opened == nil {
		return
	}
	opened.call("", "Browser.close", nil, nil)
	opened.write.Close()
	opened.cmd.Process.Kill()
	opened.cmd.Wait()
	os.RemoveAll(opened.dir)
}

// read passes on what answers a call; events are dropped.
func (b *browser) read(from io.Reader) {
	defer close(b.answers)
	messages := bufio.NewReader(from)
	for {
		text, err := messages.ReadBytes(0)
		if err != nil {
			return
		}
		var a answer
		if json.Unmarshal(text[:len(text)-1], &a) == nil && a.ID != 0 {
			b.answers <- a
		}
	}
}

// call calls a method of the browser, or of a page if there is a session.
func (b *browser) call(session, method string, parameters map[string]any, result any) error {
	b.sent++
	message := map[string]any{"id": b.sent, "method": method, "params": parameters}
	if parameters == nil {
		delete(message, "params")
	}
	if session != "" {
		message["sessionId"] = session
	}
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if _, err := b.write.Write(append(text, 0)); err != nil {
		return fmt.Errorf("chromium has ended: %w", err)
	}
	late := time.After(30 * time.Second)
	for {
		select {
		case a, ok := <-b.answers:
			switch {
			case !ok:
				return errors.New("chromium has ended")
			case a.ID != b.sent:
				continue // the answer to a call that was given up
			case a.Error != nil:
				return fmt.Errorf("chromium, %s: %s", method, strings.TrimSpace(a.Error.Message))
			case result == nil:
				return nil
			}
			return json.Unmarshal(a.Result, result)
		case <-late:
			return fmt.Errorf("chromium does not answer %s", method)
		}
	}
}
