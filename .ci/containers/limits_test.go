package containers

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// littleMemory is what the page says is enough for each limit at its maximum.
var littleMemory = []string{"--memory=128m", "--memory-swap=128m"}

// clients is how many there are at once.
const clients = 50

// A written campaign has texts of usual lengths.
const campaignLine = "{id: cmp_%d, name: Halloween Free Shipping, status: draft, " +
	"created_at: 2024-05-21T21:52:21Z, updated_at: 2025-09-30T17:30:09Z}"

// users returns fixtures of so many users like one.
func users(count int, user string) string {
	var b strings.Builder
	b.WriteString("users:\n")
	for i := range count {
		fmt.Fprintf(&b, "  %s: %s\n", userName(i), user)
	}
	return b.String()
}

// written returns a file with a user of so many campaigns.
func written(token string, count int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "users:\n  %s:\n    campaigns:\n", token)
	for i := range count {
		fmt.Fprintf(&b, "      - "+campaignLine+"\n", i)
	}
	return b.String()
}

// folderOf writes files of fixtures into a folder that a container can read.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	writeFiles(t, folder, files)
	return folder
}

func writeFiles(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// startLittle starts a container in little memory, with a folder of fixtures if there is one.
func startLittle(t *testing.T, folder string) *container {
	t.Helper()
	if folder == "" {
		return start(t, littleMemory)
	}
	options := append([]string{"--volume=" + folder + ":/fixtures:ro"}, littleMemory...)
	return start(t, options, "/fixtures")
}

// A request is one that clients send, and what its answer has to be.
type request struct {
	call     string // method and path; USER in it is the client's user
	token    string // of the request, USER unless it is given
	body     string
	statuses []int // those that the answer may have, 200 unless they are given
	least    int   // how many bytes the answer has at least
}

// list asks for the campaigns of the client's user.
const list = "GET /api/user/campaigns"

// send sends a request with a user. The status is 0 if there is no answer.
func (c *container) send(r request, user string) (status, size int) {
	method, path, _ := strings.Cut(strings.ReplaceAll(r.call, "USER", user), " ")
	sent, err := http.NewRequest(method, c.url+path, strings.NewReader(r.body))
	if err != nil {
		c.t.Error(err)
		return 0, 0
	}
	sent.Host = "localhost"
	sent.Header.Set("Authorization",
		"Bearer "+strings.ReplaceAll(cmp.Or(r.token, "USER"), "USER", user))
	answer, err := http.DefaultClient.Do(sent)
	if err != nil {
		c.t.Logf("%.100s: %v", r.call, err)
		return 0, 0
	}
	defer answer.Body.Close()
	count, err := io.Copy(io.Discard, answer.Body)
	if err != nil {
		c.t.Logf("%.100s: %v", r.call, err)
		return 0, 0
	}
	return answer.StatusCode, int(count)
}

// ask sends a request with a user, and reports an answer that is not as it has to be.
func (c *container) ask(r request, user string) {
	statuses := r.statuses
	if statuses == nil {
		statuses = []int{http.StatusOK}
	}
	status, size := c.send(r, user)
	if !slices.Contains(statuses, status) || size < r.least {
		c.t.Errorf("%.100s is answered %d with %d bytes, want one of %d with at least %d",
			r.call, status, size, statuses, r.least)
	}
}

// userName returns the token of a user.
func userName(i int) string {
	return fmt.Sprint("user-", i)
}

// fill sends a request for one user after the other, until there is no room.
func (c *container) fill(r request) {
	c.t.Helper()
	for i := range 100_000 {
		status, _ := c.send(r, userName(i))
		if status == http.StatusInsufficientStorage {
			c.t.Logf("there is no room after %d calls", i)
			return
		}
		if status == 0 || status >= 300 {
			c.t.Fatalf("call %d is answered %d", i, status)
		}
	}
	c.t.Fatal("there is always room")
}

// checkAlive reports a container that was killed, is not healthy, or does not answer soon.
func (c *container) checkAlive() {
	c.t.Helper()
	state := c.inspect("{{.RestartCount}} {{.State.OOMKilled}} {{.State.Running}}")
	if state != "0 false true" {
		c.t.Fatalf("restarts, out of memory, running: %s", state)
	}
	begin := time.Now()
	docker(c.t, "exec", c.name, "/campaignfake", "health")
	if took := time.Since(begin); took > 10*time.Second {
		c.t.Errorf("it says that it is healthy after %s", took)
	}
	c.ask(request{call: list, least: 1000}, "any-token")
}

// Each limit of the page at its maximum, with all clients at once, leaves the server alive and
// healthy in the memory that the page says.
func TestLimitsInLittleMemory(t *testing.T) {
	manyCampaigns := `{"campaigns":[{}` + strings.Repeat(",{}", 9999) + `]}`
	manyReplies := `[{"status":503}` + strings.Repeat(`,{"status":503}`, 999) + `]`
	largeReply := `{"body":"` + strings.Repeat("x", 1<<20-60) + `","times":"always"}`
	manyValues := `{"replies":[{"body":[1` + strings.Repeat(",1", 99_980) + `]}]}`
	manyValues += strings.Repeat(" ", 1<<20-len(manyValues))
	manyMistakes := "{\n" + strings.Repeat(`"unknown": [1, 2, 3],`+"\n", 40_000) + `"last": 1}`

	tests := map[string]struct {
		files   map[string]string // fixtures
		changed map[string]string // fixtures that are written while clients ask
		fill    request           // is sent for one user after the other until there is no room
		first   request           // is sent for one user after the other, a number of times
		times   int               // how often first is sent
		users   int               // how many users the clients share
		asked   []request         // is sent by each client, beginning with another one
	}{
		"generated campaigns": {
			files: map[string]string{"a.yaml": users(8, "{generate: {count: 10000}}")},
			users: 8,
			asked: []request{{call: list, least: 1_000_000}},
		},
		"generated campaigns with further fields": {
			files: map[string]string{
				"a.yaml": "service: {extra: {note: " + strings.Repeat("x", 1400) + "}}\n" +
					users(1, "{generate: {count: 10000}}"),
			},
			users: 1,
			asked: []request{{call: list, least: 10_000_000}},
		},
		"written campaigns, which are loaded again": {
			files: map[string]string{
				"a.yaml": written("user-0", 10_000),
				"b.yaml": written("user-1", 10_000),
			},
			changed: map[string]string{"b.yaml": written("user-1", 10_000) + "\n"},
			users:   2,
			asked: []request{
				{call: list, least: 1_000_000},
				{call: "GET /_fake/users?token=USER", least: 1_000_000},
				{call: "GET /_fake/users?format=yaml&token=USER", least: 1_000_000},
			},
		},
		"users that were put": {
			fill:  request{call: "PUT /_fake/users?token=USER", body: manyCampaigns},
			users: 4,
			asked: []request{
				{call: list, least: 1_000_000},
				{call: "GET /_fake/users?token=USER", least: 20_000},
				{call: "PUT /_fake/users?token=USER", body: manyCampaigns},
			},
		},
		"small users that were put": {
			fill:  request{call: "PUT /_fake/users?token=USER", body: `{"like":"demo"}`},
			users: 1,
			asked: []request{{call: "GET /_fake/users", least: 1_000_000}},
		},
		"replies that were put": {
			fill:  request{call: "POST /_fake/replies?token=USER", body: manyReplies},
			users: 3,
			asked: []request{
				{call: list, statuses: []int{503}},
				{call: "GET /_fake/replies?token=USER", least: 20_000},
				{call: "GET /_fake/unplayed", least: 100_000},
			},
		},
		"large replies that were put": {
			fill:  request{call: "POST /_fake/replies?token=USER", body: largeReply},
			users: 7,
			asked: []request{
				{call: list, least: 1_000_000},
				{call: "GET /_fake/replies?token=USER", least: 1_000_000},
			},
		},
		"settings": {
			files: map[string]string{
				"a.yaml": "service: {responses: {default: {body: " + strings.Repeat("x", 65_000) +
					"}}}\n" +
					users(1, "{}"),
			},
			users: 1,
			asked: []request{
				{call: "GET /_fake/service", least: 60_000},
				{call: "GET /api/elsewhere", statuses: []int{404}, least: 60_000},
			},
		},
		"bodies": {
			users: clients,
			asked: []request{
				{
					call:     "PUT /_fake/users?token=USER",
					body:     manyValues,
					statuses: []int{200, 201, 503, 507},
				},
				{
					call:     "PUT /_fake/users?token=USER",
					body:     manyMistakes,
					statuses: []int{400, 503},
				},
			},
		},
		"the journal": {
			first: request{call: list + "?long=" + strings.Repeat("x", 7500)},
			times: 1500,
			users: 1,
			asked: []request{{call: "GET /_fake/requests?limit=1000", least: 4_000_000}},
		},
		"unknown tokens": {
			first: request{call: list, token: "USER-" + strings.Repeat("x", 2000), least: 1000},
			times: 10_500,
			users: clients,
			asked: []request{
				{call: list, token: "USER-again-" + strings.Repeat("x", 2000), least: 1000},
			},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			folder := ""
			if tt.files != nil {
				folder = folderOf(t, tt.files)
			}
			c := startLittle(t, folder)
			if tt.fill.call != "" {
				c.fill(tt.fill)
			}
			for i := range tt.times {
				c.ask(tt.first, userName(i))
			}
			var all sync.WaitGroup
			for client := range clients {
				all.Go(func() {
					for i := range tt.asked {
						c.ask(tt.asked[(client+i)%len(tt.asked)], userName(client%tt.users))
					}
				})
			}
			writeFiles(t, folder, tt.changed)
			all.Wait()
			c.checkAlive()
		})
	}
}

// Clients that send nothing more hold up nobody, and take little memory.
func TestSlowClientsInLittleMemory(t *testing.T) {
	halfOfBody := fmt.Sprintf("PUT /_fake/users?token=slow HTTP/1.1\r\nHost: localhost\r\n"+
		"Content-Length: %d\r\n\r\n%s", 1<<20, strings.Repeat(" ", 1<<19))
	tests := map[string]struct {
		connections int
		sent        string // on every second connection
		statuses    []int  // of a change meanwhile
	}{
		"half of bodies": {
			connections: 4 * clients,
			sent:        halfOfBody, // which is refused, or cut off, where there is no room
			statuses:    []int{201, 503},
		},
		"connections": {
			connections: 4000,
			sent:        "GET /api/user/campaigns HTTP/1.1\r\nHost: local",
			statuses:    []int{201},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := startLittle(t, "")
			for i := range tt.connections {
				conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				if i%2 == 0 {
					io.WriteString(conn, tt.sent)
				}
			}
			begin := time.Now()
			c.ask(request{call: list, least: 1000}, "demo")
			c.ask(request{
				call:     "PUT /_fake/users?token=USER",
				body:     "{}",
				statuses: tt.statuses,
			}, "alice")
			if took := time.Since(begin); took > 3*time.Second {
				t.Errorf("beside slow connections, a list and a change take %s", took)
			}
			c.checkAlive()
		})
	}
}

// What is too large is refused in little memory, before it has become anything.
func TestTooMuchInLittleMemory(t *testing.T) {
	for name, text := range map[string]string{
		"empty mappings": "users: {alice: {campaigns: [" + strings.Repeat("{},", 5<<19) +
			"]}}\n",
		"empty elements":      "x-a:\n" + strings.Repeat("-\n", 1<<22-10),
		"keys":                "x-a: {" + strings.Repeat("a:,", 5<<19) + "}\n",
		"a million campaigns": "users: {alice: {generate: {count: 1000000}}}\n",
		"many users":          users(100, "{generate: {count: 10000, edge_cases: all}}"),
		"a text": "users: {alice: {description: " + strings.Repeat("x", 8<<20) +
			"}}\n",
		"much text":       users(100, "{description: "+strings.Repeat("x", 80_000)+"}") + "y: 1\n",
		"a long template": `service: {extra: {a: "{paragraph:1000,1000,1000}"}}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			folder := folderOf(t, map[string]string{"a.yaml": text})
			args := append([]string{"run", "--rm", "--volume=" + folder + ":/fixtures:ro"},
				littleMemory...)
			run := exec.Command("docker", append(args, image, "check", "/fixtures")...)
			var said bytes.Buffer
			run.Stdout = &said
			run.Stderr = &said
			run.Run()
			isTold := bytes.Contains(said.Bytes(), []byte("; "))
			if run.ProcessState.ExitCode() != 1 || !isTold {
				t.Errorf("check ends with %v:\n%.500s", run.ProcessState, said.Bytes())
			}
		})
	}
}
