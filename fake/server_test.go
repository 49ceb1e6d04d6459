package fake_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A reachable is a server, or an address of a server with a client that reaches it.
type reachable interface {
	BaseURL() string
	Client() *http.Client
}

// A reached is a server that another client reaches.
type reached struct {
	*fake.Server
	client *http.Client
}

func (r reached) Client() *http.Client { return r.client }

// rootOf returns the URL of a server without a path.
func rootOf(srv reachable) string {
	scheme, rest, _ := strings.Cut(srv.BaseURL(), "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// newRequest makes a request without a body.
func newRequest(t testing.TB, method, url string, header http.Header) *http.Request {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	return r
}

// listRequest makes a request for the campaigns of a token. With "" the request has no token.
func listRequest(t testing.TB, srv reachable, token string) *http.Request {
	t.Helper()
	return newRequest(t, "GET", srv.BaseURL()+"/user/campaigns", bearer(token))
}

// ask sends a request for a path of a server, and returns the answer with its body.
func ask(
	t testing.TB, srv reachable, method, path string, header http.Header,
) (*http.Response, string) {
	t.Helper()
	return send(t, srv.Client(), newRequest(t, method, rootOf(srv)+path, header))
}

// list asks for a token's campaigns, and returns the status and the body.
func list(t testing.TB, srv reachable, token string) (int, string) {
	t.Helper()
	response, body := send(t, srv.Client(), listRequest(t, srv, token))
	return response.StatusCode, body
}

// statuses asks n times for a token's campaigns, and returns the status of each answer.
func statuses(t testing.TB, srv reachable, token string, n int) string {
	t.Helper()
	var all []string
	for range n {
		status, _ := list(t, srv, token)
		all = append(all, fmt.Sprint(status))
	}
	return strings.Join(all, " ")
}

// expectStatuses requests a token's campaigns once for each status in want, and compares the
// statuses.
func expectStatuses(t testing.TB, srv reachable, token, want string) {
	t.Helper()
	if got := statuses(t, srv, token, strings.Count(want, " ")+1); got != want {
		t.Errorf("%s is answered %s, want %s", token, got, want)
	}
}

// expecting returns expectStatuses for the tokens of one server.
func expecting(t testing.TB, srv reachable) func(token, want string) {
	return func(token, want string) {
		t.Helper()
		expectStatuses(t, srv, token, want)
	}
}

// send sends a request, and returns the answer with its body.
func send(t testing.TB, client *http.Client, r *http.Request) (*http.Response, string) {
	t.Helper()
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// dial connects to a server, on its port or in memory.
func dial(t *testing.T, srv *fake.Server) net.Conn {
	t.Helper()
	address := strings.TrimPrefix(rootOf(srv), "http://")
	if !strings.Contains(address, ":") {
		address += ":80"
	}
	conn, err := srv.DialContext(context.Background(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// exchanged sends bytes on a new connection, and returns the last answer with its body. The answer
// is nil if none comes.
func exchanged(
	t *testing.T, srv *fake.Server, request string,
) (response *http.Response, body string) {
	t.Helper()
	conn := dial(t, srv)
	defer conn.Close()
	go io.WriteString(conn, request)
	for answers := bufio.NewReader(conn); ; {
		next, err := http.ReadResponse(answers, nil)
		if err != nil {
			return response, body
		}
		text, _ := io.ReadAll(next.Body)
		response, body = next, string(text)
	}
}

// bearer returns the header of a request with a token. For "" the header is empty.
func bearer(token string) http.Header {
	if token == "" {
		return http.Header{}
	}
	return http.Header{"Authorization": {"Bearer " + token}}
}

const listPath = "/api/user/campaigns"

// spring is a campaign, and springJSON what the service sends of it.
var spring = fixtures.Campaign{
	ID:        "1",
	Name:      "Spring <launch> & more",
	CreatedAt: "2026-01-05T09:30:00Z",
	UpdatedAt: "2026-01-06T09:30:00Z",
	Status:    "active",
}

const springJSON = `{"id":"1","name":"Spring <launch> & more",` +
	`"created_at":"2026-01-05T09:30:00Z","updated_at":"2026-01-06T09:30:00Z","status":"active"}`

func TestValidToken(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t,
		fake.WithUser("alice", fixtures.User{Campaigns: []fixtures.Campaign{spring}}))
	const want = `{"campaigns":[` + springJSON + `]}`
	response, body := ask(t, srv, "GET", listPath, bearer("alice"))
	contentType := response.Header.Get("Content-Type")
	if response.StatusCode != 200 || body != want || contentType != "application/json" {
		t.Errorf("the answer is %d, %s\n%s\nwant\n%s", response.StatusCode, contentType, body, want)
	}
	head, body := ask(t, srv, "HEAD", listPath, bearer("alice"))
	if head.StatusCode != 200 || body != "" || head.ContentLength != int64(len(want)) {
		t.Errorf("HEAD is answered %d, length %d, %q", head.StatusCode, head.ContentLength, body)
	}
	srv.CheckRequests(t, "alice", 2)
}

// scripted is a user with replies.
func scripted(replies ...fixtures.Reply) fixtures.User {
	return fixtures.User{Replies: replies}
}

// untilReleased is a delay until the request is released.
var untilReleased = &fixtures.Delay{UntilReleased: true}

// logTo makes a server write lines of text to a log.
func logTo(log io.Writer) fake.Option {
	return fake.WithLogger(slog.New(slog.NewTextHandler(log, nil)))
}

// newHandler makes a server that does not listen, until the test ends.
func newHandler(t testing.TB, options ...fake.Option) *fake.Server {
	t.Helper()
	srv, err := fake.New(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	return srv
}

// The handler works with recorders, with httptest servers, and in the caller's muxes. An answer to
// HEAD has no body even where no server drops it.
func TestPlainHandler(t *testing.T) {
	t.Parallel()
	srv := newHandler(t, fake.WithUser("alice", fixtures.User{}))
	if got := record(srv, "alice"); got.Code != 200 || got.Body.String() != `{"campaigns":[]}` {
		t.Errorf("the recorder has %d %s", got.Code, got.Body)
	}
	if srv.BaseURL() != "/api" {
		t.Errorf("the base URL of a server without an address is %q", srv.BaseURL())
	}
	for _, path := range []string{listPath, "/elsewhere", "/_fake/health"} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("HEAD", path, nil)
		if srv.ServeHTTP(w, r); w.Body.Len() > 0 {
			t.Errorf("HEAD %s has the body %s", path, w.Body)
		}
	}
}

// Users and files change while requests arrive. Every answer is whole, was in force at some time,
// and is counted.
func TestChangesWhileRequestsArrive(t *testing.T) {
	t.Parallel()
	const clients, each = 4, 25
	read := files("users: {alice: {generate: {count: 1}}}")
	srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil),
		fake.WithFixtures(read), fake.WithUser("bob", generated(1)))
	var all sync.WaitGroup
	for i := range 2 * clients {
		all.Go(func() {
			for range each {
				_, body := list(t, srv, []string{"alice", "bob"}[i%2])
				if n := strings.Count(body, `"id":`); n < 1 || n > 3 || !json.Valid([]byte(body)) {
					t.Errorf("an answer is %s", body)
				}
			}
		})
	}
	for i := range each {
		read.write("users.yaml", fmt.Sprintf("users: {alice: {generate: {count: %d}}}", 1+i%3))
		srv.Reload()
		srv.SetUser("bob", generated(1+i%3))
	}
	all.Wait()
	srv.CheckRequests(t, "alice", clients*each)
	srv.CheckRequests(t, "bob", clients*each)
}

// The package imports only the model and its few libraries, and none of the libraries of the
// command or of the tests.
func TestImports(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("*.go")
	internal, _ := filepath.Glob("internal/*/*.go")
	if len(internal) == 0 {
		t.Error("there are no internal packages")
	}
	for _, file := range append(files, internal...) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, forbidden := range []string{
			`"testing"`, `"net/http/httptest"`, `gofakeit/v7"`, `yaml.v3"`,
		} {
			if !strings.HasSuffix(file, "_test.go") && strings.Contains(string(source), forbidden) {
				t.Errorf("%s imports %s", file, forbidden)
			}
		}
	}
}

// record asks a handler for a token's campaigns.
func record(handler http.Handler, token string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", listPath, nil)
	r.Header = bearer(token)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}
