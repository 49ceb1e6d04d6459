package main

import (
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
	if !strings.HasSuffix(p.base, "/api") || len(p.ids("demo")) != 8 || len(p.ids("nobody-has-this")) != 10 {
		t.Errorf("these are not the defaults:\n%s", p.banner)
	}
	fixture := file(t, "file.yaml", "service: {base_path: /file}\nusers: {a: {}}\n")
	if p := serve(t, []string{"CAMPAIGNFAKE_BASE_PATH="}, fixture); !strings.HasSuffix(p.base, "/file") {
		t.Errorf("the base URL is %s, but an empty variable does not go before the file", p.base)
	}
}

// Kubernetes sets variables for services whose names begin with campaignfake.
func TestVariablesOfKubernetes(t *testing.T) {
	t.Parallel()
	fixture := file(t, "a.yaml", users("own", "a"))
	for _, variable := range []string{
		"SERVICE_HOST=10.0.0.7", "SERVICE_PORT=8642", "PORT=tcp://10.0.0.7:8642", "PORT_8642_TCP=tcp://10.0.0.7:8642",
		"PORT_8642_TCP_ADDR=10.0.0.7", "STAGING_SERVICE_PORT_HTTP_MAIN=8642", "STAGING_PORT=udp://10.0.0.8:8642",
	} {
		if got := finish(t, []string{"CAMPAIGNFAKE_" + variable}, "check", fixture); got.status != 0 {
			t.Errorf("%s is refused:\n%s", variable, got.stderr)
		}
	}
}

func TestSwitches(t *testing.T) {
	t.Parallel()
	for value, wanted := range map[string]bool{"on": true, "true": true, "1": true, "off": false, "false": false, "0": false} {
		p := serve(t, []string{"CAMPAIGNFAKE_GALLERY=" + value, "CAMPAIGNFAKE_CONTROL=" + value}, "--quiet="+value, file(t, "a.yaml", users("own", "alice")))
		for _, word := range []string{"built-in gallery", "/_fake/\n"} {
			if got := strings.Contains(p.banner, word); got != wanted {
				t.Errorf("with %s the banner has %q: %v\n%s", value, word, got, p.banner)
			}
		}
	}
}
