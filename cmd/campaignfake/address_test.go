package main

import (
	"net"
	"slices"
	"strings"
	"testing"
)

// --port changes the port, and keeps the host of --listen's variable or default.
func TestPort(t *testing.T) {
	t.Parallel()
	for _, env := range [][]string{
		{"CAMPAIGNFAKE_LISTEN="}, // the default
		{"CAMPAIGNFAKE_LISTEN=127.0.0.1:1"},
		{"CAMPAIGNFAKE_LISTEN=[::]:1"},
		// by Kubernetes
		{"CAMPAIGNFAKE_PORT=tcp://10.0.0.7:8642", "CAMPAIGNFAKE_SERVICE_HOST=10.0.0.7"},
	} {
		root := serve(t, env, "--port=0").root
		if !strings.HasPrefix(root, "http://127.0.0.1:") || strings.HasSuffix(root, ":1") {
			t.Errorf("with %v the server is at %s", env, root)
		}
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
	loopback := interfaces(t, "127.0.0.1/8", "::1/128")
	home := interfaces(t,
		"127.0.0.1/8", "192.168.1.7/24", "172.17.0.1/16", "169.254.3.4/16", "fe80::1/64",
		"2001:db8::7/64")
	six := interfaces(t, "::1/128", "fe80::1/64", "2001:db8::7/64")
	tests := map[string]struct {
		address     string
		interfaces  []net.Addr
		inContainer bool
		want        serverRoots
	}{
		"loopback": {
			address: "127.0.0.1:80", interfaces: home,
			want: serverRoots{own: "http://127.0.0.1:80"},
		},
		"one address": {
			address: "192.168.1.7:80", interfaces: home,
			want: serverRoots{own: "http://192.168.1.7:80"},
		},
		"every address": {
			address: "0.0.0.0:80", interfaces: home,
			want: serverRoots{
				own:     "http://127.0.0.1:80",
				network: []string{"http://192.168.1.7:80", "http://172.17.0.1:80"},
			},
		},
		"without IPv4": {
			address: "[::]:80", interfaces: six,
			want: serverRoots{
				own:     "http://127.0.0.1:80",
				network: []string{"http://[2001:db8::7]:80"},
			},
		},
		"without a network": {
			address: "[::]:80", interfaces: loopback,
			want: serverRoots{own: "http://127.0.0.1:80"},
		},
		"a container": {
			address:     "[::]:8642",
			interfaces:  interfaces(t, "127.0.0.1/8", "172.17.0.2/16"),
			inContainer: true,
			want:        serverRoots{own: "http://172.17.0.2:8642", inContainer: true},
		},
		"a container in two networks": {
			address:     "[::]:8642",
			interfaces:  interfaces(t, "172.17.0.2/16", "172.18.0.2/16"),
			inContainer: true,
			want: serverRoots{
				own:         "http://172.17.0.2:8642",
				network:     []string{"http://172.18.0.2:8642"},
				inContainer: true,
			},
		},
		"a container without a network": {
			address: "[::]:8642", interfaces: loopback, inContainer: true,
			want: serverRoots{own: "http://127.0.0.1:8642"},
		},
		"loopback of a container": {
			address: "127.0.0.1:80", interfaces: home, inContainer: true,
			want: serverRoots{own: "http://127.0.0.1:80"},
		},
	}
	for name, tt := range tests {
		got := new(addressFlags).roots(tt.address, tt.interfaces, tt.inContainer)
		same := got.own == tt.want.own && got.inContainer == tt.want.inContainer
		if !same || !slices.Equal(got.network, tt.want.network) {
			t.Errorf("%s: the URLs are %+v, want %+v", name, got, tt.want)
		}
	}
}
