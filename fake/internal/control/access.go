package control

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/words"
)

// Who may use the control plane: programs, its own page, and pages of listed origins,
// at hosts that nobody else can register.

// admit refuses a call that may not use the control plane. It sets the headers by which pages of
// listed origins can read the answer.
func (c *call) admit() error {
	if cors := c.plane.cors; cors != nil {
		cors().ServeHTTP(c, c.r, func(http.ResponseWriter, *http.Request) {})
	}
	why := cmp.Or(refuseHost(c.r, c.plane.Config.Hosts), refuseOrigin(c.r, c.plane.Config.Origins))
	if why == "" {
		return nil
	}
	return refuse(http.StatusForbidden, "%s", why)
}

// refuseOrigin says why a request is refused that comes from a page of an origin that
// is not listed. It returns "" for others. Links from other origins may lead to the
// page, since their own scripts cannot read it.
func refuseOrigin(r *http.Request, listed []string) string {
	origins := r.Header.Values("Origin")
	if len(origins) == 1 && slices.Contains(listed, origins[0]) {
		return ""
	}
	isOther := func(origin string) bool {
		u, err := url.Parse(origin)
		return err != nil || u.Scheme == "" || u.User != nil || !strings.EqualFold(u.Host, r.Host)
	}
	isFollowed := len(r.URL.Path) <= len(controlPath) &&
		r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	isElsewhere := func(site string) bool { return site != "same-origin" && site != "none" && !isFollowed }
	if !slices.ContainsFunc(origins, isOther) && !slices.ContainsFunc(r.Header.Values("Sec-Fetch-Site"), isElsewhere) {
		return ""
	}
	as := ""
	if len(origins) > 0 {
		as = fmt.Sprintf(", as %q", words.Shorten(strings.Join(origins, ", ")))
	}
	return "The control plane refuses pages of other origins" + as + ". List the origin with " +
		"--control-origins (in Go, fake.WithControlOrigins), " +
		"or send the request from the server's own page, or from a program that is not a browser."
}

// hostPattern matches a Host header: an address in brackets or a name, and a port.
var hostPattern = words.Pattern(`^(?:\[(.*:.*)\]|([\w.-]*))(?::\d*)?$`)

// reserved are domains in which nobody can register a name.
var reserved = []string{".internal", ".test", ".svc", ".svc.cluster.local"}

// refuseHost says why a request is refused whose Host could be forged by DNS
// rebinding: a page of that host sends neither Origin nor Sec-Fetch-Site. It returns ""
// for hosts that are listed, and for those that nobody can register. On the loopback
// interface these are the names and addresses of this machine alone. A load balancer may
// ask for health without Host, which every browser sends.
func refuseHost(r *http.Request, listed []string) string {
	const list = "or list the host with --control-hosts (in Go, fake.WithControlHosts)."
	host, isHost := "", false
	if match := hostPattern().FindStringSubmatch(r.Host); match != nil {
		host, isHost = CanonicalHost(match[1]+match[2]), true
	}
	address, err := netip.ParseAddr(host)
	isReserved := func(domain string) bool { return strings.HasSuffix(host, domain) }
	local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	switch {
	case r.Host == "" && r.URL.Path == healthPath:
		return ""
	case isHost && (slices.Contains(listed, host) || host == "localhost" || strings.HasSuffix(host, ".localhost") || address.IsLoopback()):
		return ""
	case local != nil && local.IP.IsLoopback():
		return fmt.Sprintf("The host %q is not localhost. Send the request to localhost or 127.0.0.1, "+list, words.Shorten(r.Host))
	case isHost && (err == nil || !strings.Contains(host, ".") || slices.ContainsFunc(reserved, isReserved)):
		return ""
	}
	return fmt.Sprintf("The host %q could be forged by DNS rebinding. "+
		"Send the request to an IP address or to a name without dots, "+list, words.Shorten(r.Host))
}

// namePattern matches the name of a host, and no more.
var namePattern = words.Pattern(`^[\w-]+(\.[\w-]+)*\.?$`)

// CheckHost returns what is wrong with a host to be listed, and what to write.
func CheckHost(host string) error {
	switch _, err := netip.ParseAddr(host); {
	case host == "any" || host == "*":
		return fmt.Errorf("%q would let everybody in; list each host, as campaigns.example.com", host)
	case err != nil && !namePattern().MatchString(host):
		return fmt.Errorf("%q is not a host alone; write a whole name in plain ASCII, as campaigns.example.com, "+
			"or an IP address, without a scheme or a port", host)
	}
	return nil
}

// CanonicalHost returns a host in one form: in small letters, without the dot at the
// end, and the only form of an address.
func CanonicalHost(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if address, err := netip.ParseAddr(host); err == nil {
		return address.String()
	}
	return host
}
