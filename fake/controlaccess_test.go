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
	"everywhere": {"localhost", "localhost:8642", "LocalHost.:80", "app.localhost:80",
		"127.0.0.1", "127.0.0.1:8642", "127.1.2.3", "127.0.0.1.", "[::1]", "[::1]:8642", "[::ffff:127.0.0.1]:80"},
	"published": {"192.0.2.7:8642", "0.0.0.0:8642", "[2001:db8::1]:8642", "[fe80::1%eth0]:8642",
		"campaigns", "campaigns:8642", "my_service:8642", "CAMPAIGNS.", "", ":8642",
		"host.docker.internal:8642", "a.test", "a.TEST.:80", "a.b.svc.cluster.local:8642", "a.b.svc:8642"},
	"published, listed": {"192.0.2.9", "[2001:DB8:0::2]:80"},
	"listed":            {"campaigns.example.com", "Campaigns.Example.COM.:8642"},
	"nowhere": {"evil.example", "evil.example:8642", "evil.example.", "EVIL.example",
		"localhost.evil.example", "127.0.0.1.nip.io", "127.0.0.1.evil.example:80", "test.evil.example", "a.xtest",
		"x.campaigns.example.com", "campaigns.example.com.evil.example", "campaigns.example.com..", "example.com",
		"campaigns.local", "svc.a.b", "svc.cluster.local", "localhost..", "..",
		"evil.example:8642@localhost", "localhost:80@evil.example", "localhost@evil.example", "localhost:evil.example", "[::1].evil.example",
		"[::1]:80:evil.example", "[localhost]", "[evil.example:80]", "evil%2eexample", "localhost%00.evil.example", "evil\u3002example", "l\u03bfcalhost",
		"localhost, evil.example", "localhost/evil.example", "localhost\tevil.example", "xn--lcalhost-54g.evil.example"},
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
				want := where == "everywhere" || tt.published && strings.Contains(where, "published") || tt.listed && strings.Contains(where, "listed")
				for _, host := range all {
					response, body := sendTo(t, tt.address, "GET /_fake/requests HTTP/1.1", "Host: "+host, "X-Forwarded-Host: localhost", "Forwarded: host=localhost")
					if allowed := response.StatusCode == 200; allowed != want {
						t.Errorf("the host %q is answered %d %s", host, response.StatusCode, body)
					}
					// net/http itself answers 400 to what is no host at all.
					if response.StatusCode != 200 && response.StatusCode != 400 && (response.StatusCode != 403 || response.Header.Get("Content-Type") != "application/problem+json" ||
						!strings.Contains(body, "--control-hosts (in Go, fake.WithControlHosts)")) {
						t.Errorf("the host %q is answered %d %s", host, response.StatusCode, body)
					}
				}
			}
		})
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
	for want, option := range map[string]fake.Option{
		`WithControlHosts: "http://a.example:80/x" is not a host alone; write a whole name in plain ASCII, as campaigns.example.com, or an IP address, without a scheme or a port`: fake.WithControlHosts("a", "http://a.example:80/x"),
		`WithControlHosts: "a.example:8642" is not a host alone; write a whole name in plain ASCII, as campaigns.example.com, or an IP address, without a scheme or a port`:        fake.WithControlHosts("a.example:8642"),
		`WithControlHosts: "[::1]" is not a host alone; write a whole name in plain ASCII, as campaigns.example.com, or an IP address, without a scheme or a port`:                 fake.WithControlHosts("[::1]"),
		`WithControlHosts: "*.example.com" is not a host alone; write a whole name in plain ASCII, as campaigns.example.com, or an IP address, without a scheme or a port`:         fake.WithControlHosts("*.example.com"),
		`WithControlHosts: "a b" is not a host alone; write a whole name in plain ASCII, as campaigns.example.com, or an IP address, without a scheme or a port`:                   fake.WithControlHosts("a b"),
		`WithControlHosts: "" is not a host alone; write a whole name in plain ASCII, as campaigns.example.com, or an IP address, without a scheme or a port`:                      fake.WithControlHosts(""),
		`WithControlHosts: "*" would let everybody in; list each host, as campaigns.example.com`:                                                                                   fake.WithControlHosts("*"),
		`WithControlHosts: "any" would let everybody in; list each host, as campaigns.example.com`:                                                                                 fake.WithControlHosts("any"),
		`WithControlHosts: "bücher.example" is not a host alone; write a whole name in plain ASCII, as campaigns.example.com, or an IP address, without a scheme or a port`:        fake.WithControlHosts("bücher.example"),
		`WithControlOrigins: "any" is not an origin; write one as browsers send it, as http://localhost:5173`:                                                                      fake.WithControlOrigins("any"),
		`WithControlOrigins: "off" is not an origin; write one as browsers send it, as http://localhost:5173`:                                                                      fake.WithControlOrigins("off"),
		`WithControlOrigins: "*" is not an origin; write one as browsers send it, as http://localhost:5173`:                                                                        fake.WithControlOrigins(page, "*"),
		`WithControlOrigins: "null" is not an origin; write one as browsers send it, as http://localhost:5173`:                                                                     fake.WithControlOrigins("null"),
		`WithControlOrigins: "" is not an origin; write one as browsers send it, as http://localhost:5173`:                                                                         fake.WithControlOrigins(""),
		`WithControlOrigins: "http://*.example.com" is not an origin; write one as browsers send it, as http://localhost:5173`:                                                     fake.WithControlOrigins("http://*.example.com"),
		`WithControlOrigins: "localhost:5173" is not an origin; write one as browsers send it, as http://localhost:5173`:                                                           fake.WithControlOrigins("localhost:5173"),
		`WithControlOrigins: "http://localhost:5173/" is not an origin as browsers send it, which is scheme, host and port; write http://localhost:5173`:                           fake.WithControlOrigins("http://localhost:5173/"),
		`WithControlOrigins: "http://App.example" is not an origin as browsers send it, which is scheme, host and port; write http://app.example`:                                  fake.WithControlOrigins("http://App.example"),
	} {
		if _, err := fake.New(option); err == nil || err.Error() != want {
			t.Errorf("the error is\n%v\nwant\n%s", err, want)
		}
	}
}

// Pages of listed origins use the control plane as programs do. Other pages get nothing.
func TestControlOrigins(t *testing.T) {
	t.Parallel()
	const second = "https://app.example.com"
	srv := newHandler(t, fake.WithUser("alice", fixtures.User{}), fake.WithControlOrigins(page), fake.WithControlOrigins(second), fake.WithService(fixtures.Service{CORS: []string{"off"}}))
	address := publish(t, srv.Serve)
	others := []string{"http://localhost:3000", "https://localhost:5173", "http://localhost", "http://evil.example", "http://localhost:5173.evil.example", "https://xapp.example.com", "null", "*", page + ", " + second}
	for _, path := range []string{"users?token=alice", "replies?token=alice", "requests", "events", "reset", "service", "health", "", "nothing"} {
		for _, method := range []string{"GET", "HEAD", "PUT", "POST", "DELETE"} {
			line := method + " /_fake/" + path + " HTTP/1.1"
			preflight := func(origin string) (*http.Response, string) {
				return sendTo(t, address, "OPTIONS /_fake/"+path+" HTTP/1.1", "Host: campaigns:8642", "Origin: "+origin, "Sec-Fetch-Site: cross-site",
					"Access-Control-Request-Method: "+method, "Access-Control-Request-Headers: content-type,x-any", "Access-Control-Request-Private-Network: true")
			}
			for _, origin := range []string{page, second} {
				response, _ := preflight(origin)
				got := fmt.Sprint(response.StatusCode)
				for _, name := range []string{"Origin", "Methods", "Headers", "Private-Network"} {
					got += " " + response.Header.Get("Access-Control-Allow-"+name)
				}
				if want := "204 " + origin + " " + method + " content-type,x-any true"; got != want || !strings.Contains(response.Header.Get("Vary"), "Origin") {
					t.Errorf("the preflight of %s is answered %s, Vary %s, want %s", line, got, response.Header.Get("Vary"), want)
				}
				response, body := sendTo(t, address, line, "Host: campaigns:8642", "Origin: "+origin, "Sec-Fetch-Site: cross-site", "Content-Length: 0")
				if response.StatusCode == 403 || response.Header.Get("Access-Control-Allow-Origin") != origin || response.Header.Get("Vary") != "Origin" {
					t.Errorf("%s is answered %d %s with %v", line, response.StatusCode, body, response.Header)
				}
			}
			for _, origin := range others {
				for _, answer := range []func(string) (*http.Response, string){preflight, func(origin string) (*http.Response, string) {
					return sendTo(t, address, line, "Host: campaigns:8642", "Origin: "+origin, "Content-Length: 0")
				}} {
					response, body := answer(origin)
					if response.StatusCode != 403 || response.Header.Get("Access-Control-Allow-Origin") != "" || method != "HEAD" && !strings.Contains(body, "--control-origins") {
						t.Errorf("%s of %s is answered %d %s with %v", line, origin, response.StatusCode, body, response.Header)
					}
				}
			}
		}
	}

	for name, tt := range map[string]struct {
		lines []string
		want  int
	}{
		"an image or a script":           {[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Referer: " + page + "/"}, 403},
		"two origins":                    {[]string{"Origin: " + page, "Origin: " + page}, 403},
		"a listed page":                  {[]string{"Origin: " + page}, 200},
		"the server's own page":          {[]string{"Origin: http://campaigns:8642", "Sec-Fetch-Site: same-origin"}, 200},
		"a program":                      {nil, 200},
		"the address bar":                {[]string{"Sec-Fetch-Site: none"}, 200},
		"two sites":                      {[]string{"Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site"}, 403},
		"a page of the same site":        {[]string{"Sec-Fetch-Site: same-site"}, 403},
		"a user in the origin":           {[]string{"Origin: http://a@campaigns:8642"}, 403},
		"another port":                   {[]string{"Origin: http://campaigns:1"}, 403},
		"a page that cookies come along": {[]string{"Origin: " + page, "Cookie: a=b"}, 200},
	} {
		if response, body := sendTo(t, address, append([]string{"GET /_fake/users HTTP/1.1", "Host: campaigns:8642"}, tt.lines...)...); response.StatusCode != tt.want {
			t.Errorf("%s is answered %d %s, want %d", name, response.StatusCode, body, tt.want)
		}
	}

	// The message names the origin, if there is one.
	const refused, instead = "The control plane refuses pages of other origins", " (in Go, fake.WithControlOrigins)"
	for header, want := range map[string]string{
		"Origin: http://localhost:15177":                        refused + `, as \"http://localhost:15177\". List the origin with --control-origins` + instead,
		"Origin: capacitor://my-app":                            refused + `, as \"capacitor://my-app\". List the origin with --control-origins` + instead,
		"Origin: null":                                          refused + `, as \"null\". List the origin with --control-origins` + instead,
		"Origin: http://a;$(reboot)":                            refused + `, as \"http://a;$(reboot)\". List the origin with --control-origins` + instead,
		"Origin: http://a\tb":                                   refused + `, as \"http://a\\tb\". List the origin with --control-origins` + instead,
		"Origin: http://a" + strings.Repeat("a", 300) + ".test": strings.Repeat("a", 193) + `…\". List the origin with --control-origins` + instead,
		"Sec-Fetch-Site: cross-site":                            refused + ". List the origin with --control-origins" + instead,
	} {
		if response, body := sendTo(t, address, "GET /_fake/users HTTP/1.1", "Host: campaigns:8642", header); response.StatusCode != 403 || !strings.Contains(body, want) {
			t.Errorf("%s is answered %d %s, want %s", header, response.StatusCode, body, want)
		}
	}

	// A listed origin does not open hosts that could be forged; its page can read why.
	response, body := sendTo(t, address, "GET /_fake/users HTTP/1.1", "Host: evil.example", "Origin: "+page)
	if response.StatusCode != 403 || !strings.Contains(body, "DNS rebinding") || response.Header.Get("Access-Control-Allow-Origin") != page {
		t.Errorf("a listed origin at a forged host is answered %d %s with %v", response.StatusCode, body, response.Header)
	}
	// The API has a setting of its own.
	response, _ = sendTo(t, address, "GET "+listPath+" HTTP/1.1", "Host: campaigns:8642", "Origin: "+page, "Authorization: Bearer alice")
	if got := response.Header.Get("Access-Control-Allow-Origin"); response.StatusCode != 200 || got != "" {
		t.Errorf("the API answers %d, and may be read by %q", response.StatusCode, got)
	}
}
