package fake_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A folder is a file system in memory. A test can change its files while a server reads them.
type folder struct{ fstest.MapFS }

// files returns a folder with one file.
func files(text string) folder {
	f := folder{make(fstest.MapFS)}
	f.write("users.yaml", text)
	return f
}

func (f folder) write(name, text string) { f.MapFS[name] = &fstest.MapFile{Data: []byte(text)} }

// After a reload the users of the files start from the beginning. Users that were put, and replies
// that were enqueued, stay until a reset.
func TestReload(t *testing.T) {
	t.Parallel()
	read := files("users: {same: {replies: [{status: 503}, {status: 500}]}, queue: {}, gone: {}}")
	srv := fake.NewTestServer(t, fake.WithFixtures(read))
	check := expecting(t, srv)
	check("same", "503")
	check("gone", "200")
	srv.SetUser("put", fixtures.User{})
	srv.Enqueue("queue", fixtures.Reply{Status: 502})
	read.write("users.yaml", "users: {same: {replies: [{status: 503}, {status: 500}]}, queue: {}}")
	read.write("more.yml", "users: {fresh: {}}")
	check("same", "500") // before the first reload
	srv.Reload()
	check("put", "200")
	check("queue", "502 200")
	srv.CheckRequests(t, "same", 2)
	for _, change := range []func(){func() {}, srv.ResetAll} {
		change()
		check("same", "503 500 200")
		check("gone", "401")
		check("fresh", "200")
	}
	check("put", "401")
}

// A reload changes every setting of the service, also for users of the start. A user that was put
// keeps the settings that were in force then.
func TestReloadOfTheService(t *testing.T) {
	t.Parallel()
	read := files("users: {alice: {generate: {count: 1}}}")
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithFixtures(read))
	list(t, srv, "alice")
	list(t, srv, "nobody")
	// Two fields are random, since the file does not give them.
	dated := []fixtures.Campaign{{ID: "17", Name: "Spring", Status: "active"}}
	srv.SetUser("put", fixtures.User{Campaigns: dated})
	read.write("users.yaml", `
service:
  base_path: /v2
  cors: [http://other.test]
  unknown_tokens: generate
  timestamps: "02.01.2006"
  success: {status: 203, headers: {X-Version: "2"}}
  responses: {missing_token: {status: 403}, not_found: {status: 410, body: gone}}
users: {alice: {generate: {count: 1}}}
`)
	srv.Reload()
	if got := srv.Service().BasePath; got != "/v2" || !strings.HasSuffix(srv.BaseURL(), "/v2") {
		t.Errorf("the base path is %s, and the base URL %s", got, srv.BaseURL())
	}
	for token, date := range map[string]string{
		"alice":  `"created_at":"\d\d\.\d\d\.\d{4}"`,
		"nobody": `"created_at":"\d\d\.\d\d\.\d{4}"`,
		"put":    `"created_at":"\d{4}-\d\d-\d\dT`,
	} {
		header := bearer(token)
		header.Set("Origin", page)
		response, body := ask(t, srv, "GET", "/v2/user/campaigns", header)
		isShared := response.Header.Get("Access-Control-Allow-Origin") != ""
		if response.StatusCode != 203 || response.Header.Get("X-Version") != "2" || isShared ||
			!regexp.MustCompile(date).MatchString(body) {
			t.Errorf("%s is answered %d %v %.200s", token, response.StatusCode, response.Header, body)
		}
	}
	for path, want := range map[string]int{"/v2/user/campaigns": 403, listPath: 410} {
		if response, _ := ask(t, srv, "GET", path, nil); response.StatusCode != want {
			t.Errorf("%s without a token is answered %d, want %d", path, response.StatusCode, want)
		}
	}
}

// A reload with a mistake changes nothing. The error and the health show the mistake with its
// place, until a reload succeeds.
func TestReloadWithMistakes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const good = "users: {alice: {replies: [{status: 503}, {status: 502}]}}\n"
		read := files(good)
		var tb recorder // mistakes fail this test
		defer tb.finish()
		srv := fake.NewTestServer(&tb, fake.WithInMemory(), fake.WithFixtures(read))
		expectStatuses(t, srv, "alice", "503")
		_, before := steer(t, srv, "GET", "health", "")
		if strings.Contains(before, "reload") {
			t.Errorf("at the start, health is %s", before)
		}
		read.write("users.yaml", "users: {bob: {}, alice: {dealy: 2s}}")
		err := srv.Reload()
		var mistakes *fixtures.Mistakes
		if !errors.As(err, &mistakes) || tb.text() != "campaignfake: Reload: "+err.Error() {
			t.Fatalf("the reload returns %v, and the test is told %s", err, tb.text())
		}
		_, told := steer(t, srv, "GET", "health", "")
		at := func() string { return `"reload":{"at":"` + time.Now().UTC().Format(time.RFC3339) + `"` }
		expect(t, told, at()+`,"error":"users.yaml:1:26: users.alice.`,
			`"mistakes":[{"file":"users.yaml","line":1,"column":26,"path":"users.alice.dealy",`)
		expectStatuses(t, srv, "alice", "502 200")
		expectStatuses(t, srv, "bob", "401")
		read.write("users.yaml", good)
		time.Sleep(time.Hour)
		srv.Reload()
		expectStatuses(t, srv, "alice", "503 502 200")
		_, after := steer(t, srv, "GET", "health", "")
		expect(t, after, at()+"}")
	})
}
