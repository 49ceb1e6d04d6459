package fake_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A folder is a file system whose files can be written, by whoever has it read.
type folder struct{ fstest.MapFS }

// files returns a folder with one file.
func files(text string) folder {
	f := folder{make(fstest.MapFS)}
	f.write("users.yaml", text)
	return f
}

func (f folder) write(name, text string) { f.MapFS[name] = &fstest.MapFile{Data: []byte(text)} }

// tokens returns the tokens of the users, as the control plane lists them.
func tokens(t *testing.T, srv *fake.Server) string {
	t.Helper()
	var all []string
	for _, u := range ofList[struct{ Token string }](t, srv, "users", "users") {
		all = append(all, u.Token)
	}
	return strings.Join(all, " ")
}

// After a reload the users of the files start from the beginning; replies that were enqueued wait.
func TestReload(t *testing.T) {
	t.Parallel()
	read := files(`
users:
  same: {replies: [{status: 503}, {status: 500, times: 2}, {status: 418}]}
  limit: {rate_limit: {requests: 2, per: 24h}}
  changed: {replies: [{status: 503}, {status: 502}]}
  queue: {}
  gone: {}
`)
	srv := fake.NewTestServer(t, fake.WithFixtures(read))
	check := expecting(t, srv)
	check("same", "503 500")
	check("limit", "200 200 429")
	check("changed", "503")
	check("gone", "200")
	check("fresh", "401")
	srv.Enqueue("queue", fixtures.Reply{Status: 502, Times: 2})
	check("queue", "502")
	read.write("users.yaml", `
users:
  changed: {replies: [{status: 504}, {status: 505}]}
  queue: {replies: [{status: 501}]}
  limit: {rate_limit: {requests: 2, per: 24h}}
  same: {replies: [{status: 503}, {status: 500, times: 2}, {status: 418}]}
`)
	read.write("more.yml",
		"users: {fresh: {campaigns: [{id: fresh, omit: [name, status, created_at, updated_at]}]}}")
	check("changed", "502") // nobody has reloaded yet
	srv.Reload()
	for token, want := range map[string]int{
		"same":    2,
		"limit":   3,
		"changed": 2,
		"gone":    1,
		"fresh":   1,
		"queue":   1,
	} {
		srv.CheckRequests(t, token, want)
	}
	if got := len(srv.Requests()); got != 10 {
		t.Errorf("after the reload, the journal has %d requests, want 10", got)
	}
	check("queue", "502 501 200")
	status, body := list(t, srv, "fresh")
	if status != 200 || !strings.Contains(body, `"id":"fresh"`) {
		t.Errorf("the new user is answered %d %s", status, body)
	}
	for _, change := range []func(){func() {}, srv.ResetAll} {
		change()
		check("same", "503 500 500 418 200")
		check("limit", "200 200 429")
		check("changed", "504 505 200")
		check("gone", "401")
		check("fresh", "200")
	}
}

// What was put or removed while the server ran holds against the files, until a
// reset: then what was read last holds.
func TestReloadYieldsToWhatWasPut(t *testing.T) {
	t.Parallel()
	// users are those of some tokens, with one campaign.
	users := func(id string, tokens ...string) string {
		text := "users:\n"
		for _, token := range tokens {
			text += "  " + token + ": {campaigns: [{id: " + id +
				", omit: [name, status, created_at, updated_at]}]}\n"
		}
		return text
	}
	read := files(users("file", "over", "removed", "dropped", "one"))
	srv := fake.NewTestServer(t, fake.WithFixtures(read))
	check := func(when string, want map[string]string) {
		t.Helper()
		for token, id := range want {
			status, body := list(t, srv, token)
			if id == "" && status != 401 || id != "" && !strings.Contains(body, `"id":"`+id+`"`) {
				t.Errorf("%s, %s is answered %d %s, want %q", when, token, status, body, id)
			}
		}
	}
	for _, token := range []string{"over", "dropped", "early", "late", "one"} {
		srv.SetUser(token, fixtures.User{Campaigns: []fixtures.Campaign{onlyID("put")}})
	}
	srv.RemoveUser("removed")
	read.write("users.yaml", users("again", "over", "removed", "early", "one"))
	want := map[string]string{
		"over": "put", "removed": "", "dropped": "put", "early": "put", "late": "put", "one": "put",
	}
	for range 2 {
		srv.Reload()
		check("after a reload", want)
	}
	srv.Reset("one")
	want["one"] = "again"
	check("after a reset of one", want)
	srv.ResetAll()
	check("after a reset", map[string]string{
		"over":    "again",
		"removed": "again",
		"dropped": "",
		"early":   "again",
		"late":    "",
		"one":     "again",
	})
}

// Users are listed as they were given: those of a reload after those that stay.
func TestOrderAfterReload(t *testing.T) {
	t.Parallel()
	read := files("users: {f: {}, c: {}, e: {}, a: {}}")
	srv := fake.NewTestServer(t, fake.WithFixtures(read), fake.WithUser("go", fixtures.User{}))
	for _, token := range []string{"put-2", "put-1", "c", "f"} { // the last two are over the files'
		steer(t, srv, "PUT", "users?token="+token, "{}")
	}
	if got, want := tokens(t, srv), "f c e a go put-2 put-1"; got != want {
		t.Errorf("the users are %s, want %s", got, want)
	}
	read.write("users.yaml", "users: {b: {}, a: {}, put-1: {}, e: {}, d: {}}")
	srv.Reload()
	if got, want := tokens(t, srv), "f c e a go put-2 put-1 b d"; got != want {
		t.Errorf("after a reload, the users are %s, want %s", got, want)
	}
	srv.ResetAll()
	if got, want := tokens(t, srv), "b a put-1 e d go"; got != want {
		t.Errorf("after a reset, the users are %s, want %s", got, want)
	}
}

// newCampaigns matches the answer of the settings that are read again.
var newCampaigns = regexp.MustCompile(
	`^{"campaigns":\[{"id":"1",.*"created_at":"\d\d\.\d\d\.\d{4}",`)

// Every setting of the service changes with a reload, for who was there before as
// well.
func TestReloadOfTheService(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		read := files("users: {alice: {generate: {count: 1}}}")
		srv := fake.NewTestServer(t,
			fake.WithInMemory(),
			fake.WithLenient(),
			fake.WithFixtures(read),
		)
		origin := func(token string) map[string][]string {
			header := bearer(token)
			header.Set("Origin", "http://x.test")
			return header
		}
		if status, _ := list(t, srv, "nobody"); status != 401 {
			t.Errorf("an unknown token is answered %d", status)
		}
		if begin, _ := took(t, srv, "alice"); begin != 0 {
			t.Errorf("the first answer takes %s", begin)
		}
		read.write("users.yaml", `
service:
  base_path: /v2
  cors: [http://other.test]
  unknown_tokens: generate
  timestamps: "02.01.2006"
  ids: sequence
  delay: 1h
  success: {status: 203, headers: {X-Version: "2"}}
  responses: {missing_token: {status: 403}, not_found: {status: 410, body: gone}}
users: {alice: {generate: {count: 1}}}
`)
		srv.Reload()
		got := srv.Service().BasePath + " " + srv.BaseURL()
		if got != "/v2 http://campaignfake.test/v2" {
			t.Errorf("the base path and URL are %s", got)
		}
		for _, token := range []string{"alice", "nobody"} {
			if begin, _ := took(t, srv, token); begin != time.Hour {
				t.Errorf("the answer to %s takes %s, want an hour", token, begin)
			}
			response, body := ask(t, srv, "GET", "/v2/user/campaigns", origin(token))
			isSucceeding := response.StatusCode == 203 && response.Header.Get("X-Version") == "2"
			isShared := response.Header.Get("Access-Control-Allow-Origin") != ""
			if !isSucceeding || isShared || !newCampaigns.MatchString(body) {
				t.Errorf("%s is answered %d %v %.200s",
					token, response.StatusCode, response.Header, body)
			}
		}
		for path, want := range map[string]int{"/v2/user/campaigns": 403, listPath: 410} {
			if response, _ := ask(t, srv, "GET", path, nil); response.StatusCode != want {
				t.Errorf("%s without a token is answered %d, want %d",
					path, response.StatusCode, want)
			}
		}

		read.write("users.yaml", "users: {alice: {replies: [{status: 500, times: always}]}}")
		srv.Reload()
		response, _ := ask(t, srv, "GET", listPath, origin("alice"))
		if response.StatusCode != 500 || response.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("after another reload, alice is answered %d %v",
				response.StatusCode, response.Header)
		}
		if status, _ := list(t, srv, "nobody"); status != 401 {
			t.Errorf("after another reload, an unknown token is answered %d", status)
		}
	})
}

// A healthy is what a server tells of its health.
type healthy struct {
	Ready  bool
	Reload *struct {
		At       time.Time
		Error    string
		Mistakes []fixtures.Mistake
	}
}

// health asks a server for its health.
func health(t *testing.T, srv *fake.Server) (h healthy) {
	t.Helper()
	status, answer := steer(t, srv, "GET", "health", "")
	if err := json.Unmarshal([]byte(answer), &h); err != nil || status != 200 || !h.Ready {
		t.Fatalf("health is answered %d %s", status, answer)
	}
	return h
}

// A mistake leaves everything as it was, and is told with its place, by health as well, until
// there is none.
func TestReloadWithMistakes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const good = "service: {base_path: /v1}\nusers:\n" +
			"  alice: {replies: [{status: 503}, {status: 502}]}\n"
		read := files(good)
		var tb recorder // which mistakes fail
		defer tb.finish()
		srv := fake.NewTestServer(&tb, fake.WithInMemory(), fake.WithFixtures(read))
		expectStatuses(t, srv, "alice", "503")
		if h := health(t, srv); h.Reload != nil {
			t.Errorf("at the start, health is %+v", h)
		}
		read.write("users.yaml", `service: {base_path: /v2}
users:
  bob: {}
  alice:
    replies: [{status: 99}]
    dealy: 2s
`)
		err := srv.Reload()
		var mistakes *fixtures.Mistakes
		if !errors.As(err, &mistakes) || tb.text() != "campaignfake: Reload: "+err.Error() {
			t.Fatalf("the reload returns %v, and the test is told %s", err, tb.text())
		}
		failed := time.Now()
		for _, statuses := range []string{"502 200", "503 502 200"} { // at once, and after a reset
			reload := health(t, srv).Reload
			if reload == nil || reload.Error != err.Error() || !reload.At.Equal(failed) {
				t.Fatalf("health is %+v, want the mistakes %v", reload, err)
			}
			if !slices.Equal(reload.Mistakes, mistakes.List) {
				t.Errorf("the mistakes are %+v, want %+v", reload.Mistakes, mistakes.List)
			}
			expectStatuses(t, srv, "alice", statuses)
			expectStatuses(t, srv, "bob", "401")
			srv.ResetAll()
			time.Sleep(time.Hour)
		}
		for i, want := range []string{
			"users.yaml:5:24: users.alice.replies[0].status",
			"users.yaml:6:5: users.alice.dealy",
		} {
			m := mistakes.List[i]
			got := fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, m.Column, m.Path)
			isExplained := m.Source != "" && m.Problem != "" && m.Instead != ""
			if got != want || !isExplained {
				t.Errorf("mistake %d is %+v, want one at %s", i, m, want)
			}
		}
		read.write("users.yaml", strings.Replace(good, "502", "501", 1))
		srv.Reload()
		expectStatuses(t, srv, "alice", "503 501 200")
		reload := health(t, srv).Reload
		if reload == nil || reload.Error != "" || reload.Mistakes != nil ||
			!reload.At.Equal(time.Now()) {
			t.Errorf("after a good reload, health is %+v", reload)
		}
	})
}

// What goes wrong beside the files is an error as well, and changes nothing.
func TestReloadByAFunction(t *testing.T) {
	t.Parallel()
	closed := errors.New("the store is closed")
	users := func(tokens ...string) *fixtures.Set {
		set := &fixtures.Set{Users: make(map[string]fixtures.User)}
		for _, token := range tokens {
			set.Users[token] = fixtures.User{}
		}
		return set
	}
	set, fails := users("a", "b"), error(nil)
	srv := newHandler(t, fake.WithLoader(func() (*fixtures.Set, error) { return set, fails }))
	for i, step := range []struct {
		set     *fixtures.Set
		fails   error
		want    string // in the error
		answers string // to a and c
	}{
		{nil, closed, "the store is closed", "200 401"},
		{users("c"), closed, "the store is closed", "200 401"},
		{users("c", "zoë"), nil, `users["zoë"]: `, "200 401"},
		{users("c"), nil, "<nil>", "401 200"},
	} {
		set, fails = step.set, step.fails
		err := srv.Reload()
		if !strings.Contains(fmt.Sprint(err), step.want) ||
			step.fails != nil && !errors.Is(err, step.fails) {
			t.Errorf("reload %d returns %v, want %s", i, err, step.want)
		}
		got := fmt.Sprint(record(srv, "a").Code, " ", record(srv, "c").Code)
		if got != step.answers {
			t.Errorf("after reload %d, the answers are %s, want %s", i, got, step.answers)
		}
	}
}

// A user that was put keeps its replies, and the settings that were in force then.
func TestReloadKeepsTheSettingsOfWhatWasPut(t *testing.T) {
	t.Parallel()
	read := files(`service: {timestamps: "2006-01-02"}`)
	srv := fake.NewTestServer(t, fake.WithFixtures(read))
	// One field is drawn.
	campaigns := []fixtures.Campaign{
		{ID: "17", Name: "Spring", CreatedAt: "2026-01-01", Status: "active"},
	}
	srv.SetUser("alice",
		fixtures.User{Campaigns: campaigns, Replies: []fixtures.Reply{{Campaigns: campaigns}}})
	read.write("users.yaml", `service: {timestamps: "02.01.2006"}`)
	srv.Reload()
	for range 2 {
		const want = `{"campaigns":[{"id":"17","name":"Spring","created_at":"2026-01-01",` +
			`"updated_at":"2026-`
		if _, got := list(t, srv, "alice"); !strings.HasPrefix(got, want) {
			t.Errorf("the answer is %s, want %s", got, want)
		}
	}
}
