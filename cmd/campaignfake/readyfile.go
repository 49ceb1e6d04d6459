package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// A readyFile is the name of the file with the server's URLs. The file exists only
// while the server answers.
type readyFile string

// readyContent is the content of the file, as JSON.
type readyContent struct {
	URL        string `json:"url"`
	BaseURL    string `json:"base_url"`
	ControlURL string `json:"control_url"`
	PID        int    `json:"pid"`
}

func (f *readyFile) UnmarshalText(text []byte) error {
	*f = readyFile(text)
	return notEmpty(text)
}

// clear removes the file of an earlier server that was killed, so that a program that
// waits for this server does not find it. It returns an error if the file holds
// something else: it would be overwritten by mistake.
func (f readyFile) clear() error {
	if f == "" {
		return nil
	}
	name := string(f)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return f.unwritable(err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("the ready-file %s exists, and is not a file; name another", name)
	}
	if info.Size() > 0 { // mktemp makes empty files
		var old readyContent
		text, err := os.ReadFile(name)
		if err != nil {
			return f.unwritable(err)
		}
		if json.Unmarshal(text, &old) != nil || old.ControlURL == "" {
			return fmt.Errorf("the ready-file %s exists, and holds something else; name another, or remove it", name)
		}
	}
	if err := os.Remove(name); err != nil {
		return f.unwritable(err)
	}
	return nil
}

// read returns the content that the running server has written.
func (f readyFile) read() (content readyContent, err error) {
	text, err := os.ReadFile(string(f))
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0:
		return content, fmt.Errorf("the ready-file %s has not been written, so its server is not running; start it, or name another with --url", string(f))
	case err != nil:
		return content, fmt.Errorf("the ready-file %s cannot be read: %w; name another, or the server with --url", string(f), errors.Unwrap(err))
	case json.Unmarshal(text, &content) != nil || content.ControlURL == "":
		return content, fmt.Errorf("the ready-file %s holds something else; name the one that the server was started with", string(f))
	}
	return content, nil
}

// write waits until the server answers, and writes the file. It returns a function
// that removes the file.
func (f readyFile) write(ctx context.Context, root, basePath, controlRoot string) (remove func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := askHealth(ctx, newClient(&tls.Config{InsecureSkipVerify: true}), root); err != nil { // no need to check the certificate of this process
		return nil, fmt.Errorf("the server does not answer itself: %w", err)
	}
	content, err := json.Marshal(readyContent{root, root + basePath, controlRoot + "/_fake", os.Getpid()})
	if err != nil {
		return nil, err
	}
	name := string(f)
	content = append(content, '\n')
	if err := writeWhole(name, content); err != nil {
		return nil, f.unwritable(err)
	}
	return func() {
		// A later server may have replaced the file. Its content is compared, since the
		// new file can have the same inode.
		if now, err := os.ReadFile(name); err == nil && bytes.Equal(now, content) {
			os.Remove(name)
		}
	}, nil
}

func (f readyFile) unwritable(err error) error {
	return fmt.Errorf("the ready-file %s cannot be written: %w; name a file in a folder that exists and can be written to", string(f), plainError(err))
}
