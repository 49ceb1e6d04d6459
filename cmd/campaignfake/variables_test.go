package main

import (
	"context"
	"strings"
	"testing"
)

func knownVariables() (names []string) {
	for _, flag := range newCall(context.Background(), testProcess(nil, nil, nil)).flags {
		if flag.Envs[0] != "-" {
			names = append(names, flag.Envs[0])
		}
	}
	return names
}

// Compose files pass on what they were not given as empty variables.
func TestEmptyVariables(t *testing.T) {
	t.Parallel()
	env := []string{"CAMPAIGNFAKE_LISTEN=127.0.0.1:0"}
	for _, name := range knownVariables() {
		if name != "CAMPAIGNFAKE_LISTEN" {
			env = append(env, name+"=")
		}
	}
	if len(env) < 10 {
		t.Fatalf("there are only %d variables: %v", len(env), env)
	}
	p := start(t, env)
	if !strings.HasSuffix(p.base, "/api") || len(p.ids("demo")) != 8 || len(p.ids("nobody-has-this")) != 10 {
		t.Errorf("these are not the defaults:\n%s", p.banner)
	}
	fixture := file(t, "file.yaml", "service: {base_path: /file}\nusers: {a: {}}\n")
	if p := serve(t, []string{"CAMPAIGNFAKE_BASE_PATH="}, fixture); !strings.HasSuffix(p.base, "/file") {
		t.Errorf("the base URL is %s, but an empty variable does not go before the file", p.base)
	}
}

func TestUnknownVariable(t *testing.T) {
	t.Parallel()
	fixture := file(t, "a.yaml", users("own", "a"))
	for _, name := range []string{"CAMPAIGNFAKE_SEEED", "CAMPAIGNFAKE_", "CAMPAIGNFAKE_seed", "CAMPAIGNFAKE_PORT", "CAMPAIGNFAKE_HOST", "CAMPAIGNFAKE_SECRET"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, args := range [][]string{{"--listen", "127.0.0.1:0"}, {"check", fixture}, {"health"}} {
				got := finish(t, []string{name + "=8123secret"}, args...)
				got.failsLike(t, 2, name+" belongs to no flag; campaignfake --help names")
				if strings.Contains(got.stderr, "8123secret") {
					t.Errorf("the message gives away a value that may be meant for somebody else:\n%s", got.stderr)
				}
			}
		})
	}
}

// What Kubernetes and container links set for services whose names begin with
// campaignfake.
var injectedExamples = map[string]string{
	"CAMPAIGNFAKE_SERVICE_HOST":                   "10.0.0.7",
	"CAMPAIGNFAKE_SERVICE_PORT":                   "8642",
	"CAMPAIGNFAKE_PORT":                           "tcp://10.0.0.7:8642",
	"CAMPAIGNFAKE_PORT_8642_TCP":                  "tcp://10.0.0.7:8642",
	"CAMPAIGNFAKE_PORT_8642_TCP_ADDR":             "10.0.0.7",
	"CAMPAIGNFAKE_STAGING_SERVICE_PORT_HTTP_MAIN": "8642",
	"CAMPAIGNFAKE_STAGING_PORT":                   "udp://10.0.0.8:8642",
	"CAMPAIGNFAKE_STAGING_PORT_8642_UDP_ADDR":     "10.0.0.8",
	"CAMPAIGNFAKE_1_PORT_8642_TCP_START":          "tcp://10.0.0.8:8642",
	"CAMPAIGNFAKE_NAME":                           "/web/campaignfake",
	"CAMPAIGNFAKE_ENV_CAMPAIGNFAKE_LISTEN":        ":8642",
}

func TestInjected(t *testing.T) {
	t.Parallel()
	for name, value := range injectedExamples {
		if !injected.MatchString(name + "=" + value) {
			t.Errorf("%s=%s is refused", name, value)
		}
	}
	for name, value := range map[string]string{
		"CAMPAIGNFAKE_PORT":              "9000",
		"CAMPAIGNFAKE_NAME":              "mine",
		"CAMPAIGNFAKE_SERVICE_NAME":      "x",
		"CAMPAIGNFAKE_PORT_HTTP":         "x",
		"CAMPAIGNFAKEX_SERVICE_HOST":     "10.0.0.7",
		"CAMPAIGNFAKE_SERVICE_HOST_NAME": "x",
	} {
		if injected.MatchString(name + "=" + value) {
			t.Errorf("%s=%s passes for a variable that nobody wrote", name, value)
		}
	}
}
