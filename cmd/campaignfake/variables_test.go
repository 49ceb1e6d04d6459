package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
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

// Kubernetes sets variables for services whose names begin with campaignfake.
func TestVariablesOfKubernetes(t *testing.T) {
	t.Parallel()
	fixture := file(t, "a.yaml", users("own", "a"))
	for _, variable := range []string{
		"SERVICE_HOST=10.0.0.7",
		"SERVICE_PORT=8642",
		"PORT=tcp://10.0.0.7:8642",
		"PORT_8642_TCP=tcp://10.0.0.7:8642",
		"PORT_8642_TCP_ADDR=10.0.0.7",
		"STAGING_SERVICE_PORT_HTTP_MAIN=8642",
		"STAGING_PORT=udp://10.0.0.8:8642",
	} {
		got := finish(t, []string{"CAMPAIGNFAKE_" + variable}, "check", fixture)
		if got.status != 0 || got.stderr != "" {
			t.Errorf("with %s, check ends with %+v", variable, got)
		}
	}
}

// A variable that no flag has stops nothing, and is said to have no effect. Its value may be a
// secret.
func TestVariableOfNoFlag(t *testing.T) {
	t.Parallel()
	fixture := file(t, "a.yaml", users("own", "a"))
	const otherwise = "the help of each command names those of its flags"
	tests := map[string]struct{ name, instead string }{
		"a letter more":       {"SEEED", "did you mean CAMPAIGNFAKE_SEED?"},
		"another word":        {"BASE_URL", "did you mean CAMPAIGNFAKE_BASE_PATH?"},
		"a word more":         {"CONTROL_API", "did you mean CAMPAIGNFAKE_CONTROL?"},
		"without _":           {"LOGFORMAT", "did you mean CAMPAIGNFAKE_LOG_FORMAT?"},
		"in small letters":    {"seed", "did you mean CAMPAIGNFAKE_SEED?"},
		"a port":              {"PORT", "did you mean CAMPAIGNFAKE_LISTEN, as 127.0.0.1:8642?"},
		"a host":              {"HOST", "did you mean CAMPAIGNFAKE_LISTEN, as 127.0.0.1:8642?"},
		"of another program":  {"JOURNAL_RETENTION", otherwise},
		"no name":             {"", otherwise},
		"nearly Kubernetes's": {"SERVICE_HOST_NAME", otherwise},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := []string{"CAMPAIGNFAKE_" + tt.name + "=8123secret"}
			want := "the variable CAMPAIGNFAKE_" + tt.name +
				" belongs to no flag, and has no effect; " +
				tt.instead + "\n"

			p := serve(t, env, fixture)
			if got := p.ids("a"); len(got) != 1 {
				t.Errorf("the campaigns are %v", got)
			}
			log := p.end(syscall.SIGTERM, 0)
			if strings.Count(log, "  WARN   "+want) != 1 || strings.Contains(log, "8123secret") {
				t.Errorf("the log lacks the warning %q, or has the value:\n%s", want, log)
			}

			got := finish(t, env, "check", fixture)
			if got.status != 0 || got.stderr != "campaignfake: "+want {
				t.Errorf("check ends with %+v, want the warning %q", got, want)
			}
		})
	}
}

// The warning stands before a mistake, which it may explain.
func TestWarningBeforeAMistake(t *testing.T) {
	t.Parallel()
	got := finish(t, []string{"CAMPAIGNFAKE_TOKENS=t"}, "generate")
	got.failsLike(t, 2,
		"did you mean CAMPAIGNFAKE_TOKEN?\ncampaignfake: missing flags: --token=TOKEN")
	serve := finish(t, []string{"CAMPAIGNFAKE_SEEED=7"}, "serve", "--seed", "one")
	serve.failsLike(t, 2, "did you mean CAMPAIGNFAKE_SEED?\ncampaignfake: --seed: ")
}

// Variables that are not meant for the program are no warning.
func TestNoWarning(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"an empty one":             "CAMPAIGNFAKE_SEEED=",
		"one of spaces":            "CAMPAIGNFAKE_SEEED= \r",
		"that of another command":  "CAMPAIGNFAKE_TOKEN=t",
		"another program's":        "CAMPAIGNS_SEEED=1",
		"a port of Kubernetes":     "CAMPAIGNFAKE_PORT=tcp://10.0.0.7:8642",
		"an environment of a link": "CAMPAIGNFAKE_ENV_SECRET=x",
		"the name of a link":       "CAMPAIGNFAKE_NAME=/app/campaignfake",
	}
	fixture := file(t, "a.yaml", users("own", "a"))
	for name, variable := range tests {
		got := finish(t, []string{variable}, "check", fixture)
		if got.status != 0 || got.stderr != "" {
			t.Errorf("%s: check ends with %+v", name, got)
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
	tests := map[string]string{
		"a file":                   file(t, "users.txt", users("own", "a")),
		"a folder":                 t.TempDir(),
		"a file that is not there": "fixtures/users.yaml",
		"of another kind":          "users.yml",
		"of JSON":                  "users.json",
		"in the container":         "/fixtures",
		"beside it":                "./fixtures",
		"on Windows":               `C:\fixtures\users.yaml`,
		"with a space behind it":   "users.yaml ",
	}
	for name, path := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shown := fmt.Sprintf("%q is a path", strings.TrimSpace(path))
			instead := "name files and folders as arguments, as campaignfake '" +
				strings.TrimSpace(path) + "'"
			variable := finish(t, []string{"CAMPAIGNFAKE_FIXTURES=" + path})
			variable.failsLike(t, 2, "campaignfake: CAMPAIGNFAKE_FIXTURES: "+shown, instead)
			flag := finish(t, nil, "--fixtures", path)
			flag.failsLike(t, 2, "campaignfake: --fixtures: "+shown, instead)
		})
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

func TestSwitches(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"on": true, "true": true, "1": true,
		"off": false, "false": false, "0": false,
	}
	fixture := file(t, "a.yaml", users("own", "alice"))
	for value, wanted := range tests {
		env := []string{"CAMPAIGNFAKE_GALLERY=" + value, "CAMPAIGNFAKE_CONTROL=" + value}
		p := serve(t, env, "--quiet="+value, fixture)
		for _, word := range []string{"built-in gallery", "/_fake/\n"} {
			if got := strings.Contains(p.banner, word); got != wanted {
				t.Errorf("with %s the banner has %q: %v\n%s", value, word, got, p.banner)
			}
		}
	}
}
