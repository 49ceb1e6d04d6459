package upstream_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// dialOnly connects to a server, whatever the name is.
func dialOnly(
	server *httptest.Server,
) func(ctx context.Context, network, _ string) (net.Conn, error) {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, network, server.Listener.Addr().String())
	}
}

// The upstream receives the headers of the client, except the ones about the page or about us.
func TestRequestHeaders(t *testing.T) {
	t.Parallel()
	received := make(chan *http.Request, 1)
	server := newUpstream(t, func(_ http.ResponseWriter, r *http.Request) {
		received <- r
	})
	f := newFront(t, setup{URL: server.URL})
	c := dial(t, f.host())
	c.send(t, "GET /a HTTP/1.1", "Host: fake.test",
		"Authorization: Bearer token", "Cookie: a=1; b=2", "Cookie: c=3", "Accept-Encoding: br",
		"Referer: http://localhost:5173/secret", "Sec-Fetch-Site: same-site",
		"Sec-Fetch-Mode: cors",
		"Forwarded: for=192.0.2.1", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Host: fake.test",
		"X-Forwarded-Proto: https", "X-Forwarded-Prefix: /x", "X-Own: own", "Via: 1.1 vite",
		"Connection: keep-alive, X-Hop", "X-Hop: hop", "")
	c.readAnswer(t)

	r := receive(t, received)
	if want := hostOf(t, server.URL); r.Host != want {
		t.Errorf("Host is %s, want %s", r.Host, want)
	}
	via := r.Header["Via"]
	if len(via) != 2 || via[0] != "1.1 vite" || !strings.HasPrefix(via[1], "1.1 campaignfake-") {
		t.Errorf("Via is %q, want that it was, and this server", via)
	}
	delete(r.Header, "Via")
	want := http.Header{
		"Authorization":   {"Bearer token"},
		"Cookie":          {"a=1; b=2", "c=3"},
		"Accept-Encoding": {"br"},
		"X-Own":           {"own"},
	}
	for name := range r.Header {
		if want[name] == nil {
			t.Errorf("the upstream has received %s: %q", name, r.Header[name])
		}
	}
	for name, values := range want {
		if strings.Join(r.Header[name], "|") != strings.Join(values, "|") {
			t.Errorf("%s is %q, want %q", name, r.Header[name], values)
		}
	}
}

// The upstream receives its own origin in place of one that may send credentials.
func TestOrigin(t *testing.T) {
	t.Parallel()
	credentials := http.Header{"Access-Control-Allow-Credentials": {"true"}}
	const page = "http://localhost:5173"
	for name, tt := range map[string]struct {
		host   string      // of the upstream
		header http.Header // of the answer, as the caller sets it
		isTLS  bool
		origin string
		want   string
	}{
		"trusted": {
			host:   "api.example.com",
			header: credentials,
			isTLS:  false,
			origin: page,
			want:   "http://api.example.com",
		},
		"another port": {
			host:   "api.example.com:81",
			header: credentials,
			isTLS:  false,
			origin: page,
			want:   "http://api.example.com:81",
		},
		"port of the scheme": {
			host:   "API.example.com:80",
			header: credentials,
			isTLS:  false,
			origin: page,
			want:   "http://api.example.com",
		},
		"not trusted": {"api.example.com", nil, false, page, page},
		"our own": {
			host:   "api.example.com",
			header: nil,
			isTLS:  false,
			origin: "http://fake.test:1",
			want:   "http://api.example.com",
		},
		"our own, by HTTPS": {
			host:   "api.example.com",
			header: nil,
			isTLS:  true,
			origin: "https://fake.test:1",
			want:   "http://api.example.com",
		},
		"our own, port 443": {
			host:   "api.example.com",
			header: nil,
			isTLS:  true,
			origin: "https://fake.test",
			want:   "http://api.example.com",
		},
		"our own host": {
			host:   "api.example.com",
			header: nil,
			isTLS:  false,
			origin: "https://fake.test:1",
			want:   "https://fake.test:1",
		},
		"none": {"api.example.com", credentials, false, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			received := make(chan string, 1)
			server := newUpstream(t, func(_ http.ResponseWriter, r *http.Request) {
				received <- strings.Join(r.Header["Origin"], "|")
			})
			f := newFront(t, setup{
				URL:    "http://" + tt.host + "/v1",
				Header: tt.header,
				IsTLS:  tt.isTLS,
				Dial:   dialOnly(server),
			})
			r := newRequest(t, http.MethodPost, f.URL, nil)
			r.Host = "fake.test:1"
			// browsers send no port that is that of the scheme
			if tt.origin == "https://fake.test" {
				r.Host = "fake.test:443"
			}
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			do(t, f.Client(), r)
			if got := receive(t, received); got != tt.want {
				t.Errorf("Origin is %q, want %q", got, tt.want)
			}
		})
	}
}

// A URL that leads to the server itself is told, also through another server, and whatever else is
// in between. Two servers in a row are no loop.
func TestLoop(t *testing.T) {
	t.Parallel()
	for name, hops := range map[string]int{
		"itself":             1,
		"through another":    2,
		"through two others": 3,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fronts := make([]*front, hops)
			for i := range fronts {
				dialNext := func(ctx context.Context, network, _ string) (net.Conn, error) {
					next := fronts[(i+1)%hops]
					return new(net.Dialer).DialContext(ctx, network, next.host())
				}
				fronts[i] = newFront(t, setup{URL: "http://next.test/v1", Dial: dialNext})
			}

			response, body := fronts[0].get(t, "/a")
			want := "the URL of the upstream, at next.test, leads back to this server\n"
			if response.StatusCode != http.StatusLoopDetected || body != want {
				t.Errorf("the answer is %s: %s\nwant 508: %s", response.Status, body, want)
			}
		})
	}
	t.Run("two in a row", func(t *testing.T) {
		t.Parallel()
		server := newUpstream(t, func(http.ResponseWriter, *http.Request) {})
		second := newFront(t, setup{URL: server.URL})
		first := newFront(t, setup{URL: second.URL})
		if response, body := first.get(t, "/a"); response.StatusCode != http.StatusOK {
			t.Errorf("the answer is %s: %s", response.Status, body)
		}
	})
}
