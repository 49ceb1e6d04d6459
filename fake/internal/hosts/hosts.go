// Package hosts decides to which hosts clients may send requests for the control plane and the
// upstream. Web pages must not read the answers. But a page can make its own host name lead to the
// server, and then has the same origin as the server. This is called DNS rebinding. So the server
// refuses a request, unless its host is listed or is a host that nobody can register.
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

// Refuse returns why the server refuses a request whose Host may come from DNS rebinding. No other
// header shows DNS rebinding: the page sends neither Origin nor Sec-Fetch-Site.
//
// For an accepted host, Refuse returns "". Refuse always accepts localhost, names such as
// app.localhost, loopback addresses, and the hosts in the argument `listed`. The hosts in `listed`
// have the form of Canonical. If the request has not arrived on the loopback interface, Refuse also
// accepts every host that nobody can register, such as a name without a dot.
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

// hostPattern matches a Host header: an address in brackets or a name, and a port if there is one.
var hostPattern = text.Pattern(`^(?:\[(.*:.*)\]|([\w.-]*))(?::\d*)?$`)

// hostOf returns the host of a request, in the form of Canonical and without its port. isHost is
// false if the Host header does not match hostPattern.
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

// reserved are the ends of names that nobody can register in the DNS. A name under .local belongs
// to a machine of a local network (mDNS), or to a service in a cluster. In a local network, each
// machine can take any name under .local.
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

// namePattern matches a text that is only the name of a host.
var namePattern = text.Pattern(`^[\w-]+(\.[\w-]+)*\.?$`)

// Check returns an error if a host cannot be listed. The error says what to write.
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

// Canonical returns the form in which hosts are compared: a name in small letters and without the
// dot at its end, and an address as netip writes it.
func Canonical(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	address, err := netip.ParseAddr(host)
	if err != nil {
		return host // a name, not an IP address
	}
	return address.String()
}
