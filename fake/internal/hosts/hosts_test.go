package hosts_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/hosts"
)

var (
	loopback  = net.IPv4(127, 0, 0, 1)
	published = net.IPv4(172, 18, 0, 2) // an address that other machines reach, as in a container
)

// requestTo returns a request that has arrived at an address, with a Host.
func requestTo(address net.IP, host string) *http.Request {
	r := httptest.NewRequest("GET", "http://localhost/_fake/users", nil)
	r.Host = host
	local := &net.TCPAddr{IP: address, Port: 8642}
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, local))
}

func TestRefuse(t *testing.T) {
	t.Parallel()
	const (
		onLoopback = "where only this machine asks"
		everywhere = "everywhere"
	)
	listed := []string{"campaigns.example.com", "192.0.2.9"}
	for name, tt := range map[string]struct {
		host    string
		listed  []string
		refused string // "" if it is refused nowhere
	}{
		"nothing behind the colon":     {host: "localhost:"},
		"localhost with a port":        {host: "LocalHost.:8642"},
		"a name under localhost":       {host: "app.localhost"},
		"a loopback address":           {host: "127.1.2.3:80"},
		"the loopback address of IPv6": {host: "[::1]:8642"},

		"another address":               {host: "192.0.2.7", refused: onLoopback},
		"a name without a dot":          {host: "campaigns:8642", refused: onLoopback},
		"a name that ends in .test":     {host: "a.test", refused: onLoopback},
		"a name that ends in .internal": {host: "host.docker.internal", refused: onLoopback},
		"a service of a cluster":        {host: "a.b.svc", refused: onLoopback},
		"a name of mDNS":                {host: "campaigns.local", refused: onLoopback},
		"no host":                       {host: "", refused: onLoopback},

		"a name that somebody can own":    {host: "evil.example", refused: everywhere},
		"one that begins with localhost":  {host: "localhost.evil.example", refused: everywhere},
		"one that ends like localhost":    {host: "evil-localhost.example", refused: everywhere},
		"one that begins with an address": {host: "127.0.0.1.evil.example", refused: everywhere},
		"two dots at the end":             {host: "localhost..", refused: everywhere},
		"a user before localhost":         {host: "evil.example@localhost", refused: everywhere},
		"a port that is none":             {host: "localhost:evil.example", refused: everywhere},
		"brackets without an address":     {host: "[localhost]", refused: everywhere},

		"a listed name":    {host: "Campaigns.Example.com.:80", listed: listed},
		"a listed address": {host: "192.0.2.9:80", listed: listed},
	} {
		var wantLoopback, wantPublished string
		if tt.refused != "" {
			wantLoopback = "is not localhost. Send the request to localhost or 127.0.0.1"
		}
		if tt.refused == everywhere {
			wantPublished = "could be forged by DNS rebinding"
		}
		refusal := hosts.Refuse(requestTo(loopback, tt.host), tt.listed)
		checkRefusal(t, name+" on loopback", refusal, wantLoopback)
		refusal = hosts.Refuse(requestTo(published, tt.host), tt.listed)
		checkRefusal(t, name+" elsewhere", refusal, wantPublished)
	}
}

// A handler that is called without a connection does not know where a request has arrived.
func TestRefuseWithoutConnection(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("GET", "http://campaigns/_fake/users", nil)
	checkRefusal(t, "a name without a dot", hosts.Refuse(r, nil), "")
}

// checkRefusal reports a refusal that lacks the given words, or a refusal if no words are given.
func checkRefusal(t *testing.T, name, refusal, want string) {
	t.Helper()
	isWanted := want != ""
	if isWanted != (refusal != "") || !strings.Contains(refusal, want) {
		t.Errorf("%s: the refusal is %q, want %q", name, refusal, want)
	}
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"Campaigns.Example.COM.": "campaigns.example.com",
		"2001:DB8:0::2":          "2001:db8::2",
		"::FFFF:192.0.2.9":       "::ffff:192.0.2.9",
		"192.0.2.999":            "192.0.2.999",
	} {
		if got := hosts.Canonical(host); got != want {
			t.Errorf("%s is %s in one form, want %s", host, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	const (
		letsEverybodyIn = "would let everybody in"
		noHost          = "is not a host alone"
	)
	for name, tt := range map[string]struct {
		host string
		want string // a part of the error; "" for no error
	}{
		"a dot at the end":      {"campaigns.example.com.", ""},
		"an underscore":         {"my_service", ""},
		"an address":            {"192.0.2.9", ""},
		"an address of IPv6":    {"2001:db8::2", ""},
		"any":                   {"any", letsEverybodyIn},
		"an asterisk":           {"*", letsEverybodyIn},
		"an asterisk in a name": {"*.example.com", noHost},
		"nothing":               {"", noHost},
		"a port":                {"a.example:8642", noHost},
		"a URL":                 {"http://a.example/x", noHost},
		"two dots":              {"a..example", noHost},
		"another script":        {"bücher.example", noHost},
	} {
		message := ""
		if err := hosts.Check(tt.host); err != nil {
			message = err.Error()
		}
		checkRefusal(t, name, message, tt.want)
	}
}
