package fake_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// limited returns a server whose process may use so many MiB of memory.
func limited(t *testing.T, memory int64, options ...fake.Option) (*fake.Server, plan.Limits) {
	t.Helper()
	srv := fake.NewTestServer(t, append(options, fake.WithLenient(), withMemory(memory))...)
	var health struct{ Limits plan.Limits }
	if _, said := steer(t, srv, "GET", "health", ""); json.Unmarshal([]byte(said), &health) != nil || health.Limits.Memory != memory<<20 {
		t.Fatalf("health says %s", said)
	}
	return srv, health.Limits
}

// withMemory sets the limits that a process with so many MiB of memory has.
func withMemory(memory int64) fake.Option {
	return func(c *plan.Config) { c.Limits = plan.LimitsOf(memory << 20) }
}

// repeated returns a list of so many bytes.
func repeated(before, item, after string, bytes int) string {
	return before + strings.TrimSuffix(strings.Repeat(item+",", max((bytes-len(before)-len(after))/(len(item)+1), 1)), ",") + after
}

const oneCampaign = `{"id":"cmp_1","name":"Spring launch","created_at":"2026-01-05T09:30:00Z","updated_at":"2026-03-02T08:15:00Z","status":"active"}`

// Less memory means lower limits, and much means those that there are without a limit.
func TestLimitsFollowFromMemory(t *testing.T) {
	t.Parallel()
	last := plan.Limits{}
	for _, memory := range []int64{1, 16, 32, 64, 256, 1 << 10, 16 << 10} {
		_, l := limited(t, memory)
		if l.Connections < max(last.Connections, 1) || l.Body < max(last.Body, 1) || l.Budget < max(last.Budget, 1) || l.Followers < 1 {
			t.Errorf("with %d MiB the limits are %+v, and with less %+v", memory, l, last)
		}
		last = l
	}
	all := plan.LimitsOf(0)
	if all.Memory, all.Fixtures = last.Memory, last.Fixtures; last != all {
		t.Errorf("with 16 GiB the limits are %+v, and without a limit %+v", last, all)
	}
}

// What does not fit into the memory is refused, and the limit is named.
func TestBodiesBeyondTheMemory(t *testing.T) {
	t.Parallel()
	const none = `{"campaigns":[{"omit":["id","name","created_at","updated_at","status"],"extra":{"x":[`
	_, limits := limited(t, 32)
	for name, tt := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"as large as can be":   {repeated(`{"campaigns":[`, oneCampaign, `]}`, limits.Body), 201, `"token"`},
		"larger":               {repeated(`{"campaigns":[`, oneCampaign, `]}`, limits.Body+1000), 413, "The body is larger than 640 KiB, by its memory of 32 MiB."},
		"many numbers":         {repeated(none, `1`, `]}}]}`, limits.Body), 413, "The values in the body take about"},
		"many empty objects":   {repeated(none, `{}`, `]}}]}`, limits.Body), 413, "The values in the body take about"},
		"many replies":         {repeated(`{"replies":[`, `{}`, `]}`, 10_000), 507, "there is no room for more users and replies"},
		"many to be generated": {`{"generate":{"count":100000}}`, 507, "of campaigns, by its memory of 32 MiB"},
		"some to be generated": {`{"generate":{"count":1000}}`, 201, `"token"`},
		"some and edge cases":  {`{"generate":{"count":1000,"edge_cases":"all"}}`, 201, `"token"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv, _ := limited(t, 32)
			status, said := steer(t, srv, "PUT", "users?token=demo", tt.body)
			if status != tt.status || !strings.Contains(strings.ToLower(said), strings.ToLower(tt.says)) {
				t.Errorf("%d %.300s, want %d with %q", status, said, tt.status, tt.says)
			}
		})
	}
}

// Users that come over HTTP have half of the budget, and room that is given back can be
// used again.
func TestUsersBeyondTheBudget(t *testing.T) {
	t.Parallel()
	srv, limits := limited(t, 32)
	body := repeated(`{"campaigns":[`, oneCampaign, `]}`, limits.Body*2/3)
	put := func(token string) (int, string) { return steer(t, srv, "PUT", "users?token="+token, body) }
	var last string
	for i := 0; ; i++ {
		last = fmt.Sprint("user-", i)
		if status, said := put(last); status == 507 && strings.Contains(said, "which may take 2.5 MiB of memory, by its memory of 32 MiB") && i > 0 {
			break
		} else if status != 201 || i == 10 {
			t.Fatalf("user %d: %d %.300s", i, status, said)
		}
	}
	steer(t, srv, "DELETE", "users?token=user-0", "")
	if status, said := put(last); status != 201 {
		t.Errorf("in place of a user that was removed: %d %.300s", status, said)
	}
	if status, said := put(last); status != 200 {
		t.Errorf("in place of the same user: %d %.300s", status, said)
	}
}

// Bodies that arrive slowly share the memory that there is for them: one more is refused
// at once, and there is room again when they have gone.
func TestSlowBodiesShareTheMemory(t *testing.T) {
	t.Parallel()
	srv, limits := limited(t, 32)
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
	for taken := int64(0); taken <= limits.Budget*3/4; taken += int64(limits.Body / 2) {
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
	if status, said := send(strings.NewReader(body)); status != 503 || !strings.Contains(said, "take the 5 MiB of memory that there are for them, by its memory of 32 MiB") {
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
	huge := fake.User{Generate: &fake.Generate{Count: 20_000}}
	_, err := fake.New(withMemory(32), fake.WithUser("first", huge), fake.WithUser("second", huge))
	if err == nil || !strings.Contains(err.Error(), "users.second: there is no room for more than 5 MiB of campaigns of all users, by its memory of 32 MiB; generate fewer") {
		t.Errorf("the error is %v", err)
	}
	if _, err := fake.New(withMemory(32), fake.WithFixtures(fake.Gallery())); err != nil {
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
	srv, _ := limited(t, 32, fake.WithFixtures(fstest.MapFS{"users.yaml": {Data: []byte(list)}}))
	if status, said := steer(t, srv, "GET", "users?format=yaml", ""); status != 507 || !strings.Contains(said, "more than 2.5 MiB, by its memory of 32 MiB; ask for one user") {
		t.Errorf("all users are answered %d %.300s", status, said)
	}
	if response, said := ask(t, srv, "GET", "/_fake/users?format=yaml&token=user-7", nil); response.StatusCode != 200 {
		t.Errorf("one user is answered %d %.300s", response.StatusCode, said)
	}
}

// The memory that values take is said before they are read.
func TestMemoryOf(t *testing.T) {
	t.Parallel()
	for body, least := range map[string]int64{
		`[` + strings.Repeat(`1,`, 1000) + `1]`:                 30_000,
		`[` + strings.Repeat(`{"a":{}},`, 1000) + `1]`:          400_000,
		`"` + strings.Repeat(`a`, 1000):                         1000,
		`{"a` + "\x00" + `{[}],:` + strings.Repeat(`[`, 10_000): 10_000,
		"": 0,
	} {
		if got := fixtures.MemoryOf([]byte(body)); got < least || got > 1000*int64(len(body)) {
			t.Errorf("%.20s of %d bytes takes %d", body, len(body), got)
		}
	}
}
