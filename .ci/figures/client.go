package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
)

// A connection sends requests as a browser would, and reads answers with as little
// work as possible, so that the server is what is measured.
type connection struct {
	conn    net.Conn
	reader  *bufio.Reader
	host    string
	request []byte
}

func dial(root, token string) (*connection, error) {
	c := &connection{host: strings.TrimPrefix(root, "http://")}
	conn, err := net.Dial("tcp", c.host)
	if err != nil {
		return nil, err
	}
	c.conn = conn
	c.reader = bufio.NewReaderSize(conn, 64<<10)
	c.useToken(token)
	return c, nil
}

func (c *connection) useToken(token string) {
	c.request = []byte("GET /api/user/campaigns HTTP/1.1\r\nHost: " + c.host + "\r\nAuthorization: Bearer " + token + "\r\n" +
		"Accept: application/json\r\nAccept-Encoding: gzip\r\nOrigin: http://localhost:5173\r\nUser-Agent: figures\r\n\r\n")
}

// send sends requests one after the other, and drops what is answered.
func (c *connection) send(count int) error {
	for range count {
		length, err := c.head()
		if err != nil {
			return err
		}
		if _, err := c.reader.Discard(length); err != nil {
			return err
		}
	}
	return nil
}

// body sends a request, and returns the body of the answer.
func (c *connection) body() ([]byte, error) {
	length, err := c.head()
	if err != nil {
		return nil, err
	}
	body := make([]byte, length)
	_, err = io.ReadFull(c.reader, body)
	return body, err
}

// head sends a request, reads the head of the answer, and returns the length of its
// body.
func (c *connection) head() (length int, err error) {
	if _, err := c.conn.Write(c.request); err != nil {
		return 0, err
	}
	for first := true; ; first = false {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
			return 0, fmt.Errorf("the answer is %q", line)
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, err
			}
		}
		if len(line) == 2 {
			return length, nil
		}
	}
}

// Clients are connections that send at the same time.
type clients []*connection

func dialAll(root, token string, count int) (clients, error) {
	var all clients
	for range count {
		c, err := dial(root, token)
		if err != nil {
			all.close()
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func (all clients) close() {
	for _, c := range all {
		c.conn.Close()
	}
}

// each runs a function for each connection, all at once.
func (all clients) each(do func(i int, c *connection) error) error {
	errs := make([]error, len(all))
	var group sync.WaitGroup
	for i, c := range all {
		group.Go(func() { errs[i] = do(i, c) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// send divides so many requests among the connections.
func (all clients) send(count int) error {
	return all.each(func(_ int, c *connection) error { return c.send(count / len(all)) })
}
