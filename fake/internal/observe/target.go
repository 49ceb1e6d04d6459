package observe

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/campaignfake/fixtures"
)

// Target returns the base URL of a real service. It fails if that cannot be asked, or if the
// token, the origin or one of the names that are skipped is wrong.
func Target(baseURL, token, origin string, skip []string) (*url.URL, error) {
	base, err := url.Parse(baseURL)
	if err != nil {
		return nil, errors.New("the base URL is not a URL; write one as https://staging.example.com/api")
	}
	if wrong := checkURL(base); wrong != "" {
		return nil, fmt.Errorf("%q cannot be asked: %s", (&url.URL{Scheme: base.Scheme, Host: base.Host, Path: base.Path}).String(), wrong)
	}
	if fixtures.CheckToken(token) != nil {
		return nil, errors.New("the token is not one that a client can send; give it without spaces and quotes")
	}
	for _, name := range skip {
		if err := checkSkip(name); err != nil {
			return nil, err
		}
	}
	if u, err := url.Parse(origin); origin != "" && (err != nil || u.Scheme+"://"+u.Host != origin || u.Host == "") {
		return nil, fmt.Errorf("%q is not an origin; write one as https://app.example.com", origin)
	}
	return base, nil
}

// checkURL explains why a base URL cannot be asked, and returns "" if it can.
func checkURL(u *url.URL) string {
	host := u.Hostname()
	loopback := host == "localhost" || net.ParseIP(host).IsLoopback()
	switch {
	case u.Scheme != "http" && u.Scheme != "https" || host == "":
		return "it is not a URL; write one as https://staging.example.com/api"
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "it has more than a host and a path; leave the rest out"
	case u.Scheme == "http" && !loopback:
		return "the token would be sent unencrypted; write https"
	}
	return ""
}

// checkSkip returns an error if a name that is skipped is neither that of a setting or of
// something else that is compared, nor above or below one.
func checkSkip(name string) error {
	known := []string{"head", "query", "accept", "headers", "redirect", "byte_order_mark"}
	for _, s := range fixtures.DefaultService().Settings(nil) {
		if s.Basis != "documented" {
			known = append(known, s.Name)
		}
	}
	isNear := func(known string) bool {
		return Skipped(known, []string{name}) || strings.HasPrefix(name, known+".")
	}
	if slices.ContainsFunc(known, isNear) {
		return nil
	}
	return fmt.Errorf("%q is not a setting; write one as invalid_token, ids, head, query, or campaign.score", name)
}

// NewTransport returns a transport to a real service. It uses each connection once: on one
// that was used before, it would repeat requests by itself.
func NewTransport() *http.Transport {
	return &http.Transport{Proxy: proxyOf, ForceAttemptHTTP2: true, DisableCompression: true, DisableKeepAlives: true, MaxResponseHeaderBytes: 1 << 20}
}

// proxyOf returns the proxy of the environment, but none for what is not encrypted.
func proxyOf(r *http.Request) (*url.URL, error) {
	if r.URL.Scheme != "https" {
		return nil, nil
	}
	return http.ProxyFromEnvironment(r)
}
