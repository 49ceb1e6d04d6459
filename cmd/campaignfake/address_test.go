package main

import "testing"

// --port changes the port, and keeps the host of --listen.
func TestPort(t *testing.T) {
	t.Parallel()
	port := uint64(9000)
	f := addressFlags{Listen: "[::]:1", Port: &port}
	if got := f.address(); got != "[::]:9000" {
		t.Errorf("the server listens on %s", got)
	}
}

func TestURLOfAnAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"127.0.0.1:8642":    "http://127.0.0.1:8642",
		":8642":             "http://127.0.0.1:8642",
		"[::]:8642":         "http://127.0.0.1:8642",
		"[fe80::1%eth0]:80": "http://[fe80::1%25eth0]:80",
	} {
		if got := new(addressFlags).url(address); got != want {
			t.Errorf("%s is reached by %s, want %s", address, got, want)
		}
	}
}
