// Package hosts decides at which hosts a server answers what web pages must not read: the control
// plane, and the upstream. A page can have the name of its own host lead to the server, which is
// called DNS rebinding, and is then of the same origin as the server. So the host of a request has
// to be one that nobody can register as a name, or one that is listed.
package hosts

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

// Refuse returns why a request is refused whose Host could be forged by DNS
// rebinding: a page of that host sends neither Origin nor Sec-Fetch-Site. It returns ""
// for hosts that are listed, in the form of Canonical, and for those that nobody can register. On
// the loopback interface these are the names and addresses of this machine alone.
func Refuse(r *http.Request, listed []string) string {
	host, isHost := hostOf(r)
	if isHost && (IsOfThisMachine(host) || slices.Contains(listed, host)) {
		return ""
	}
	if hasArrivedOnLoopback(r) {
		return fmt.Sprintf("The host %q is not localhost. "+
			"Send the request to localhost or 127.0.0.1, "+
			"or list the host with --control-hosts (in Go, fake.WithControlHosts).",
			words.CutInput(r.Host))
	}
	if isHost && !canBeRegistered(host) {
		return ""
	}
	return fmt.Sprintf("The host %q could be forged by DNS rebinding. "+
		"Send the request to an IP address or to a name without dots, "+
		"or list the host with --control-hosts (in Go, fake.WithControlHosts).",
		words.CutInput(r.Host))
}

// hostPattern matches a Host header: an address in brackets or a name, and a port.
var hostPattern = text.Pattern(`^(?:\[(.*:.*)\]|([\w.-]*))(?::\d*)?$`)

// hostOf returns the host of a request in one form, without its port, and whether its Host is one.
func hostOf(r *http.Request) (host string, isHost bool) {
	match := hostPattern().FindStringSubmatch(r.Host)
	if match == nil {
		return "", false
	}
	address, name := match[1], match[2]
	return Canonical(address + name), true
}

// IsOfThisMachine reports whether a host, in the form of Canonical, is localhost, a name under it,
// or a loopback address.
func IsOfThisMachine(host string) bool {
	address, _ := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || address.IsLoopback()
}

func hasArrivedOnLoopback(r *http.Request) bool {
	local, isTCP := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return isTCP && local.IP.IsLoopback()
}

// reserved are the ends of names that nobody can register. Names under .local are those of mDNS,
// and of services in a cluster.
var reserved = []string{".internal", ".test", ".local", ".svc"}

// canBeRegistered reports whether somebody may own a host as a name in the DNS.
func canBeRegistered(host string) bool {
	_, err := netip.ParseAddr(host)
	isAddress := err == nil
	if isAddress || !strings.Contains(host, ".") {
		return false
	}
	for _, end := range reserved {
		if strings.HasSuffix(host, end) {
			return false
		}
	}
	return true
}

// namePattern matches the name of a host, and no more.
var namePattern = text.Pattern(`^[\w-]+(\.[\w-]+)*\.?$`)

// Check returns what is wrong with a host to be listed, and what to write.
func Check(host string) error {
	if host == "any" || host == "*" {
		return fmt.Errorf("%q would let everybody in; list each host, "+
			"as campaigns.example.com", host)
	}
	_, err := netip.ParseAddr(host)
	isAddress := err == nil
	if !isAddress && !namePattern().MatchString(host) {
		return fmt.Errorf("%q is not a host alone; write a whole name in plain ASCII, "+
			"as campaigns.example.com, or an IP address, without a scheme or a port", host)
	}
	return nil
}

// Canonical returns a host in one form: in small letters, without the dot at the
// end, and the only form of an address.
func Canonical(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	address, err := netip.ParseAddr(host)
	if err != nil {
		return host // it is a name
	}
	return address.String()
}
