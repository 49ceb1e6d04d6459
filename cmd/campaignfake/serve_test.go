package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"example.com/campaignfake/fixtures"
)

func TestServeGallery(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	for token, want := range map[string]int{
		"demo":            8,
		"empty":           0,
		"single":          1,
		"many":            250,
		"nobody-has-this": 10,
	} {
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
	awkward := file(t, "awkward.yaml",
		`users: {"it's$(id)`+"`id`"+`\"&;|*?[a]{b,c}<>#~!%41\\": {campaigns: []}}`)
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
	write(t, folder, "a.yaml", users("own", "a"))
	write(t, folder, "b.yml", users("own", "b"))
	write(t, folder, "notes.txt", "not: [fixtures")
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
			before, _, found := strings.Cut(p.banner, "\n  single ")
			if !found || !strings.Contains(before, "\n  extra ") {
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
		origin    = "http://localhost:5173"
		origins   = "https://app.example, " + origin
		preflight = "OPTIONS /api/user/campaigns\nAccess-Control-Request-Method: GET\nOrigin: " +
			origin
		users = "GET /_fake/users\n"
		page  = users + "Sec-Fetch-Site: cross-site\nOrigin: "
		hosts = "Campaigns.example.com, 192.0.2.7"
	)
	generated := fixtures.User{Generate: &fixtures.Generate{Count: 1}}
	var first fixtures.Campaign
	for campaign := range (fixtures.Service{Seed: 1<<64 - 1}).Campaigns("t", generated) {
		first = campaign
	}
	for _, tt := range []struct{ flag, value, request, want string }{
		{
			flag:    "--base-path",
			value:   "/v2/fake",
			request: "GET /v2/fake/user/campaigns\nAuthorization: Bearer demo",
			want:    "200 OK",
		},
		{"--base-path", "/v2/fake", list, "404 Not Found"},
		{
			flag:    "--seed",
			value:   "18446744073709551615",
			request: list,
			want:    `{"campaigns":[{"id":"` + first.ID + `","name":"` + first.Name + `",`,
		},
		{"--cors", "any", preflight, "Access-Control-Allow-Origin: *"},
		{"--cors", "off", preflight, "\r\n\r\n"},
		{"--cors", origins, preflight, "Access-Control-Allow-Origin: " + origin},
		{"--unknown-tokens", "reject", list, "401 Unauthorized"},
		{"--unknown-tokens", "generate", list, "200 OK"},
		{"--unknown-tokens", "like empty", list, `{"campaigns":[]}`},
		{"--delay", "1ms..2ms", "GET /_fake/service", `"1ms..2ms"`},
		{"--control", "on", users, "200 OK"},
		{"--control", "off", users, "404 Not Found"},
		{"--control", "off", "GET /_fake/health", "200 OK"},
		{"--control-hosts", hosts, users + "Host: campaigns.example.com:8642", "200 OK"},
		{"--control-hosts", hosts, users + "Host: evil.example", "403 Forbidden"},
		{"--control-origins", origins, page + origin, "Allow-Origin: " + origin},
		{"--control-origins", origins, page + "http://evil.example", "403 Forbidden"},
	} {
		variable := variableOf(strings.TrimPrefix(tt.flag, "--")) + "=" + tt.value
		for way, p := range map[string]*server{
			tt.flag + " " + tt.value: serve(t, nil, tt.flag, tt.value),
			variable:                 serve(t, []string{variable}),
		} {
			answer := p.send(tt.request)
			isAllowed := strings.Contains(answer, "Allow-Origin")
			if !strings.Contains(answer, tt.want) || tt.value == "off" && isAllowed {
				t.Errorf("with %s, %q is answered without %q:\n%s",
					way, tt.request, tt.want, answer)
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
	own := file(t, "own.yaml", users("own", "a"))
	fixture := file(t, "service.yaml",
		"service: {base_path: /file, seed: 7, delay: 1ms}\nusers: {a: {}, b: {delay: 4ms}}\n")
	tests := map[string]struct {
		env, args     []string
		setting, want string // its value, what it is based on, and where it was given
	}{
		"default": {
			args:    []string{own},
			setting: "base_path", want: "/api assumed ",
		},
		"the command's own": {
			args:    []string{own},
			setting: "unknown_tokens", want: "generate assumed ",
		},
		"file over default": {
			args:    []string{fixture},
			setting: "base_path", want: "/file configured " + fixture + ":1:11",
		},
		"file beside the gallery": {
			args:    []string{fixture, "--gallery"},
			setting: "base_path", want: "/file configured " + fixture + ":1:11",
		},
		"variable over file": {
			env:     []string{"CAMPAIGNFAKE_BASE_PATH=/v"},
			args:    []string{fixture},
			setting: "base_path", want: "/v configured CAMPAIGNFAKE_BASE_PATH",
		},
		"flag over variable": {
			env:     []string{"CAMPAIGNFAKE_BASE_PATH=/v"},
			args:    []string{fixture, "--base-path=/flag"},
			setting: "base_path", want: "/flag configured --base-path",
		},
		"flag over wrong variable": {
			env:     []string{"CAMPAIGNFAKE_SEED=x"},
			args:    []string{fixture, "--seed=3"},
			setting: "seed", want: "3 configured --seed",
		},
		"zero over file": {
			args:    []string{fixture, "--seed=0"},
			setting: "seed", want: "0 configured --seed",
		},
		"no delay over file": {
			args:    []string{fixture, "--delay=0s"},
			setting: "delay", want: "0s configured --delay",
		},
		"empty variable": {
			env:     []string{"CAMPAIGNFAKE_DELAY="},
			args:    []string{fixture},
			setting: "delay", want: "1ms configured " + fixture + ":1:38",
		},
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
			answer := serve(t, tt.env, tt.args...).control("service")
			if err := json.Unmarshal([]byte(answer), &service); err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, s := range service.Settings {
				if s.Name == tt.setting {
					got = fmt.Sprintf("%v %s %s", s.Value, s.Basis, s.Where)
				}
			}
			if got != tt.want {
				t.Errorf("%s is %q, want %q", tt.setting, got, tt.want)
			}
		})
	}
}

// Fixtures can come from a variable.
func TestFixturesFromAVariable(t *testing.T) {
	t.Parallel()
	const given = `
users: {alice: {replies: [{status: 418}]}, bob: {}}
service: {unknown_tokens: reject}
`
	env := []string{"CAMPAIGNFAKE_FIXTURES=" + given}
	p := serve(t, env, file(t, "bob.yaml", "users: {bob: {replies: [{status: 503}]}}\n"))
	for token, want := range map[string]int{"alice": 418, "bob": 503, "demo": 401} {
		if status, _ := p.list(token); status != want {
			t.Errorf("%s is answered %d, want %d", token, status, want)
		}
	}
	if !strings.Contains(p.banner, "CAMPAIGNFAKE_FIXTURES") {
		t.Errorf("the banner is\n%s", p.banner)
	}
	wrong := finish(t, []string{"CAMPAIGNFAKE_FIXTURES=users: {alice: 7}"})
	wrong.failsLike(t, 1, "CAMPAIGNFAKE_FIXTURES:1:16: users.alice: is 7, not a mapping")
	byFlag := finish(t, nil, "--fixtures", "users: {alice: 7}")
	byFlag.failsLike(t, 1, "\n--fixtures:1:16: users.alice: is 7, not a mapping")
}
