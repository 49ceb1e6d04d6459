package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// Compose files pass on what they were not given as empty variables.
func TestEmptyVariables(t *testing.T) {
	t.Parallel()
	var env []string
	for name := range newCall(t.Context(), testProcess(nil, nil, nil)).variables {
		if name != "CAMPAIGNFAKE_LISTEN" {
			env = append(env, name+"=")
		}
	}
	if len(env) < 10 {
		t.Fatalf("there are only %d variables: %v", len(env), env)
	}
	p := serve(t, env)
	if !strings.HasSuffix(p.base, "/api") || len(p.ids("demo")) != 8 ||
		len(p.ids("nobody-has-this")) != 10 {
		t.Errorf("these are not the defaults:\n%s", p.banner)
	}
	fixture := file(t, "file.yaml", "service: {base_path: /file}\nusers: {a: {}}\n")
	for _, empty := range []string{"", " \r"} {
		p := serve(t, []string{"CAMPAIGNFAKE_BASE_PATH=" + empty, "CAMPAIGNFAKE_SEED=" + empty},
			fixture)
		if !strings.HasSuffix(p.base, "/file") {
			t.Errorf("the base URL is %s, but the variable %q does not go before the file",
				p.base, empty)
		}
	}
}

// Flags that have no variable take their value from none, whatever its name is.
func TestFlagsWithoutVariables(t *testing.T) {
	t.Parallel()
	call := newCall(t.Context(), testProcess(nil, nil, nil))
	for _, command := range call.parser.Model.Children {
		for _, flag := range command.Flags {
			if len(flag.Tag.Envs) > 0 {
				t.Errorf("the parser reads the variables %q for --%s", flag.Tag.Envs, flag.Name)
			}
		}
	}
	if call.variables["-"] {
		t.Error("a flag has the variable -")
	}
	fixture := file(t, "a.yaml", users("own", "a"))
	p := serve(t, []string{"-=x"}, fixture)
	if got := p.ids("a"); len(got) != 1 {
		t.Errorf("the campaigns are %v", got)
	}
}

// A variable that no flag has is told if its name is near that of a flag's, without its value, which
// may be a secret. Others are another program's: Kubernetes sets some for a service whose name
// begins with campaignfake.
func TestVariableOfNoFlag(t *testing.T) {
	t.Parallel()
	fixture := file(t, "a.yaml", users("own", "a"))
	tests := map[string]string{
		"SEEED=8123secret":    "did you mean CAMPAIGNFAKE_SEED?",
		"BASE_URL=8123secret": "did you mean CAMPAIGNFAKE_BASE_PATH?",
		"LOGFORMAT=json":      "did you mean CAMPAIGNFAKE_LOG_FORMAT?",
		"seed=1":              "did you mean CAMPAIGNFAKE_SEED?",
		"PORT=9000":           "did you mean CAMPAIGNFAKE_LISTEN, as 127.0.0.1:8642?",
		"HOST=0.0.0.0":        "did you mean CAMPAIGNFAKE_LISTEN, as 127.0.0.1:8642?",

		"SEEED=":                          "",
		"SEEED= \r":                       "",
		"TOKEN=t":                         "", // of another command
		"JOURNAL_RETENTION=1":             "",
		"=x":                              "",
		"SERVICE_HOST=10.0.0.7":           "",
		"SERVICE_PORT=8642":               "",
		"PORT=tcp://10.0.0.7:8642":        "",
		"PORT_8642_TCP_ADDR=10.0.0.7":     "",
		"STAGING_SERVICE_PORT_HTTP_1=864": "",
	}
	for variable, instead := range tests {
		name, _, _ := strings.Cut(variable, "=")
		want := ""
		if instead != "" {
			want = "campaignfake: the variable CAMPAIGNFAKE_" + name +
				" belongs to no flag, and has no effect; " + instead + "\n"
		}
		got := finish(t, []string{"CAMPAIGNFAKE_" + variable}, "check", fixture)
		if got.status != 0 || got.stderr != want {
			t.Errorf("with %s, check ends with %+v, want %q", variable, got, want)
		}
	}
}

// Files of variables that were written on Windows, or by hand, have spaces around values.
func TestSpacesAroundVariables(t *testing.T) {
	t.Parallel()
	ready := filepath.Join(t.TempDir(), "ready.json")
	p := serve(t, []string{
		"CAMPAIGNFAKE_LISTEN= 127.0.0.1:0\r",
		"CAMPAIGNFAKE_BASE_PATH=/v2 \r",
		"CAMPAIGNFAKE_UNKNOWN_TOKENS=\treject\r",
		"CAMPAIGNFAKE_GALLERY=on\r",
		"CAMPAIGNFAKE_SEED=7\r",
		"CAMPAIGNFAKE_READY_FILE=" + ready + "\r",
		"CAMPAIGNFAKE_FIXTURES=  users:\r\n    alice: {campaigns: []}\r\n" +
			"  service: {delay: 1ms}\r\n",
	})
	if base := p.awaitReady(ready).BaseURL; !strings.HasSuffix(base, "/v2") {
		t.Errorf("the base URL is %q", base)
	}
	for token, want := range map[string]int{"alice": 200, "demo": 200, "nobody-has-this": 401} {
		if status, _ := p.list(token); status != want {
			t.Errorf("token %s is answered %d, want %d", token, status, want)
		}
	}
}

// The variable of fixtures has their text. People take it for the place of a file.
func TestPathInPlaceOfFixtures(t *testing.T) {
	t.Parallel()
	for _, path := range []string{t.TempDir(), "users.yml", "/fixtures", `C:\fixtures\users.yaml`} {
		got := finish(t, []string{"CAMPAIGNFAKE_FIXTURES=" + path + " "})
		got.failsLike(t, 2, fmt.Sprintf("campaignfake: CAMPAIGNFAKE_FIXTURES: %q is a path", path),
			"name files and folders as arguments, as campaignfake '"+path+"'")
	}
}

// Fields of a form hand on a line break as it was typed, as two characters.
func TestLineBreaksOfFixtures(t *testing.T) {
	t.Parallel()
	got := finish(t, []string{`CAMPAIGNFAKE_FIXTURES=users:\n  alice: {}`})
	got.failsLike(t, 2, `campaignfake: CAMPAIGNFAKE_FIXTURES: the text of fixtures has \n as two `,
		"write a line break in their place")
}

// Some files of variables leave the quotation marks around a value.
func TestQuotesAroundFixtures(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`"users: {alice: {}}"`,
		"'users:\n  alice: {}\n'",
		` '{"users": {"alice": {}}}'`,
	} {
		got := finish(t, []string{"CAMPAIGNFAKE_FIXTURES=" + text})
		got.failsLike(t, 2, "CAMPAIGNFAKE_FIXTURES: the text of fixtures stands in quotation marks")
	}
	for _, text := range []string{
		"'users': {alice: {description: 'a'}}\n'service': {ids: 'c#'",
		"\"users\":\n  alice:\n    description: \"users\"",
	} {
		if isInQuotes(text) {
			t.Errorf("%s stands in quotation marks", text)
		}
	}
}
