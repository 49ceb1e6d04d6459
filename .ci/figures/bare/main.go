// Bare is the server that campaignfake is compared with: a net/http handler that
// looks the header up in a map and writes stored bytes.
//
//	bare FILE TOKEN
//
// TOKEN is answered with the bytes of FILE, and so is every token if TOKEN is "any".
// The token hang is never answered, and stall gets half of the body. GET / is a
// page of one letter.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: bare FILE TOKEN")
		os.Exit(2)
	}
	if err := serve(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
}

func serve(file, token string) error {
	body, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	bodies := map[string][]byte{"Bearer " + token: body}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/api\n", listener.Addr())
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		authorization := r.Header.Get("Authorization")
		body, ok := bodies[authorization]
		if !ok && token == "any" {
			body, ok = bodies["Bearer any"]
		}
		if !ok {
			other(w, r, authorization, bodies["Bearer "+token])
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	}))
}

// other answers what is not the listing: clients that are kept waiting, and the page.
func other(w http.ResponseWriter, r *http.Request, authorization string, body []byte) {
	switch {
	case authorization == "Bearer hang":
		<-r.Context().Done()
	case authorization == "Bearer stall":
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body[:len(body)/2])
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	case r.URL.Path == "/":
		io.WriteString(w, "<!doctype html><title>bare</title><p>.")
	default:
		w.WriteHeader(http.StatusUnauthorized)
	}
}
