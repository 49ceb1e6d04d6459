package main

import (
	"testing"
)

func TestAddressURL(t *testing.T) {
	t.Parallel()
	tests := map[address]string{
		"127.0.0.1:8642":    "http://127.0.0.1:8642",
		"localhost:80":      "http://localhost:80",
		":8642":             "http://127.0.0.1:8642",
		"0.0.0.0:8642":      "http://127.0.0.1:8642",
		"[::]:8642":         "http://127.0.0.1:8642",
		"[::1]:8642":        "http://[::1]:8642",
		"[fe80::1%eth0]:80": "http://[fe80::1%25eth0]:80",
		"192.0.2.1:8642":    "http://192.0.2.1:8642",
	}
	for a, want := range tests {
		if got := a.url("http"); got != want {
			t.Errorf("%s is reached by %s, want %s", a, got, want)
		}
	}
}

// An unset variable of the shell in quotes is an empty value, which no flag has.
func TestEmptyFlags(t *testing.T) {
	t.Parallel()
	for _, command := range newCall(t.Context(), testProcess(nil, nil, nil)).parser.Model.Children {
		for _, flag := range command.Flags {
			want := "--" + flag.Name + ": has no value; give one, or leave it out"
			finish(t, nil, command.Name, "--"+flag.Name+"=").failsLike(t, 2, want)
			if !flag.IsBool() {
				finish(t, nil, command.Name, "--"+flag.Name).failsLike(t, 2, want)
				finish(t, nil, command.Name, "--"+flag.Name, "--help=x").failsLike(t, 2, want)
			}
		}
	}
}
