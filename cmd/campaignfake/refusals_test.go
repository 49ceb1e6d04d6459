package main

import (
	"cmp"
	"strings"
	"testing"
)

// Each mistake of who writes the command line ends the command with one message, which says
// where it is, and what to write.
func TestRefusals(t *testing.T) {
	t.Parallel()
	type line = []string
	like := file(t, "like.yaml", "service: {unknown_tokens: like demo}\nusers: {a: {}}\n")
	for name, tt := range map[string]struct {
		env    string
		args   line
		status int
		words  []string
	}{
		"serve":            {"", line{"srve"}, 2, []string{`"srve"`, `did you mean "serve"?`, "\ncampaignfake --help shows what can be written"}},
		"health":           {"", line{"helth", "http://127.0.0.1:1"}, 2, []string{`"helth"`, `did you mean "health"?`}},
		"its own flags":    {"", line{"generat", "--token", "t"}, 2, []string{`"generat"`, `did you mean "generate"?`}},
		"nothing is near":  {"", line{"fixtures"}, 2, []string{`"fixtures" is neither a command nor a file or folder`}},
		"a misspelt flag":  {"", line{"--quite"}, 2, []string{"unknown flag --quite, did you mean \"--quiet\"?", "\ncampaignfake serve --help shows"}},
		"another's flag":   {"", line{"health", "--quiet"}, 2, []string{"unknown flag --quiet", "\ncampaignfake health --help"}},
		"an unknown flag":  {"", line{"--journal", "5"}, 2, []string{"unknown flag --journal"}},
		"another flag":     {"", line{"--host=0.0.0.0"}, 2, []string{"unknown flag --host"}},
		"an argument more": {"", line{"generate", "--token", "t", "more"}, 2, []string{"more", "campaignfake generate --help"}},

		"a port that is too large": {"", line{"--port", "65536"}, 2, []string{"--port", `"65536"`, "from 0 to 65535"}},
		"a port with a colon":      {"", line{"--port", ":9000"}, 2, []string{"--port", `":9000"`}},
		"like nobody":              {"", line{"--unknown-tokens=like nobody"}, 2, []string{`--unknown-tokens: no user has the token "nobody"; write like`}},

		"no token":             {"", line{"generate", "--count", "5"}, 2, []string{"missing flags: --token=TOKEN", "campaignfake generate --help"}},
		"a token with a space": {"", line{"generate", "--token", "a b"}, 2, []string{"--token", "a b"}},
		"a token of a letter that no header carries": {"", line{"generate", "--token", "tökén"}, 2, []string{"--token", "tökén"}},
		"a token that is too long":                   {"", line{"generate", "--token", strings.Repeat("a", 8193)}, 2, []string{"--token", "8192"}},
		"a count below 0":                            {"", line{"generate", "--token=t", "--count=-1"}, 2, []string{"--count", `"-1"`}},
		"a count that is too large":                  {"", line{"generate", "--token=t", "--count=1000001"}, 2, []string{"--count", `"1000001"`}},
		"a count that is no number":                  {"COUNT=many", line{"generate", "--token=t"}, 2, []string{"CAMPAIGNFAKE_COUNT", `"many"`}},

		"nothing to check":        {"", line{"check"}, 2, []string{"fixtures"}},
		"an empty name":           {"", line{"check", ""}, 2, []string{"<fixtures> ...: has no value"}},
		"a flag of serve's":       {"", line{"check", "--quiet", "a.yaml"}, 2, []string{"--quiet"}},
		"a missing path":          {"", line{"check", "nowhere"}, 1, []string{"nowhere: does not exist"}},
		"a missing file":          {"", line{"check", "nowhere.yaml"}, 1, []string{"nowhere.yaml: does not exist"}},
		"an empty folder":         {"", line{"check", t.TempDir()}, 1, []string{"without fixtures"}},
		"like nobody in the file": {"", line{"check", like}, 1, []string{`like.yaml:1:11: service.unknown_tokens: no user has the token "demo"; write like and the token of a user, or add this one; serve also knows those of --gallery`}},

		"a URL without a scheme":  {"", line{"health", "--url", "127.0.0.1:8642"}, 2, []string{"--url", `"127.0.0.1:8642"`, "http://127.0.0.1:8642"}},
		"a host":                  {"", line{"health", "--url", "localhost"}, 2, []string{"--url", `"localhost"`, "http://127.0.0.1:8642"}},
		"another scheme":          {"", line{"health", "--url", "ftp://127.0.0.1"}, 2, []string{`"ftp://127.0.0.1"`}},
		"a URL without a host":    {"", line{"health", "--url", "http://"}, 2, []string{`"http://"`}},
		"a port without a host":   {"", line{"health", "--url", "http://:8642"}, 2, []string{`"http://:8642"`}},
		"half an address":         {"", line{"health", "--url", "http://[::1"}, 2, []string{`"http://[::1"`}},
		"no URL":                  {"URL=☃", line{"health"}, 2, []string{"CAMPAIGNFAKE_URL", `"☃"`}},
		"a client's address":      {"LISTEN=x", line{"health"}, 2, []string{"CAMPAIGNFAKE_LISTEN", `"x"`}},
		"a token with its scheme": {"", line{"generate", "--token", "Bearer x"}, 2, []string{"--token", "write the token alone: x"}},
		"every address":           {"LISTEN=:1", line{"health"}, 1, []string{"http://127.0.0.1:1 does not answer"}},
		"nobody":                  {"", line{"health", "--url", "http://127.0.0.1:1/api"}, 1, []string{"http://127.0.0.1:1 does not answer", "refused"}},
		"nobody listens":          {"LISTEN=127.0.0.1:1", line{"health"}, 1, []string{"http://127.0.0.1:1 does not answer"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := "CAMPAIGNFAKE_" + cmp.Or(tt.env, "LISTEN=127.0.0.1:0")
			finish(t, []string{env}, tt.args...).failsLike(t, tt.status, tt.words...)
		})
	}
}

// A wrong value stops the start with one message, which names where the value was given and
// the value. That the process has ended is proof enough that nothing listens.
func TestWrongValues(t *testing.T) {
	t.Parallel()
	for flag, values := range map[string][]string{
		"--listen":          {"8642", "127.0.0.1:65536", "::1:0", "127.0.0.1", "127.0.0.1:http", "/tmp/a.sock"},
		"--base-path":       {"api"},
		"--seed":            {"x", "-1"},
		"--cors":            {"example.com"},
		"--unknown-tokens":  {"rejct", "like"},
		"--delay":           {"2", "-1s"},
		"--control-hosts":   {"http://campaigns.example.com"},
		"--control-origins": {"any"},
		"--control":         {"maybe"},
		"--quiet":           {"maybe"},
		"--gallery":         {"maybe"},
		"--strict":          {"maybe"},
		"--log-format":      {"xml", "JSON"},
	} {
		variable := variableOf(flag)
		for _, value := range values {
			for place, got := range map[string]result{
				flag:     finish(t, nil, flag+"="+value),
				variable: finish(t, []string{variable + "=" + value}),
			} {
				got.failsLike(t, 2, place+": ", value)
				if lines := strings.Count(got.stderr, "\n"); lines != 2 {
					t.Errorf("standard error has %d lines, want the message and where there is help:\n%s", lines, got.stderr)
				}
			}
		}
	}
}

// An unset variable of the shell in quotes is an empty value, which no flag has.
func TestEmptyFlags(t *testing.T) {
	t.Parallel()
	for _, command := range newCall(t.Context(), testProcess(nil, nil, nil)).parser.Model.Children {
		for _, flag := range command.Flags {
			want := "--" + flag.Name + ": has no value; give one, or leave it out"
			finish(t, nil, command.Name, "--"+flag.Name+"=").failsLike(t, 2, want)
			if !flag.IsBool() {
				finish(t, nil, command.Name, "--"+flag.Name).failsLike(t, 2, want)
				finish(t, nil, command.Name, "--"+flag.Name, "--help=x").failsLike(t, 2, want)
			}
		}
	}
}

func TestNoListening(t *testing.T) {
	t.Parallel()
	taken := strings.TrimPrefix(serve(t, nil).root, "http://")
	finish(t, nil, "--listen", taken).failsLike(t, 1, taken, "address already in use", "--port")
	// The addresses of RFC 5737 belong to nobody.
	finish(t, nil, "--listen", "192.0.2.1:0").failsLike(t, 1, "192.0.2.1:0", "--listen")
}
