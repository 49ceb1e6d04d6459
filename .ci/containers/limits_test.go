package containers

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/campaignfake/ci/process"
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
		fmt.Fprintf(&b, "  user-%d: %s\n", i, user)
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
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// startLittle starts a container in little memory, with files of fixtures.
func startLittle(t *testing.T, files map[string]string) (c *container, folder string) {
	t.Helper()
	if files == nil {
		return start(t, littleMemory), ""
	}
	folder = folderOf(t, files)
	options := append([]string{"--volume=" + folder + ":/fixtures:ro"}, littleMemory...)
	return start(t, options, "/fixtures"), folder
}

// call sends a request to the control plane, and returns the status, and how many bytes the answer
// has. The status is 0 if there is no answer.
func (c *container) call(method, path, body string) (status, size int) {
	request, err := http.NewRequest(method, c.url+"/_fake/"+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	request.Host = "localhost"
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Logf("%s %s: %v", method, path, err)
		return 0, 0
	}
	defer answer.Body.Close()
	count, err := io.Copy(io.Discard, answer.Body)
	if err != nil {
		c.t.Logf("%s %s: %v", method, path, err)
		return 0, 0
	}
	return answer.StatusCode, int(count)
}

// fill sends calls, one after the other, until there is no room.
func (c *container) fill(call func(i int) (status int)) {
	c.t.Helper()
	for i := range 100_000 {
		status := call(i)
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

// atOnce has all clients do the same at once, and each of them three times.
func atOnce(do func(client int)) {
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			for range 3 {
				do(client)
			}
		})
	}
	all.Wait()
}

// expect reports an answer that has another status, or is shorter.
func (c *container) expect(what string, status, size, want, least int) {
	if status != want || size < least {
		c.t.Errorf("%s is answered %d with %d bytes, want %d with at least %d",
			what, status, size, want, least)
	}
}

// list asks for the campaigns of a token.
func (c *container) list(token string, least int) {
	status, body, err := process.Ask(c.url+"/api", token)
	if err != nil {
		c.t.Errorf("%s: %v", token, err)
		return
	}
	c.expect("the list of "+token, status, len(body), 200, least)
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
	c.list("any-token", 1000)
}

// Each limit of the page at its maximum, with all clients at once, leaves the server alive and
// healthy in the memory that the page says.
func TestLimitsInLittleMemory(t *testing.T) {
	t.Run("generated campaigns", func(t *testing.T) {
		c, _ := startLittle(t, map[string]string{"a.yaml": users(8, "{generate: {count: 10000}}")})
		atOnce(func(client int) { c.list(fmt.Sprint("user-", client%8), 1_000_000) })
		c.checkAlive()
	})
	t.Run("generated campaigns with further fields", func(t *testing.T) {
		note := strings.Repeat("x", 1400)
		c, _ := startLittle(t, map[string]string{
			"a.yaml": "service: {extra: {note: " + note + "}}\n" + users(1, "{generate: {count: 10000}}"),
		})
		atOnce(func(int) { c.list("user-0", 10_000_000) })
		c.checkAlive()
	})
	t.Run("written campaigns, which are loaded again", func(t *testing.T) {
		files := make(map[string]string)
		for i := range 2 {
			token := fmt.Sprint("user-", i)
			files[token+".yaml"] = written(token, 10_000)
		}
		c, folder := startLittle(t, files)
		atOnce(func(client int) {
			token := fmt.Sprint("user-", client%2)
			c.list(token, 1_000_000)
			status, size := c.call("GET", "users?token="+token, "")
			c.expect("the user", status, size, 200, 1_000_000)
			status, size = c.call("GET", "users?format=yaml&token="+token, "")
			c.expect("the file of the user", status, size, 200, 1_000_000)
			if client == 0 {
				path := filepath.Join(folder, "user-1.yaml")
				if err := os.WriteFile(path, []byte(written("user-1", 10_000)+"\n"), 0o644); err != nil {
					t.Error(err)
				}
			}
		})
		c.checkAlive()
	})
	t.Run("users that were put", func(t *testing.T) {
		c, _ := startLittle(t, nil)
		campaigns := `{"campaigns":[{}` + strings.Repeat(",{}", 9999) + `]}`
		c.fill(func(i int) int {
			status, _ := c.call("PUT", fmt.Sprint("users?token=user-", i), campaigns)
			return status
		})
		atOnce(func(client int) {
			token := fmt.Sprint("user-", client%4)
			c.list(token, 1_000_000)
			status, size := c.call("GET", "users?token="+token, "")
			c.expect("the user", status, size, 200, 20_000)
			status, _ = c.call("PUT", "users?token="+token, campaigns)
			c.expect("a change", status, 0, 200, 0)
		})
		c.checkAlive()
	})
	t.Run("small users that were put", func(t *testing.T) {
		c, _ := startLittle(t, nil)
		c.fill(func(i int) int {
			status, _ := c.call("PUT", fmt.Sprint("users?token=user-", i), `{"like":"demo"}`)
			return status
		})
		atOnce(func(int) {
			status, size := c.call("GET", "users", "")
			c.expect("the list of users", status, size, 200, 1_000_000)
		})
		c.checkAlive()
	})
	t.Run("replies that were put", func(t *testing.T) {
		c, _ := startLittle(t, nil)
		replies := `[{"status":503}` + strings.Repeat(`,{"status":503}`, 999) + `]`
		c.fill(func(i int) int {
			status, _ := c.call("POST", fmt.Sprint("replies?token=user-", i), replies)
			return status
		})
		atOnce(func(client int) {
			token := fmt.Sprint("user-", client%3)
			process.Ask(c.url+"/api", token)
			status, size := c.call("GET", "replies?token="+token, "")
			c.expect("the replies", status, size, 200, 20_000)
			status, size = c.call("GET", "unplayed", "")
			c.expect("what was not played", status, size, 200, 100_000)
		})
		c.checkAlive()
	})
	t.Run("large replies that were put", func(t *testing.T) {
		c, _ := startLittle(t, nil)
		reply := `{"body":"` + strings.Repeat("x", 1<<20-60) + `","times":"always"}`
		c.fill(func(i int) int {
			status, _ := c.call("POST", fmt.Sprint("replies?token=user-", i), reply)
			return status
		})
		atOnce(func(client int) {
			token := fmt.Sprint("user-", client%7)
			c.list(token, 1_000_000)
			status, size := c.call("GET", "replies?token="+token, "")
			c.expect("the replies", status, size, 200, 1_000_000)
		})
		c.checkAlive()
	})
	t.Run("settings", func(t *testing.T) {
		body := strings.Repeat("x", 65_000)
		c, _ := startLittle(t, map[string]string{
			"a.yaml": "service: {responses: {default: {body: " + body + "}}}\n" + users(1, "{}"),
		})
		atOnce(func(int) {
			status, size := c.call("GET", "service", "")
			c.expect("the settings", status, size, 200, 60_000)
			answer, err := http.Get(c.url + "/api/elsewhere")
			if err != nil {
				t.Error(err)
				return
			}
			answer.Body.Close()
		})
		c.checkAlive()
	})
	t.Run("bodies", func(t *testing.T) {
		c, _ := startLittle(t, nil)
		values := `{"replies":[{"body":[1` + strings.Repeat(",1", 99_980) + `]}]}`
		whole := values + strings.Repeat(" ", 1<<20-len(values))
		wrong := "{\n" + strings.Repeat(`"unknown": [1, 2, 3],`+"\n", 40_000) + `"last": 1}`
		atOnce(func(client int) {
			body := whole
			if client%2 == 0 {
				body = wrong
			}
			status, _ := c.call("PUT", fmt.Sprint("users?token=user-", client), body)
			isRight := status == 503 || status == 507 || (status == 400) == (client%2 == 0)
			if status == 0 || !isRight {
				t.Errorf("a body is answered %d", status)
			}
		})
		c.checkAlive()
	})
	t.Run("half of bodies", func(t *testing.T) {
		c, _ := startLittle(t, nil)
		half := strings.Repeat(" ", 1<<19)
		for range 2 * clients {
			conn := c.dial()
			defer conn.Close()
			// Those that find no room are refused, and may be closed before all is sent.
			fmt.Fprintf(conn, "PUT /_fake/users?token=slow HTTP/1.1\r\nHost: localhost\r\n"+
				"Content-Length: %d\r\n\r\n%s", 1<<20, half)
		}
		begin := time.Now()
		status, _ := c.call("PUT", "users?token=alice", "{}")
		if took := time.Since(begin); took > 3*time.Second || status != 201 && status != 503 {
			t.Errorf("beside halves of bodies, a whole one is answered %d after %s", status, took)
		}
		c.checkAlive()
	})
	t.Run("the journal", func(t *testing.T) {
		c, _ := startLittle(t, nil)
		long := strings.Repeat("x", 7500)
		atOnce(func(client int) {
			for i := range 10 {
				request, err := http.NewRequest("GET", c.url+"/api/user/campaigns", nil)
				if err != nil {
					t.Error(err)
					return
				}
				request.Header.Set("Authorization", fmt.Sprintf("Bearer user-%d-%d", client, i))
				request.Header.Set("X-Long", long)
				answer, err := http.DefaultClient.Do(request)
				if err != nil {
					t.Error(err)
					return
				}
				answer.Body.Close()
			}
		})
		atOnce(func(int) {
			status, size := c.call("GET", "requests?limit=1000", "")
			c.expect("the journal", status, size, 200, 4_000_000)
		})
		c.checkAlive()
	})
	t.Run("unknown tokens", func(t *testing.T) {
		c, _ := startLittle(t, nil)
		long := strings.Repeat("x", 2000)
		atOnce(func(client int) {
			for i := range 70 {
				c.list(fmt.Sprintf("%s-%d-%d-%d", long, client, i, time.Now().UnixNano()), 1000)
			}
		})
		c.checkAlive()
	})
	t.Run("connections", func(t *testing.T) {
		c, _ := startLittle(t, nil)
		for i := range 4000 {
			conn := c.dial()
			defer conn.Close()
			if i%2 == 0 {
				io.WriteString(conn, "GET /api/user/campaigns HTTP/1.1\r\nHost: local")
			}
		}
		begin := time.Now()
		c.list("demo", 1000)
		status, _ := c.call("PUT", "users?token=alice", "{}")
		if took := time.Since(begin); took > 3*time.Second || status != 201 {
			t.Errorf("beside idle and slow connections, a change is answered %d after %s", status, took)
		}
		c.checkAlive()
	})
}

// dial connects to the server.
func (c *container) dial() net.Conn {
	c.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		c.t.Fatal(err)
	}
	return conn
}

// What is too large is refused in little memory, before it has become anything.
func TestTooMuchInLittleMemory(t *testing.T) {
	for name, text := range map[string]string{
		"empty mappings":      "users: {alice: {campaigns: [" + strings.Repeat("{},", 5<<19) + "]}}\n",
		"empty elements":      "x-a:\n" + strings.Repeat("-\n", 1<<22-10),
		"keys":                "x-a: {" + strings.Repeat("a:,", 5<<19) + "}\n",
		"a million campaigns": "users: {alice: {generate: {count: 1000000}}}\n",
		"many users":          users(100, "{generate: {count: 10000, edge_cases: all}}"),
		"a text":              "users: {alice: {description: " + strings.Repeat("x", 8<<20) + "}}\n",
		"much text":           users(100, "{description: "+strings.Repeat("x", 80_000)+"}") + "y: 1\n",
		"a long template":     `service: {extra: {a: "{paragraph:1000,1000,1000}"}}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			folder := folderOf(t, map[string]string{"a.yaml": text})
			args := append([]string{"run", "--rm", "--volume=" + folder + ":/fixtures:ro"}, littleMemory...)
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
