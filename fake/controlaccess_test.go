package fake_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
	"github.com/gorilla/mux"
)

// published is a listener whose connections seem to arrive at an address that other
// machines reach, as in a container.
type published struct{ net.Listener }

func (l published) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return publishedConn{conn}, err
}

type publishedConn struct{ net.Conn }

func (publishedConn) LocalAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(172, 18, 0, 2), Port: 8642}
}

// publish serves by a published listener until the test ends, and returns its address.
func publish(t *testing.T, serve func(net.Listener) error) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go serve(published{l})
	return l.Addr().String()
}

// sendTo sends the lines of a request to an address, and returns the answer and its body,
// but only the beginning of events.
func sendTo(t *testing.T, address string, lines ...string) (*http.Response, string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(30 * time.Second))
	fmt.Fprint(conn, strings.Join(append(lines, "Connection: close", "", ""), "\r\n"))
	method, _, _ := strings.Cut(lines[0], " ")
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%q is answered %v", lines, err)
	}
	var body io.Reader = response.Body
	if response.Header.Get("Content-Type") == "text/event-stream" {
		body = io.LimitReader(body, 10)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		t.Fatalf("%q is answered %v", lines, err)
	}
	return response, string(text)
}

// hosts are those of requests, by where the control plane answers them: everywhere, at
// an address that other machines reach, or where campaigns.example.com and two addresses
// are listed.
var hosts = map[string][]string{
	"everywhere": {
		"localhost", "localhost:8642", "LocalHost.:80", "app.localhost:80",
		"127.0.0.1", "127.0.0.1:8642", "127.1.2.3", "127.0.0.1.",
		"[::1]", "[::1]:8642", "[::ffff:127.0.0.1]:80",
	},
	"published": {
		"192.0.2.7:8642", "0.0.0.0:8642", "[2001:db8::1]:8642", "[fe80::1%eth0]:8642",
		"campaigns", "campaigns:8642", "my_service:8642", "CAMPAIGNS.", "", ":8642",
		"host.docker.internal:8642", "a.test", "a.TEST.:80",
		"a.b.svc.cluster.local:8642", "a.b.svc:8642", "campaigns.local",
	},
	"published, listed": {"192.0.2.9", "[2001:DB8:0::2]:80"},
	"listed":            {"campaigns.example.com", "Campaigns.Example.COM.:8642"},
	"nowhere": {
		"evil.example", "evil.example:8642", "evil.example.", "EVIL.example",
		"localhost.evil.example", "localhost..", "..", "test.evil.example", "a.xtest",
		"127.0.0.1.nip.io", "127.0.0.1.evil.example:80", "[::1].evil.example",
		"x.campaigns.example.com", "campaigns.example.com.evil.example", "campaigns.example.com..",
		"example.com", "svc.a.b", "campaigns.locale",
		"evil.example:8642@localhost", "localhost:80@evil.example", "localhost@evil.example",
		"localhost:evil.example", "[::1]:80:evil.example", "[localhost]", "[evil.example:80]",
		"evil%2eexample", "localhost%00.evil.example", "evil\u3002example", "l\u03bfcalhost",
		"localhost, evil.example", "localhost/evil.example", "localhost\tevil.example",
		"xn--lcalhost-54g.evil.example",
	},
}

// The control plane answers only hosts that nobody can register, and those that are
// listed. A page that was led here by DNS rebinding reads nothing, though it sends no
// header of browsers.
func TestHostsOfTheControlPlane(t *testing.T) {
	t.Parallel()
	listed := fake.WithControlHosts("campaigns.EXAMPLE.com", "192.0.2.9", "2001:db8::2")
	inMux := func(srv *fake.Server) func(net.Listener) error {
		router := mux.NewRouter()
		router.PathPrefix("/").Handler(srv)
		outer := &http.Server{Handler: router}
		t.Cleanup(func() { outer.Close() })
		return outer.Serve
	}
	for name, tt := range map[string]struct {
		address           string
		published, listed bool
	}{
		"published":               {publish(t, newHandler(t).Serve), true, false},
		"published, listed":       {publish(t, newHandler(t, listed).Serve), true, true},
		"in a mux":                {publish(t, inMux(newHandler(t))), true, false},
		"on loopback":             {onLoopback(t, newHandler(t)), false, false},
		"on loopback, and listed": {onLoopback(t, newHandler(t, listed)), false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for where, all := range hosts {
				isAnswered := where == "everywhere" ||
					tt.published && strings.Contains(where, "published") ||
					tt.listed && strings.Contains(where, "listed")
				for _, host := range all {
					checkHost(t, tt.address, host, isAnswered)
				}
			}
		})
	}
}

// checkHost reports if a request with a host is not answered where it should be, or is not refused
// with what to do.
func checkHost(t *testing.T, address, host string, isAnswered bool) {
	t.Helper()
	response, body := sendTo(t, address, "GET /_fake/requests HTTP/1.1",
		"Host: "+host, "X-Forwarded-Host: localhost", "Forwarded: host=localhost")
	if isAnswered {
		if response.StatusCode != 200 {
			t.Errorf("the host %q is answered %d %s", host, response.StatusCode, body)
		}
		return
	}
	if response.StatusCode == 400 {
		return // by net/http itself, if it is no host at all
	}
	isProblem := response.Header.Get("Content-Type") == "application/problem+json"
	says := strings.Contains(body, "--control-hosts (in Go, fake.WithControlHosts)")
	if response.StatusCode != 403 || !isProblem || !says {
		t.Errorf("the host %q is answered %d %s", host, response.StatusCode, body)
	}
}

// onLoopback serves on the loopback interface until the test ends, and returns the
// address.
func onLoopback(t *testing.T, handler http.Handler) string {
	t.Helper()
	outer := httptest.NewServer(handler)
	t.Cleanup(outer.Close)
	return outer.Listener.Addr().String()
}

// Values of options that cannot be used are mistakes that say what to write.
func TestControlAccessThatIsWrong(t *testing.T) {
	t.Parallel()
	const (
		noHost = " is not a host alone; write a whole name in plain ASCII, " +
			"as campaigns.example.com, or an IP address, without a scheme or a port"
		letsEverybodyIn = " would let everybody in; list each host, as campaigns.example.com"
		noOrigin        = " is not an origin; write one as browsers send it, " +
			"as http://localhost:5173"
		otherForm = " is not an origin as browsers send it, which is scheme, host and port; write "
	)
	for name, tt := range map[string]struct {
		option fake.Option
		want   string
	}{
		"a URL for a host": {
			fake.WithControlHosts("a", "http://a.example:80/x"),
			`WithControlHosts: "http://a.example:80/x"` + noHost,
		},
		"a host with a port": {
			fake.WithControlHosts("a.example:8642"),
			`WithControlHosts: "a.example:8642"` + noHost,
		},
		"an address in brackets": {
			option: fake.WithControlHosts("[::1]"),
			want:   `WithControlHosts: "[::1]"` + noHost,
		},
		"an asterisk in a host": {
			fake.WithControlHosts("*.example.com"),
			`WithControlHosts: "*.example.com"` + noHost,
		},
		"two words":     {fake.WithControlHosts("a b"), `WithControlHosts: "a b"` + noHost},
		"an empty host": {fake.WithControlHosts(""), `WithControlHosts: ""` + noHost},
		"a host that is not ASCII": {
			fake.WithControlHosts("bücher.example"),
			`WithControlHosts: "bücher.example"` + noHost,
		},
		"an asterisk": {
			option: fake.WithControlHosts("*"),
			want:   `WithControlHosts: "*"` + letsEverybodyIn,
		},
		"any host": {
			option: fake.WithControlHosts("any"),
			want:   `WithControlHosts: "any"` + letsEverybodyIn,
		},
		"any origin": {
			option: fake.WithControlOrigins("any"),
			want:   `WithControlOrigins: "any"` + noOrigin,
		},
		"off for origins": {
			option: fake.WithControlOrigins("off"),
			want:   `WithControlOrigins: "off"` + noOrigin,
		},
		"an asterisk for an origin": {
			option: fake.WithControlOrigins(page, "*"),
			want:   `WithControlOrigins: "*"` + noOrigin,
		},
		"null": {
			option: fake.WithControlOrigins("null"),
			want:   `WithControlOrigins: "null"` + noOrigin,
		},
		"an empty origin": {fake.WithControlOrigins(""), `WithControlOrigins: ""` + noOrigin},
		"an asterisk in an origin": {
			fake.WithControlOrigins("http://*.example.com"),
			`WithControlOrigins: "http://*.example.com"` + noOrigin,
		},
		"an origin without a scheme": {
			fake.WithControlOrigins("localhost:5173"),
			`WithControlOrigins: "localhost:5173"` + noOrigin,
		},
		"an origin with a path": {
			fake.WithControlOrigins("http://localhost:5173/"),
			`WithControlOrigins: "http://localhost:5173/"` + otherForm + "http://localhost:5173",
		},
		"an origin in capital letters": {
			fake.WithControlOrigins("http://App.example"),
			`WithControlOrigins: "http://App.example"` + otherForm + "http://app.example",
		},
	} {
		if _, err := fake.New(tt.option); err == nil || err.Error() != tt.want {
			t.Errorf("%s: the error is\n%v\nwant\n%s", name, err, tt.want)
		}
	}
}

// secondPage is the origin of another page that is listed.
const secondPage = "https://app.example.com"

// publishListed publishes a server that lists two origins, and returns its address.
func publishListed(t *testing.T) string {
	t.Helper()
	return publish(t, newHandler(t,
		fake.WithUser("alice", fixtures.User{}),
		fake.WithControlOrigins(page),
		fake.WithControlOrigins(secondPage),
		fake.WithService(fixtures.Service{CORS: []string{"off"}}),
	).Serve)
}

// controlCalls are calls of the control plane as the first lines of requests have them.
func controlCalls() (calls []string) {
	for _, path := range []string{
		"users?token=alice", "replies?token=alice", "requests", "events", "reset", "service",
		"health", "", "nothing",
	} {
		for _, method := range []string{"GET", "HEAD", "PUT", "POST", "DELETE"} {
			calls = append(calls, method+" /_fake/"+path)
		}
	}
	return calls
}

// sendFrom sends a call as a page of an origin does.
func sendFrom(t *testing.T, address, origin, call string) (*http.Response, string) {
	t.Helper()
	return sendTo(t, address, call+" HTTP/1.1",
		"Host: campaigns:8642",
		"Origin: "+origin,
		"Sec-Fetch-Site: cross-site",
		"Content-Length: 0")
}

// sendPreflight sends what a browser asks before it sends a call of a page of an origin.
func sendPreflight(t *testing.T, address, origin, call string) (*http.Response, string) {
	t.Helper()
	method, path, _ := strings.Cut(call, " ")
	return sendTo(t, address, "OPTIONS "+path+" HTTP/1.1",
		"Host: campaigns:8642",
		"Origin: "+origin,
		"Sec-Fetch-Site: cross-site",
		"Access-Control-Request-Method: "+method,
		"Access-Control-Request-Headers: content-type,x-any",
		"Access-Control-Request-Private-Network: true")
}

// Pages of listed origins use the control plane as programs do.
func TestListedOrigins(t *testing.T) {
	t.Parallel()
	address := publishListed(t)
	for _, call := range controlCalls() {
		for _, origin := range []string{page, secondPage} {
			response, _ := sendPreflight(t, address, origin, call)
			method, _, _ := strings.Cut(call, " ")
			for name, want := range map[string]string{
				"Access-Control-Allow-Origin":          origin,
				"Access-Control-Allow-Methods":         method,
				"Access-Control-Allow-Headers":         "content-type,x-any",
				"Access-Control-Allow-Private-Network": "true",
			} {
				if got := response.Header.Get(name); got != want {
					t.Errorf("%s of the preflight of %s is %q, want %q", name, call, got, want)
				}
			}
			vary := response.Header.Get("Vary")
			if response.StatusCode != 204 || !strings.Contains(vary, "Origin") {
				t.Errorf("the preflight of %s is answered %d, Vary %s",
					call, response.StatusCode, vary)
			}

			response, body := sendFrom(t, address, origin, call)
			allowed := response.Header.Get("Access-Control-Allow-Origin")
			if response.StatusCode == 403 || allowed != origin ||
				response.Header.Get("Vary") != "Origin" {
				t.Errorf("%s is answered %d %s with %v",
					call, response.StatusCode, body, response.Header)
			}
		}
	}
}

// Pages of other origins get nothing.
func TestOtherOrigins(t *testing.T) {
	t.Parallel()
	address := publishListed(t)
	others := []string{
		"http://localhost:3000", "https://localhost:5173", "http://localhost",
		"http://evil.example", "http://localhost:5173.evil.example", "https://xapp.example.com",
		"null", "*", page + ", " + secondPage,
	}
	for _, call := range controlCalls() {
		for _, origin := range others {
			response, body := sendPreflight(t, address, origin, call)
			checkForbidden(t, "the preflight of "+call+" of "+origin, response, body)
			response, body = sendFrom(t, address, origin, call)
			checkForbidden(t, call+" of "+origin, response, body)
		}
	}
}

// checkForbidden reports if an answer to a page lets it read something, or does not say what to do.
func checkForbidden(t *testing.T, what string, response *http.Response, body string) {
	t.Helper()
	isHead := response.Request.Method == http.MethodHead
	says := isHead || strings.Contains(body, "--control-origins")
	if response.StatusCode != 403 || response.Header.Get("Access-Control-Allow-Origin") != "" ||
		!says {
		t.Errorf("%s is answered %d %s with %v", what, response.StatusCode, body, response.Header)
	}
}

// Browsers say in three headers where a request comes from.
func TestWhereARequestComesFrom(t *testing.T) {
	t.Parallel()
	address := publishListed(t)
	for name, tt := range map[string]struct {
		lines []string
		want  int
	}{
		"a program":                      {nil, 200},
		"the address bar":                {[]string{"Sec-Fetch-Site: none"}, 200},
		"a listed page":                  {[]string{"Origin: " + page}, 200},
		"a page that cookies come along": {[]string{"Origin: " + page, "Cookie: a=b"}, 200},
		"the server's own page": {
			[]string{"Origin: http://campaigns:8642", "Sec-Fetch-Site: same-origin"}, 200,
		},
		"another port":            {[]string{"Origin: http://campaigns:1"}, 403},
		"a user in the origin":    {[]string{"Origin: http://a@campaigns:8642"}, 403},
		"two origins":             {[]string{"Origin: " + page, "Origin: " + page}, 403},
		"a page of the same site": {[]string{"Sec-Fetch-Site: same-site"}, 403},
		"two sites": {
			lines: []string{"Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site"},
			want:  403,
		},
		"an image or a script": {
			[]string{
				"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Referer: " + page + "/",
			}, 403,
		},
	} {
		lines := append([]string{"GET /_fake/users HTTP/1.1", "Host: campaigns:8642"}, tt.lines...)
		response, body := sendTo(t, address, lines...)
		if response.StatusCode != tt.want {
			t.Errorf("%s is answered %d %s, want %d", name, response.StatusCode, body, tt.want)
		}
	}
}

// The message that refuses a page names its origin, if there is one.
func TestRefusedOriginIsNamed(t *testing.T) {
	t.Parallel()
	address := publishListed(t)
	const (
		refused = "The control plane refuses pages of other origins"
		instead = ". List the origin with --control-origins (in Go, fake.WithControlOrigins)"
	)
	for header, want := range map[string]string{
		"Origin: http://localhost:15177": refused +
			`, as \"http://localhost:15177\"` + instead,
		"Origin: capacitor://my-app": refused + `, as \"capacitor://my-app\"` + instead,
		"Origin: null":               refused + `, as \"null\"` + instead,
		"Origin: http://a;$(reboot)": refused + `, as \"http://a;$(reboot)\"` + instead,
		"Origin: http://a\tb":        refused + `, as \"http://a\\tb\"` + instead,
		"Origin: http://a" + strings.Repeat("a", 300) +
			".test": strings.Repeat("a", 193) + `…\"` + instead,
		"Sec-Fetch-Site: cross-site": refused + instead,
	} {
		response, body := sendTo(t, address, "GET /_fake/users HTTP/1.1", "Host: campaigns:8642",
			header)
		if response.StatusCode != 403 || !strings.Contains(body, want) {
			t.Errorf("%s is answered %d %s, want %s", header, response.StatusCode, body, want)
		}
	}
}

// A listed origin does not open hosts that could be forged; its page can read why. It does not open
// the API either, which has a setting of its own.
func TestWhatAListedOriginDoesNotOpen(t *testing.T) {
	t.Parallel()
	address := publishListed(t)
	response, body := sendTo(t, address, "GET /_fake/users HTTP/1.1", "Host: evil.example",
		"Origin: "+page)
	allowed := response.Header.Get("Access-Control-Allow-Origin")
	if response.StatusCode != 403 || !strings.Contains(body, "DNS rebinding") || allowed != page {
		t.Errorf("at a forged host the answer is %d %s with %v",
			response.StatusCode, body, response.Header)
	}
	response, _ = sendTo(t, address, "GET "+listPath+" HTTP/1.1",
		"Host: campaigns:8642", "Origin: "+page, "Authorization: Bearer alice")
	allowed = response.Header.Get("Access-Control-Allow-Origin")
	if response.StatusCode != 200 || allowed != "" {
		t.Errorf("the API answers %d, and may be read by %q", response.StatusCode, allowed)
	}
}

// Where both are wrong, the host is refused first: to list the origin would not help.
func TestHostIsRefusedBeforeTheOrigin(t *testing.T) {
	t.Parallel()
	_, body := sendTo(t, publishListed(t), "GET /_fake/users HTTP/1.1",
		"Host: evil.example", "Origin: http://other.example")
	expect(t, body, "DNS rebinding")
}
