package upstream_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/upstream"
	"example.com/campaignfake/fake/internal/wire"
)

// TestMain sets the variable that net/http reads once in a process: a proxy that refuses every
// host. It is used for hosts that are not on loopback.
func TestMain(m *testing.M) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "s3cret", http.StatusForbidden)
	}))
	others := []string{"HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy", "https_proxy"}
	for _, name := range others {
		os.Unsetenv(name)
	}
	os.Setenv("HTTPS_PROXY", proxy.URL)
	status := m.Run()
	proxy.Close()
	os.Exit(status)
}

// newUpstream starts an upstream with one handler, and returns its URL.
func newUpstream(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// newProxy makes a proxy, and closes it at the end of the test.
func newProxy(t *testing.T, api string) *upstream.Proxy {
	t.Helper()
	u, err := url.Parse(api)
	if err == nil {
		err = upstream.CheckURL(u)
	}
	if err != nil {
		t.Fatal(err)
	}
	proxy := upstream.New(u)
	t.Cleanup(proxy.Close)
	return proxy
}

// newMemoryProxy makes a proxy to an upstream without a port, whose URL ends with a text.
func newMemoryProxy(t *testing.T, end string, handler http.HandlerFunc) *upstream.Proxy {
	t.Helper()
	listener := wire.NewMemoryListener()
	server := &http.Server{Handler: handler}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	proxy := newProxy(t, "http://"+wire.MemoryHost+end)
	proxy.Transport.DialContext = listener.DialContext
	return proxy
}

// pass passes a request on, and returns the answer.
func pass(
	t *testing.T, proxy *upstream.Proxy, o upstream.Options, r *http.Request,
) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	failure := proxy.Pass(w, r, o)
	if failure != nil {
		t.Fatalf("there is no answer: %+v", *failure)
	}
	return w
}

// get passes on a request for a path below or outside of /api.
func get(t *testing.T, proxy *upstream.Proxy, path string) *httptest.ResponseRecorder {
	t.Helper()
	options := upstream.Options{BasePath: "/api"}
	return pass(t, proxy, options, httptest.NewRequest("GET", path, nil))
}

// A path below the base path goes to the same path below the path of the upstream's URL. Any other
// path goes to the same path of the upstream. Path and query stay exactly as they were sent.
func TestPaths(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.RequestURI)
	})
	for name, tt := range map[string]struct {
		urlPath, basePath, sent string
		want                    string
	}{
		"below":                    {"/v1", "/api", "/api/profile", "/v1/profile"},
		"below, slash at the end":  {"/v1/", "/api", "/api/profile/", "/v1/profile/"},
		"the base path":            {"/v1", "/api", "/api", "/v1"},
		"nearly the base path":     {"/v1", "/api", "/apis", "/apis"},
		"URL with a slash":         {"/", "/api", "/api", "/"},
		"no base path":             {"/v1", "", "/profile", "/v1/profile"},
		"escaped slash":            {"/v1", "/api", "/api/a%2Fb%2fc", "/v1/a%2Fb%2fc"},
		"escaped in the URL":       {"/a%2Fb", "/api", "/api/%C3%A9", "/a%2Fb/%C3%A9"},
		"query that is not parsed": {"/v1", "/api", "/api/x?a;b=%zz&c", "/v1/x?a;b=%zz&c"},
		"empty query":              {"/v1", "/api", "/api/x?", "/v1/x?"},
	} {
		proxy := newProxy(t, server+tt.urlPath)
		r := httptest.NewRequest("GET", tt.sent, nil)
		got := pass(t, proxy, upstream.Options{BasePath: tt.basePath}, r).Body.String()
		if got != tt.want {
			t.Errorf("%s: the upstream was asked for %s, want %s", name, got, tt.want)
		}
		target := proxy.Target(r, tt.basePath)
		want, _, _ := strings.Cut(server+tt.want, "?") // a query may hold secrets
		if target != want {
			t.Errorf("%s: Target is %s, want %s", name, target, want)
		}
	}
}

// The upstream receives the headers of the client, except headers about the page, the way of the
// request, or the connection.
func TestRequestHeaders(t *testing.T) {
	t.Parallel()
	ofClient := http.Header{
		"Authorization": {"Bearer a"}, "Cookie": {"a=1", "b=2"}, "Te": {"trailers"},
	}
	for name, tt := range map[string]struct {
		sent, want http.Header
	}{
		"of the client": {ofClient, ofClient},
		"of the page": {
			http.Header{"Referer": {"http://localhost:5173/"}, "Sec-Fetch-Site": {"same-site"}},
			http.Header{},
		},
		"of the way": {
			http.Header{
				"Forwarded": {"for=192.0.2.1"}, "X-Forwarded-For": {"192.0.2.1"},
				"X-Forwarded-Prefix": {"/x"},
			},
			http.Header{},
		},
		"of the connection": {
			http.Header{"Connection": {"keep-alive, X-Hop"}, "X-Hop": {"hop"}},
			http.Header{},
		},
		"WebSocket": {
			http.Header{"Connection": {"Upgrade"}, "Upgrade": {"WebSocket"}},
			http.Header{"Connection": {"Upgrade"}, "Upgrade": {"WebSocket"}},
		},
		"HTTP/2, as Java's client offers it": {
			http.Header{
				"Connection": {"Upgrade, HTTP2-Settings"}, "Upgrade": {"h2c"},
				"Http2-Settings": {"AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA"},
			},
			http.Header{},
		},
	} {
		received := make(chan *http.Request, 1)
		server := newUpstream(t, func(_ http.ResponseWriter, r *http.Request) { received <- r })
		r := httptest.NewRequest("GET", "/api/a", nil)
		maps.Copy(r.Header, tt.sent)
		r.Header.Set("Via", "1.1 vite")
		pass(t, newProxy(t, server), upstream.Options{}, r)

		got := <-received
		if "http://"+got.Host != server {
			t.Errorf("%s: Host is %s, want that of %s", name, got.Host, server)
		}
		via := got.Header["Via"]
		isRight := len(via) == 2 && via[0] == "1.1 vite" &&
			strings.HasPrefix(via[1], "1.1 campaignfake-")
		if !isRight {
			t.Errorf("%s: Via is %q, want that it was, and this server", name, via)
		}
		delete(got.Header, "Via")
		if !maps.EqualFunc(got.Header, tt.want, slices.Equal) {
			t.Errorf("%s: the upstream has received\n%v, want\n%v", name, got.Header, tt.want)
		}
	}
}

// A readOnce is a body that must not be read after its end.
type readOnce struct {
	text   string
	isRead bool
}

func (r *readOnce) Read(part []byte) (int, error) {
	if r.isRead {
		return 0, http.ErrBodyReadAfterClose
	}
	r.isRead = true
	return copy(part, r.text), io.EOF
}

// The body of a request is not read after its end, when net/http may have closed it already.
func TestUploadIsReadOnce(t *testing.T) {
	t.Parallel()
	received := make(chan string, 1)
	proxy := newProxy(t, newUpstream(t, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		received <- string(body)
	}))
	for range 2 { // after a request that failed, its connection is not used again
		r := httptest.NewRequest("PUT", "/api/file", &readOnce{text: "a file"})
		r.ContentLength = 6
		pass(t, proxy, upstream.Options{}, r)
		if got := <-received; got != "a file" {
			t.Errorf("the upstream has received %q", got)
		}
	}
}

// The upstream receives its own origin in place of an origin that may send credentials.
func TestOrigin(t *testing.T) {
	t.Parallel()
	const page, api = "http://localhost:5173", "http://" + wire.MemoryHost
	for name, tt := range map[string]struct {
		allowsCredentials bool
		isOverTLS         bool // the request came over TLS
		origin            string
		want              string
	}{
		"allowed":             {true, false, page, api},
		"not allowed":         {false, false, page, page},
		"our own":             {false, false, "http://fake.test", api},
		"our own, over HTTPS": {false, true, "https://fake.test", api},
		"another scheme":      {false, false, "https://fake.test", "https://fake.test"},
	} {
		received := make(chan string, 1)
		proxy := newMemoryProxy(t, "", func(_ http.ResponseWriter, r *http.Request) {
			received <- strings.Join(r.Header["Origin"], "|")
		})
		r := httptest.NewRequest("GET", "http://fake.test/", nil)
		if tt.isOverTLS {
			r.TLS = new(tls.ConnectionState)
		}
		r.Header.Set("Origin", tt.origin)
		pass(t, proxy, upstream.Options{AllowsCredentials: tt.allowsCredentials}, r)
		if got := <-received; got != tt.want {
			t.Errorf("%s: the upstream has received the origin %q, want %q", name, got, tt.want)
		}
	}
}

// A URL that leads back to the server itself is reported, also if it leads through another server.
// Two servers in a row are no loop.
func TestLoop(t *testing.T) {
	t.Parallel()
	for _, isLoop := range []bool{true, false} {
		var first, second *upstream.Proxy
		end := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
			if !isLoop {
				return
			}
			failure := first.Pass(w, r, upstream.Options{})
			if failure == nil || failure.Status != http.StatusLoopDetected ||
				!strings.Contains(failure.Reason, "leads back to this server; give --upstream") {
				t.Errorf("the failure is %+v", failure)
			}
		})
		second = newProxy(t, end)
		middle := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
			second.Pass(w, r, upstream.Options{})
		})
		first = newProxy(t, middle)
		get(t, first, "/a")
	}
}

// Headers of the upstream about its host are not sent as headers about ours. A body without a type
// gets no invented type.
func TestAnswerHeaders(t *testing.T) {
	t.Parallel()
	api := newProxy(t, newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
		w.Header().Set("Alt-Svc", `h3=":443"`)
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
		w.Header()["Content-Type"] = nil
		io.WriteString(w, "<html>")
	}))
	front := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		api.Pass(w, r, upstream.Options{})
	})
	response, err := http.Get(front)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	for name, want := range map[string][]string{
		"Strict-Transport-Security": nil,
		"Alt-Svc":                   nil,
		"Location":                  nil,
		"Content-Type":              nil,
		"Content-Security-Policy":   {"default-src 'none'"},
	} {
		if got := response.Header[name]; !slices.Equal(got, want) {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// URLs of the upstream in its answer become ours, and lead to the same place there. Other URLs
// stay. In a redirect our URLs have no host. In any other answer, where an app reads the URL
// without resolving it, an absolute URL gets the host to which the client has sent the request.
func TestLocation(t *testing.T) {
	t.Parallel()
	const other, port = "https://login.example.com/v1/authorize?x=1", "http://{host}:81/a"
	for name, tt := range map[string]struct {
		urlPath, basePath, sent string
		location                string // {host} stands for the host of the upstream
		redirected, created     string // the header after a 302, and after a 201
	}{
		"a path": {
			"/v1", "/api", "/api/a",
			"/v1/a%2Fb?c=%2F;d#e%20f", "/api/a%2Fb?c=%2F;d#e%20f", "/api/a%2Fb?c=%2F;d#e%20f",
		},
		"the URL": {
			"/v1", "/api", "/api/a",
			"http://{host}/v1/7?x=1", "/api/7?x=1", "https://fake.test:1/api/7?x=1",
		},
		"its port is that of the scheme": {
			"/v1", "/api", "/api/a",
			"HTTP://{host}:80/v1/7", "/api/7", "https://fake.test:1/api/7",
		},
		"no path": {
			"/v1", "/api", "/api/a", "http://{host}", "/", "https://fake.test:1/",
		},
		"an empty query":         {"/v1", "/api", "/api/a", "/v1/a?", "/api/a?", "/api/a?"},
		"nearly inside":          {"/v1", "/api", "/api/a", "/v10", "/v10", "/v10"},
		"relative":               {"/v1", "/api", "/api/a/b", "c?d", "/api/a/c?d", "/api/a/c?d"},
		"another host":           {"/v1", "/api", "/api/a", other, other, other},
		"another port":           {"", "/api", "/api/a", port, port, port},
		"not a URL":              {"/v1", "/api", "/api/a", "/%zz", "/%zz", "/%zz"},
		"URL without a path":     {"", "/api", "/api/a", "/login", "/api/login", "/api/login"},
		"the same, from outside": {"", "/api", "/oauth", "/oauth/2", "/oauth/2", "/oauth/2"},
		"no base path":           {"/v1", "", "/a", "/v1", "/", "/"},
		"a doubled slash is no host": {
			"", "", "/a", "http://{host}//evil.test/", "/.//evil.test/",
			"https://fake.test:1//evil.test/",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fill := strings.NewReplacer("{host}", wire.MemoryHost)
			for status, want := range map[int]string{302: tt.redirected, 201: tt.created} {
				api := func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Location", fill.Replace(tt.location))
					w.Header().Set("Content-Location", fill.Replace(tt.location))
					w.WriteHeader(status)
				}
				proxy := newMemoryProxy(t, tt.urlPath, api)
				r := httptest.NewRequest("POST", tt.sent, nil)
				r.Host = "fake.test:1"
				r.TLS = new(tls.ConnectionState)
				header := pass(t, proxy, upstream.Options{BasePath: tt.basePath}, r).Header()
				for _, name := range []string{"Location", "Content-Location"} {
					if got := header.Get(name); got != fill.Replace(want) {
						t.Errorf("with status %d, %s is %s, want %s", status, name, got, want)
					}
				}
			}
		})
	}
}

// The caller's transport decides about a private certificate authority and HTTP/2.
func TestHTTP2(t *testing.T) {
	t.Parallel()
	api := func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }
	server := httptest.NewUnstartedServer(http.HandlerFunc(api))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	proxy := newProxy(t, server.URL)
	authority := x509.NewCertPool()
	authority.AddCert(server.Certificate())
	proxy.Transport.TLSClientConfig = &tls.Config{RootCAs: authority}
	if got := get(t, proxy, "/").Body.String(); got != "HTTP/2.0" {
		t.Errorf("the upstream was asked by %s", got)
	}
}

// A connection is used for further requests, and closed after four seconds without one.
func TestIdleConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		listener := wire.NewMemoryListener()
		closed := make(chan time.Time)
		connections := 0
		server := &http.Server{
			Handler: http.NotFoundHandler(),
			ConnState: func(_ net.Conn, state http.ConnState) {
				switch state {
				case http.StateNew:
					connections++
				case http.StateClosed:
					closed <- time.Now()
				}
			},
		}
		go server.Serve(listener)
		defer server.Close()
		proxy := newProxy(t, "http://"+wire.MemoryHost)
		proxy.Transport.DialContext = listener.DialContext
		get(t, proxy, "/")
		time.Sleep(3 * time.Second)
		get(t, proxy, "/")
		start := time.Now()
		if took := (<-closed).Sub(start); took != 4*time.Second || connections != 1 {
			t.Errorf("%d connections were made, and the last closed after %s", connections, took)
		}
	})
}
