package fake_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// limited returns a server with the memory of a small container.
func limited(t *testing.T) (srv *fake.Server, limits fake.Limits) {
	t.Helper()
	srv = fake.NewTestServer(t, fake.WithMemory(32<<20), fake.Lenient())
	return srv, srv.Limits()
}

// repeated returns a list of so many bytes.
func repeated(before, item, after string, bytes int) string {
	return before + strings.TrimSuffix(strings.Repeat(item+",", max((bytes-len(before)-len(after))/(len(item)+1), 1)), ",") + after
}

const oneCampaign = `{"id":"cmp_1","name":"Spring launch","created_at":"2026-01-05T09:30:00Z","updated_at":"2026-03-02T08:15:00Z","status":"active"}`

// Less memory means lower limits, and much means those that there are without a limit.
func TestLimitsFollowFromMemory(t *testing.T) {
	t.Parallel()
	last := fake.Limits{}
	for _, memory := range []int64{1 << 20, 16 << 20, 32 << 20, 64 << 20, 256 << 20, 1 << 30, 16 << 30} {
		l := fake.LimitsOf(memory)
		if l.Connections < max(last.Connections, 1) || l.Body < max(last.Body, 1) || l.Kept < l.Body || l.Values < last.Values || l.Fixtures <= last.Fixtures || l.Followers < 1 {
			t.Errorf("with %d bytes the limits are %+v, and with less %+v", memory, l, last)
		}
		last = l
	}
	if all := fake.LimitsOf(0); last.Connections != all.Connections || last.Body != all.Body || last.Kept != all.Kept || last.Header != all.Header || last.Journal != all.Journal {
		t.Errorf("with 16 GiB the limits are %+v", last)
	}
}

// What does not fit into the memory is refused, and the limit is named.
func TestBodiesBeyondTheMemory(t *testing.T) {
	t.Parallel()
	srv, limits := limited(t)
	const none = `{"campaigns":[{"omit":["id","name","created_at","updated_at","status"],"extra":{"x":[`
	for name, tt := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"as large as can be":   {repeated(`{"campaigns":[`, oneCampaign, `]}`, limits.Body), 201, `"token"`},
		"larger":               {repeated(`{"campaigns":[`, oneCampaign, `]}`, limits.Body+1000), 413, "The body is larger than 409 KiB, by its memory of 32 MiB."},
		"many numbers":         {repeated(none, `1`, `]}}]}`, limits.Body), 507, "its values take about"},
		"many empty objects":   {repeated(none, `{}`, `]}}]}`, limits.Body), 507, "its values take about"},
		"many replies":         {repeated(`{"replies":[`, `{}`, `]}`, 10_000), 507, "for 3328 replies at once"},
		"many to be generated": {`{"generate":{"count":100000}}`, 507, "of campaigns, by its memory of 32 MiB"},
		"some to be generated": {`{"generate":{"count":1000}}`, 201, `"token"`},
	} {
		status, said := steer(t, srv, "PUT", "users?token="+strings.ReplaceAll(name, " ", "-"), tt.body)
		if status != tt.status || !strings.Contains(said, tt.says) {
			t.Errorf("%s: %d %.300s, want %d with %q", name, status, said, tt.status, tt.says)
		}
		steer(t, srv, "POST", "reset", "")
	}
	for i := range 3 { // of which not all can be kept
		status, said := steer(t, srv, "PUT", fmt.Sprintf("users?token=user-%d", i), repeated(`{"campaigns":[`, oneCampaign, `]}`, limits.Body))
		if want := map[int]int{0: 201, 1: 507, 2: 507}[i]; status != want || status == 507 && !strings.Contains(said, "512 KiB of users and replies, by its memory of 32 MiB") {
			t.Errorf("user %d: %d %.300s", i, status, said)
		}
	}
}

// Bodies that arrive slowly share the memory that there is for them: one more is refused
// at once, and there is room again when they have gone.
func TestSlowBodiesShareTheMemory(t *testing.T) {
	t.Parallel()
	srv, limits := limited(t)
	var slow []*io.PipeWriter
	ended := make(chan bool)
	send := func(body io.Reader) (status int, said string) {
		request, _ := http.NewRequest("PUT", strings.TrimSuffix(srv.BaseURL(), "/api")+"/_fake/users?token=alice", body)
		response, err := srv.Client().Do(request)
		if err != nil {
			return 0, err.Error()
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		return response.StatusCode, string(text)
	}
	for taken := int64(0); taken <= limits.Reading; taken += int64(limits.Body / 2) {
		reader, writer := io.Pipe()
		slow = append(slow, writer)
		go func() {
			send(reader)
			reader.Close()
			ended <- true
		}()
		writer.Write([]byte(strings.Repeat(" ", limits.Body/2)))
	}
	body := repeated(`{"campaigns":[`, oneCampaign, `]}`, limits.Body)
	if status, said := send(strings.NewReader(body)); status != 503 || !strings.Contains(said, "there is room for no more, by its memory of 32 MiB") {
		t.Errorf("with %d slow bodies, another is answered %d %.300s", len(slow), status, said)
	}
	for _, writer := range slow {
		writer.Close()
		<-ended
	}
	if status, said := send(strings.NewReader(body)); status != 201 {
		t.Errorf("after them, it is answered %d %.300s", status, said)
	}
}

// Users whose campaigns do not fit into the memory are a mistake at the start.
func TestCampaignsBeyondTheMemory(t *testing.T) {
	t.Parallel()
	huge := fake.User{Generate: &fake.Generate{Count: 10_000}}
	_, err := fake.New(fake.WithMemory(32<<20), fake.WithUser("first", huge), fake.WithUser("second", huge))
	if err == nil || !strings.Contains(err.Error(), "users.second: there is no room for more than 3.3 MiB of campaigns of all users, by its memory of 32 MiB; generate fewer") {
		t.Errorf("the error is %v", err)
	}
	if _, err := fake.New(fake.WithMemory(32<<20), fake.WithFixtures(fake.Gallery())); err != nil {
		t.Errorf("the gallery does not fit into 32 MiB: %v", err)
	}
}

// Users who share a list take little memory, but a file has the list for each of them.
func TestFileOfUsersBeyondTheMemory(t *testing.T) {
	t.Parallel()
	list := "users:\n  first: {campaigns: &list " + repeated("[", oneCampaign, "]", 100<<10) + "}\n"
	for i := range 50 {
		list += fmt.Sprintf("  user-%d: {campaigns: *list}\n", i)
	}
	srv := fake.NewTestServer(t, fake.WithMemory(32<<20), fake.WithFixtures(fstest.MapFS{"users.yaml": {Data: []byte(list)}}))
	if status, said := steer(t, srv, "GET", "users?format=yaml", ""); status != 507 || !strings.Contains(said, "more than 2 MiB, by its memory of 32 MiB; ask for one user") {
		t.Errorf("all users are answered %d %.300s", status, said)
	}
	if response, said := ask(t, srv, "GET", "/_fake/users?format=yaml&token=user-7", nil); response.StatusCode != 200 {
		t.Errorf("one user is answered %d %.300s", response.StatusCode, said)
	}
}

// A list of requests has a body for each of them, however often the journal has it.
func TestListsOfBodiesBeyondTheMemory(t *testing.T) {
	t.Parallel()
	srv, limits := limited(t)
	if status, said := steer(t, srv, "PUT", "users?token=demo", repeated(`{"campaigns":[`, oneCampaign, `]}`, limits.Body)); status != 201 {
		t.Fatalf("the user is answered %d %.300s", status, said)
	}
	for range 10 {
		ask(t, srv, "GET", "/api/user/campaigns", http.Header{"Authorization": {"Bearer demo"}})
	}
	if _, said := steer(t, srv, "GET", "requests?bodies=true", ""); len(said) > 3*limits.Journal || !strings.Contains(said, `"more":true`) {
		t.Errorf("the list has %d bytes", len(said))
	}
}

// Health shows the limits.
func TestHealthShowsLimits(t *testing.T) {
	t.Parallel()
	srv, limits := limited(t)
	var health struct{ Limits fake.Limits }
	if _, said := steer(t, srv, "GET", "health", ""); json.Unmarshal([]byte(said), &health) != nil || health.Limits != limits {
		t.Errorf("health says %s", said)
	}
}

// The memory that values take is said before they are read.
func TestMemoryOf(t *testing.T) {
	t.Parallel()
	for body, least := range map[string]int64{
		`[` + strings.Repeat(`1,`, 1000) + `1]`:                 30_000,
		`[` + strings.Repeat(`{"a":{}},`, 1000) + `1]`:          600_000,
		`"` + strings.Repeat(`a`, 1000):                         1000,
		`{"a` + "\x00" + `{[}],:` + strings.Repeat(`[`, 10_000): 10_000,
		"": 0,
	} {
		if got := fixtures.MemoryOf([]byte(body)); got < least || got > 1000*int64(len(body)) {
			t.Errorf("%.20s of %d bytes takes %d", body, len(body), got)
		}
	}
	var mistakes *fixtures.Mistakes
	if _, err := fixtures.LoadWithin(10, "../fixtures/gallery/demo.yaml"); !errors.As(err, &mistakes) || !strings.Contains(err.Error(), "is too large for the memory") {
		t.Errorf("a file beyond the limit: %v", err)
	}
}
