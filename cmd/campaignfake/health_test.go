package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The health check finds the server by its URL, and by the flags and variables of the server.
func TestHealthFindsTheServer(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	host := strings.TrimPrefix(p.root, "http://")
	_, port, _ := net.SplitHostPort(host)
	const nobody = "CAMPAIGNFAKE_LISTEN=127.0.0.1:1"
	tests := map[string]struct{ env, args []string }{
		"URL":                   {nil, []string{"--url", p.root}},
		"base URL":              {nil, []string{"--url", p.base + "/?a=b#c"}},
		"control URL":           {nil, []string{"--url", p.root + "/_fake"}},
		"URL's variable":        {[]string{"CAMPAIGNFAKE_URL=" + p.root}, nil},
		"listen":                {[]string{nobody}, []string{"--listen", host}},
		"listen's variable":     {[]string{"CAMPAIGNFAKE_LISTEN=" + host, "CAMPAIGNFAKE_CONTROL=on"}, nil},
		"port":                  {[]string{nobody}, []string{"--port", port}},
		"URL before the others": {[]string{nobody}, []string{"--url", p.root}},
		"an empty variable":     {[]string{"CAMPAIGNFAKE_URL=", "CAMPAIGNFAKE_LISTEN=" + host}, nil},
	}
	for name, tt := range tests {
		if got := finish(t, tt.env, append([]string{"health"}, tt.args...)...); got != (result{}) {
			t.Errorf("%s: health ends with %+v", name, got)
		}
	}
}

func TestHealthWithoutAControlPlane(t *testing.T) {
	t.Parallel()
	p := serve(t, nil, "--control", "off")
	if got := finish(t, nil, "health", "--url", p.base); got != (result{}) {
		t.Errorf("health ends with %+v", got)
	}
}

func TestHealthOfSomethingElse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status     int
		body, want string
	}{
		{404, "not found", "404"},
		{200, "ok", "is not a ready campaignfake"},
		{200, "<html></html>", "is not a ready campaignfake"},
		{200, `{"ready":false}`, "is not a ready campaignfake"},
		{503, `{"ready":true}`, "503"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(tt.status)
			io.WriteString(w, tt.body)
		}))
		finish(t, nil, "health", "--url", server.URL).failsLike(t, 1, server.URL, tt.want)
		server.Close()
	}
}

// --port changes the port, and keeps the host of --listen's variable or default.
func TestPort(t *testing.T) {
	t.Parallel()
	for _, env := range [][]string{
		{"CAMPAIGNFAKE_LISTEN="}, // the default
		{"CAMPAIGNFAKE_LISTEN=127.0.0.1:1"},
		{"CAMPAIGNFAKE_LISTEN=[::]:1"},
		{"CAMPAIGNFAKE_PORT=tcp://10.0.0.7:8642", "CAMPAIGNFAKE_SERVICE_HOST=10.0.0.7"}, // by Kubernetes
	} {
		if p := serve(t, env, "--port=0"); !strings.HasPrefix(p.root, "http://127.0.0.1:") || strings.HasSuffix(p.root, ":1") {
			t.Errorf("with %v the server is at %s", env, p.root)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, free, _ := net.SplitHostPort(listener.Addr().String())
	listener.Close()
	if p := serve(t, nil, "--port", free); p.root != "http://127.0.0.1:"+free {
		t.Errorf("the server is at %s, want port %s", p.root, free)
	}
}

func TestURLOfAnAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"127.0.0.1:8642":    "http://127.0.0.1:8642",
		"localhost:80":      "http://localhost:80",
		":8642":             "http://127.0.0.1:8642",
		"0.0.0.0:8642":      "http://127.0.0.1:8642",
		"[::]:8642":         "http://127.0.0.1:8642",
		"[::1]:8642":        "http://[::1]:8642",
		"[fe80::1%eth0]:80": "http://[fe80::1%25eth0]:80",
		"192.0.2.1:8642":    "http://192.0.2.1:8642",
	} {
		if got := new(addressFlags).url(address); got != want {
			t.Errorf("%s is reached by %s, want %s", address, got, want)
		}
	}
}
