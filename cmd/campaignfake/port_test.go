package main

import (
	"net"
	"strings"
	"testing"
)

// freePort returns a port that nothing listens on.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

// --port changes the port, and keeps the host of --listen's variable or default.
func TestPort(t *testing.T) {
	t.Parallel()
	for _, env := range [][]string{
		nil,
		{"CAMPAIGNFAKE_LISTEN=127.0.0.1:1"},
		{"CAMPAIGNFAKE_PORT=tcp://10.0.0.7:8642", "CAMPAIGNFAKE_SERVICE_HOST=10.0.0.7"}, // by Kubernetes
	} {
		port := freePort(t)
		p := start(t, env, "--port", port)
		if p.root != "http://127.0.0.1:"+port {
			t.Errorf("with %v the server is at %s, want port %s", env, p.root, port)
		}
		p.ids("demo")
		if got := finish(t, env, "requests", "--port="+port); got.status != 0 || strings.Count(got.stdout, "\n") != 1 {
			t.Errorf("requests --port ends with %+v", got)
		}
		if got := finish(t, env, "health", "--port", port); got != (result{}) {
			t.Errorf("health --port ends with %+v", got)
		}
	}
	if p := start(t, nil, "--port=0"); !strings.HasPrefix(p.root, "http://127.0.0.1:") {
		t.Errorf("with port 0 the server is at %s", p.root)
	}
	if p := start(t, []string{"CAMPAIGNFAKE_LISTEN=[::]:1"}, "--port=0"); !strings.HasPrefix(p.root, "http://127.0.0.1:") {
		t.Errorf("on all interfaces the server is at %s", p.root)
	}
}

func TestWrongPort(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env, args []string
		want      []string
	}{
		{nil, []string{"--port", "65536"}, []string{"--port", `"65536"`, "from 0 to 65535"}},
		{nil, []string{"--port", ":9000"}, []string{"--port", `":9000"`}},
		{nil, []string{"--port="}, []string{"--port: has no value"}},
		{nil, []string{"--unknown-tokens=like nobody"}, []string{`--unknown-tokens: no user has the token "nobody"; write like`}},
		{nil, []string{"--host=0.0.0.0"}, []string{"unknown flag --host"}},
	} {
		finish(t, tt.env, tt.args...).failsLike(t, 2, tt.want...)
	}
}

func TestSwitches(t *testing.T) {
	t.Parallel()
	for value, wanted := range map[string]bool{"on": true, "true": true, "1": true, "off": false, "false": false, "0": false} {
		p := start(t, []string{"CAMPAIGNFAKE_GALLERY=" + value, "CAMPAIGNFAKE_LISTEN=127.0.0.1:0", "CAMPAIGNFAKE_CONTROL=" + value},
			"--quiet="+value, file(t, "a.yaml", users("own", "alice")))
		if got := strings.Contains(p.banner, "built-in gallery"); got != wanted {
			t.Errorf("with %s the banner is\n%s", value, p.banner)
		}
		if got := strings.Contains(p.banner, "/_fake/\n"); got != wanted {
			t.Errorf("with control %s the banner is\n%s", value, p.banner)
		}
	}
}
