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

func dial(root, token string) *connection {
	c := &connection{host: strings.TrimPrefix(root, "http://")}
	c.conn = must(net.Dial("tcp", c.host))
	c.reader = bufio.NewReaderSize(c.conn, 64<<10)
	c.useToken(token)
	return c
}

func (c *connection) useToken(token string) {
	c.request = []byte("GET /api/user/campaigns HTTP/1.1\r\nHost: " + c.host + "\r\nAuthorization: Bearer " + token + "\r\n" +
		"Accept: application/json\r\nAccept-Encoding: gzip\r\nOrigin: http://localhost:5173\r\nUser-Agent: figures\r\n\r\n")
}

// get sends a request, and writes the body of the answer.
func (c *connection) get(body io.Writer) error {
	if _, err := c.conn.Write(c.request); err != nil {
		return err
	}
	length := 0
	for first := true; ; first = false {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
			return fmt.Errorf("the answer is %q", line)
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
		if len(line) == 2 {
			_, err := io.CopyN(body, c.reader, int64(length))
			return err
		}
	}
}

// Clients are connections that send at the same time.
type clients []*connection

func dialAll(root, token string, count int) (all clients) {
	for range count {
		all = append(all, dial(root, token))
	}
	return all
}

func (all clients) close() {
	for _, c := range all {
		c.conn.Close()
	}
}

// each divides so many requests among the connections, and has them sent all at once.
func (all clients) each(requests int, send func(c *connection, n int) error) {
	errs := make([]error, len(all))
	var group sync.WaitGroup
	for i, c := range all {
		group.Go(func() {
			for n := i; n < requests && errs[i] == nil; n += len(all) {
				errs[i] = send(c, n)
			}
		})
	}
	group.Wait()
	check(errors.Join(errs...))
}

// send sends so many requests, and drops what is answered.
func (all clients) send(requests int) {
	all.each(requests, func(c *connection, _ int) error { return c.get(io.Discard) })
}
