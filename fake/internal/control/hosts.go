package control

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

// refuseHost returns why a request is refused whose Host could be forged by DNS
// rebinding: a page of that host sends neither Origin nor Sec-Fetch-Site. It returns ""
// for hosts that are listed, and for those that nobody can register. On the loopback
// interface these are the names and addresses of this machine alone.
func refuseHost(r *http.Request, listed []string) string {
	if r.Host == "" && r.URL.Path == healthPath {
		return "" // a load balancer may leave Host out, which no browser does
	}
	host, isHost := hostOf(r)
	if isHost && (isOfThisMachine(host) || slices.Contains(listed, host)) {
		return ""
	}
	if hasArrivedOnLoopback(r) {
		return fmt.Sprintf("The host %q is not localhost. "+
			"Send the request to localhost or 127.0.0.1, "+
			"or list the host with --control-hosts (in Go, fake.WithControlHosts).",
			words.Shorten(r.Host))
	}
	if isHost && !canBeRegistered(host) {
		return ""
	}
	return fmt.Sprintf("The host %q could be forged by DNS rebinding. "+
		"Send the request to an IP address or to a name without dots, "+
		"or list the host with --control-hosts (in Go, fake.WithControlHosts).",
		words.Shorten(r.Host))
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
	return CanonicalHost(address + name), true
}

func isOfThisMachine(host string) bool {
	address, _ := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || address.IsLoopback()
}

func hasArrivedOnLoopback(r *http.Request) bool {
	local, isTCP := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return isTCP && local.IP.IsLoopback()
}

// reserved are the ends of names that nobody can register.
var reserved = []string{".internal", ".test", ".svc", ".svc.cluster.local"}

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

// CheckHost returns what is wrong with a host to be listed, and what to write.
func CheckHost(host string) error {
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

// CanonicalHost returns a host in one form: in small letters, without the dot at the
// end, and the only form of an address.
func CanonicalHost(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	address, err := netip.ParseAddr(host)
	if err != nil {
		return host // it is a name
	}
	return address.String()
}
