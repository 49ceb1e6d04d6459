package main

import (
	"net"
	"slices"
	"testing"
)

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

// interfaces returns what a machine has: addresses with their networks.
func interfaces(t *testing.T, addresses ...string) (list []net.Addr) {
	t.Helper()
	for _, address := range addresses {
		ip, network, err := net.ParseCIDR(address)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, &net.IPNet{IP: ip, Mask: network.Mask})
	}
	return list
}

// A server that listens everywhere has URLs for other machines. In a container these alone are of
// use.
func TestRoots(t *testing.T) {
	t.Parallel()
	home := interfaces(t,
		"127.0.0.1/8", "192.168.1.7/24", "172.17.0.1/16", "169.254.3.4/16", "2001:db8::7/64")
	six := interfaces(t, "::1/128", "fe80::1/64", "2001:db8::7/64")
	for name, tt := range map[string]struct {
		address     string
		interfaces  []net.Addr
		inContainer bool
		want        serverRoots
	}{
		"loopback": {
			"127.0.0.1:80", home, true,
			serverRoots{own: "http://127.0.0.1:80"},
		},
		"every address": {
			"0.0.0.0:80", home, false,
			serverRoots{
				own:     "http://127.0.0.1:80",
				network: []string{"http://192.168.1.7:80", "http://172.17.0.1:80"},
			},
		},
		"without IPv4": {
			"[::]:80", six, false,
			serverRoots{own: "http://127.0.0.1:80", network: []string{"http://[2001:db8::7]:80"}},
		},
		"a container": {
			"[::]:80", home, true,
			serverRoots{
				own:         "http://192.168.1.7:80",
				network:     []string{"http://172.17.0.1:80"},
				inContainer: true,
			},
		},
		"a container without a network": {
			"[::]:80", nil, true,
			serverRoots{own: "http://127.0.0.1:80"},
		},
	} {
		got := new(addressFlags).roots(tt.address, tt.interfaces, tt.inContainer)
		same := got.own == tt.want.own && got.inContainer == tt.want.inContainer
		if !same || !slices.Equal(got.network, tt.want.network) {
			t.Errorf("%s: the URLs are %+v, want %+v", name, got, tt.want)
		}
	}
}
