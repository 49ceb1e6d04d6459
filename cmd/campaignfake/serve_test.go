package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"example.com/campaignfake/fixtures"
)

func TestServeGallery(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	for token, want := range map[string]int{"demo": 8, "empty": 0, "single": 1, "many": 250, "nobody-has-this": 10} {
		if got := len(p.ids(token)); got != want {
			t.Errorf("token %s has %d campaigns, want %d", token, got, want)
		}
	}
	for _, word := range []string{"the built-in gallery", "demo", "edge-cases", "any other"} {
		if !strings.Contains(p.banner, word) {
			t.Errorf("the banner lacks %q:\n%s", word, p.banner)
		}
	}
	p.end(syscall.SIGTERM, 0)
}

// The line of the banner has to work for whoever pastes it, whatever the token
// and the address look like.
func TestPastedLine(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	awkward := file(t, "awkward.yaml", `users: {"it's$(id)`+"`id`"+`\"&;|*?[a]{b,c}<>#~!%41\\": {campaigns: []}}`)
	tests := map[string]struct {
		listen string
		args   []string
		want   int
	}{
		"the gallery":         {"127.0.0.1:0", nil, 8},
		"another base path":   {"127.0.0.1:0", []string{"--base-path", "/v1/~a.b_c-d"}, 8},
		"an awkward token":    {"127.0.0.1:0", []string{awkward, "--unknown-tokens", "reject"}, 0},
		"an address of IPv6":  {"[::1]:0", nil, 8},
		"every address":       {":0", nil, 8},
		"without any fixture": {"127.0.0.1:0", []string{file(t, "none.yaml", "users: {}")}, 10},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needAddress(t, tt.listen)
			p := serve(t, []string{"CAMPAIGNFAKE_LISTEN=" + tt.listen}, tt.args...)
			// -q and the proxy's variable keep the settings of this machine out of it.
			line := strings.Replace(p.curl, "curl ", "curl -q --fail-with-body -sS ", 1)
			sh := exec.Command("sh", "-c", line)
			sh.Env = append(os.Environ(), "NO_PROXY=*", "no_proxy=*")
			out, err := sh.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s\n%s", err, line, out)
			}
			if got := len(idsIn(t, string(out))); got != tt.want {
				t.Errorf("%s\nprints %d campaigns, want %d:\n%s", line, got, tt.want, out)
			}
		})
	}
}

// needAddress skips the test where the machine has no such address.
func needAddress(t *testing.T, address string) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Skip(err)
	}
	l.Close()
}

func TestServeFilesAndFolders(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{"a.yaml": users("own", "a"), "b.yml": users("own", "b"), "notes.txt": "not: [fixtures"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	single := file(t, "c.yaml", users("own", "c"))
	for name, args := range map[string][]string{
		"without a word":         {single, folder},
		"with the word":          {"serve", single, folder},
		"before flags":           {single, folder, "--quiet"},
		"after flags":            {"--quiet", single, folder},
		"with a switch":          {"--quiet", "off", single, folder},
		"after the end of flags": {"--", single, folder},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, nil, args...)
			for _, token := range []string{"a", "b", "c"} {
				if got := p.ids(token); !slices.Equal(got, []string{token + "-own"}) {
					t.Errorf("token %s has the campaigns %v", token, got)
				}
			}
			if got := len(p.ids("demo")); got != 10 {
				t.Errorf("token demo has %d campaigns, want the 10 of an unknown one", got)
			}
			if !strings.Contains(p.banner, folder) && !strings.Contains(p.banner, "…") {
				t.Errorf("the banner does not say what is served:\n%s", p.banner)
			}
		})
	}
}

func TestGalleryBesideFixtures(t *testing.T) {
	t.Parallel()
	own := file(t, "own.yaml", users("own", "demo", "extra"))
	for name, tt := range map[string]struct{ env, args []string }{
		"flag":     {nil, []string{own, "--gallery"}},
		"variable": {[]string{"CAMPAIGNFAKE_GALLERY=true"}, []string{own}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, tt.env, tt.args...)
			for _, token := range []string{"demo", "extra"} {
				if got := p.ids(token); !slices.Equal(got, []string{token + "-own"}) {
					t.Errorf("token %s has the campaigns %v, want its own", token, got)
				}
			}
			if got := len(p.ids("single")); got != 1 {
				t.Errorf("token single has %d campaigns, want the 1 of the gallery", got)
			}
			if own, single := strings.Index(p.banner, "\n  extra "), strings.Index(p.banner, "\n  single "); own < 0 || own > single {
				t.Errorf("one's own users do not come first:\n%s", p.banner)
			}
		})
	}
}

// send sends a request as its lines say, and returns the whole answer.
func (p *server) send(lines string) string {
	p.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.root, "http://"))
	if err != nil {
		p.t.Fatal(err)
	}
	defer conn.Close()
	first, header, _ := strings.Cut(lines, "\n")
	if !strings.Contains(header, "Host:") {
		header = "Host: localhost\n" + header
	}
	text := first + " HTTP/1.1\nConnection: close\n" + strings.TrimSpace(header) + "\n\n"
	io.WriteString(conn, strings.ReplaceAll(text, "\n", "\r\n"))
	answer, err := io.ReadAll(conn)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(answer)
}

// Each setting is given by its flag and by its variable, and looked at over HTTP.
func TestSettings(t *testing.T) {
	t.Parallel()
	const (
		list      = "GET /api/user/campaigns\nAuthorization: Bearer t"
		preflight = "OPTIONS /api/user/campaigns\nAccess-Control-Request-Method: GET\nOrigin: http://localhost:5173"
		users     = "GET /_fake/users\n"
		page      = users + "Sec-Fetch-Site: cross-site\nOrigin: "
	)
	generated := fixtures.User{Generate: &fixtures.Generate{Count: 1}}
	var first fixtures.Campaign
	for campaign := range (fixtures.Service{Seed: 1<<64 - 1}).Campaigns("t", generated) {
		first = campaign
	}
	for _, tt := range []struct{ flag, value, request, want string }{
		{"--base-path", "/v2/fake", "GET /v2/fake/user/campaigns\nAuthorization: Bearer demo", "200 OK"},
		{"--base-path", "/v2/fake", list, "404 Not Found"},
		{"--seed", "18446744073709551615", list, `{"campaigns":[{"id":"` + first.ID + `","name":"` + first.Name + `",`},
		{"--cors", "any", preflight, "Access-Control-Allow-Origin: *"},
		{"--cors", "off", preflight, "\r\n\r\n"},
		{"--cors", "https://app.example, http://localhost:5173", preflight, "Access-Control-Allow-Origin: http://localhost:5173"},
		{"--unknown-tokens", "reject", list, "401 Unauthorized"},
		{"--unknown-tokens", "generate", list, "200 OK"},
		{"--unknown-tokens", "like empty", list, `{"campaigns":[]}`},
		{"--delay", "1ms..2ms", "GET /_fake/service", `"1ms..2ms"`},
		{"--control", "on", users, "200 OK"},
		{"--control", "off", users, "404 Not Found"},
		{"--control", "off", "GET /_fake/health", "200 OK"},
		{"--control-hosts", "Campaigns.example.com, 192.0.2.7", users + "Host: campaigns.example.com:8642", "200 OK"},
		{"--control-hosts", "Campaigns.example.com, 192.0.2.7", users + "Host: evil.example", "403 Forbidden"},
		{"--control-origins", "https://app.example, http://localhost:5173", page + "http://localhost:5173", "Allow-Origin: http://localhost:5173"},
		{"--control-origins", "https://app.example, http://localhost:5173", page + "http://evil.example", "403 Forbidden"},
	} {
		for way, p := range map[string]*server{
			"flag": serve(t, nil, tt.flag, tt.value), "variable": serve(t, []string{variableOf(tt.flag) + "=" + tt.value}),
		} {
			answer := p.send(tt.request)
			if !strings.Contains(answer, tt.want) || tt.value == "off" && strings.Contains(answer, "Allow-Origin") {
				t.Errorf("with %s %s by its %s, %q is answered without %q:\n%s", tt.flag, tt.value, way, tt.request, tt.want, answer)
			}
		}
	}
}

// control returns what the control plane answers.
func (p *server) control(path string) string {
	p.t.Helper()
	response, body := ask(p.t, "GET", p.root+"/_fake/"+path, nil)
	if response.StatusCode != 200 {
		p.t.Errorf("/_fake/%s is answered %d %s", path, response.StatusCode, body)
	}
	return body
}

// A flag goes before its variable, that before the file, and that before the default.
func TestPrecedence(t *testing.T) {
	t.Parallel()
	fixture := file(t, "service.yaml", "service: {base_path: /file, seed: 7, delay: 1ms}\nusers: {a: {}, b: {delay: 4ms}}\n")
	tests := map[string]struct {
		env, args     []string
		setting, want string // its value, what it is based on, and where it was given
	}{
		"default":                  {nil, []string{file(t, "a.yaml", users("own", "a"))}, "base_path", "/api assumed "},
		"the command's own":        {nil, []string{file(t, "b.yaml", users("own", "a"))}, "unknown_tokens", "generate assumed "},
		"file over default":        {nil, []string{fixture}, "base_path", "/file configured " + fixture + ":1:11"},
		"file beside the gallery":  {nil, []string{fixture, "--gallery"}, "base_path", "/file configured " + fixture + ":1:11"},
		"variable over file":       {[]string{"CAMPAIGNFAKE_BASE_PATH=/v"}, []string{fixture}, "base_path", "/v configured CAMPAIGNFAKE_BASE_PATH"},
		"flag over variable":       {[]string{"CAMPAIGNFAKE_BASE_PATH=/v"}, []string{fixture, "--base-path=/flag"}, "base_path", "/flag configured --base-path"},
		"flag over wrong variable": {[]string{"CAMPAIGNFAKE_SEED=x"}, []string{fixture, "--seed=3"}, "seed", "3 configured --seed"},
		"zero over file":           {nil, []string{fixture, "--seed=0"}, "seed", "0 configured --seed"},
		"no delay over file":       {nil, []string{fixture, "--delay=0s"}, "delay", "0s configured --delay"},
		"empty variable":           {[]string{"CAMPAIGNFAKE_DELAY="}, []string{fixture}, "delay", "1ms configured " + fixture + ":1:38"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var service struct {
				Settings []struct {
					Name, Basis, Where string
					Value              any
				}
			}
			if err := json.Unmarshal([]byte(serve(t, tt.env, tt.args...).control("service")), &service); err != nil {
				t.Fatal(err)
			}
			for _, s := range service.Settings {
				if got := fmt.Sprintf("%v %s %s", s.Value, s.Basis, s.Where); s.Name == tt.setting && got != tt.want {
					t.Errorf("%s is %s, want %s", s.Name, got, tt.want)
				}
			}
		})
	}
}

// Fixtures can come from a variable.
func TestFixturesFromAVariable(t *testing.T) {
	t.Parallel()
	env := []string{"CAMPAIGNFAKE_FIXTURES=users: {alice: {replies: [{status: 418}]}, bob: {}}\nservice: {unknown_tokens: reject}"}
	p := serve(t, env, file(t, "bob.yaml", "users: {bob: {replies: [{status: 503}]}}\n"))
	for token, want := range map[string]int{"alice": 418, "bob": 503, "demo": 401} {
		if status, _ := p.list(token); status != want {
			t.Errorf("%s is answered %d, want %d", token, status, want)
		}
	}
	if !strings.Contains(p.banner, "CAMPAIGNFAKE_FIXTURES") {
		t.Errorf("the banner is\n%s", p.banner)
	}
	finish(t, []string{"CAMPAIGNFAKE_FIXTURES=users: {alice: 7}"}).failsLike(t, 1, "CAMPAIGNFAKE_FIXTURES:1:16: users.alice: is 7, not a mapping")
}
