package main

import (
	"strings"
	"testing"
)

// Compose files pass a variable that is not set as an empty variable.
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
}

// A flag without a variable takes its value from no variable, even if a variable has the usual
// name.
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
}

// A variable of no flag causes a warning if its name is near the name of a flag's variable. The
// warning leaves out the value, which may be a secret. Other variables belong to other programs:
// Kubernetes sets some for a service whose name begins with campaignfake.
func TestVariableOfNoFlag(t *testing.T) {
	t.Parallel()
	fixture := file(t, "a.yaml", users("own", "a"))
	tests := map[string]string{
		"SEEED=8123secret": "did you mean CAMPAIGNFAKE_SEED?",
		"PORT=9000":        "did you mean CAMPAIGNFAKE_LISTEN, as 127.0.0.1:8642?",
		"HOST=0.0.0.0":     "did you mean CAMPAIGNFAKE_LISTEN, as 127.0.0.1:8642?",

		"SEEED=":                   "",
		"JOURNAL_RETENTION=1":      "", // near to none
		"PORT=tcp://10.0.0.7:8642": "",
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
	p := serve(t, []string{
		"CAMPAIGNFAKE_BASE_PATH=/v2 \r",
		"CAMPAIGNFAKE_GALLERY=\ton\r",
		"CAMPAIGNFAKE_FIXTURES=  users:\r\n    alice: {campaigns: []}\r\n" +
			"  service: {delay: 1ms}\r\n",
	})
	if !strings.HasSuffix(p.base, "/v2") || len(p.ids("alice")) != 0 || len(p.ids("demo")) != 8 {
		t.Errorf("the variables have other effects:\n%s", p.banner)
	}
}

// The error about a path in place of the text of fixtures says so.
func TestPathForTextOfFixtures(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"users.yml ": `"users.yml" is a path, and not the text`,
		"/fixtures":  "name files and folders as arguments, as campaignfake '/fixtures'",
		t.TempDir():  "is a path",
	} {
		got := finish(t, []string{"CAMPAIGNFAKE_FIXTURES=" + given})
		got.failsLike(t, 2, "campaignfake: CAMPAIGNFAKE_FIXTURES: ", want)
	}
}
