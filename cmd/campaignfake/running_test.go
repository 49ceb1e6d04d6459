package main

import (
	"strings"
	"testing"
)

func TestRunningServerIsFound(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	p.ids("demo")
	host := strings.TrimPrefix(p.root, "http://")
	const nobody = "127.0.0.1:1"
	tests := map[string]struct{ env, args []string }{
		"URL":                      {nil, []string{"--url", p.root}},
		"base URL":                 {nil, []string{"--url", p.base + "/?a=b#c"}},
		"control URL":              {nil, []string{"--url", p.root + "/_fake"}},
		"URL's variable":           {[]string{"CAMPAIGNFAKE_URL=" + p.root}, nil},
		"listen":                   {nil, []string{"--listen", host}},
		"listen's variable":        {[]string{"CAMPAIGNFAKE_LISTEN=" + host, "CAMPAIGNFAKE_CONTROL=on"}, nil},
		"URL before the others":    {[]string{"CAMPAIGNFAKE_LISTEN=" + nobody}, []string{"--url", p.root}},
		"variables that are empty": {[]string{"CAMPAIGNFAKE_URL=", "CAMPAIGNFAKE_LISTEN=" + host}, nil},
	}
	for name, tt := range tests {
		got := finish(t, tt.env, append([]string{"requests"}, tt.args...)...)
		if got.status != 0 || strings.Count(got.stdout, "\n") != 1 || !strings.Contains(got.stdout, " demo ") {
			t.Errorf("%s: requests ends with %+v, want the one of token demo", name, got)
		}
		if got := finish(t, tt.env, append([]string{"health"}, tt.args...)...); got != (result{}) {
			t.Errorf("%s: health ends with %+v", name, got)
		}
	}
}

func TestRunningServerIsNotFound(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		env, args []string
		status    int
		want      []string
	}{
		"nobody":            {nil, []string{"--url", "http://127.0.0.1:1/api"}, 1, []string{"no server answers at http://127.0.0.1:1 ", "refused", "start one with campaignfake", "--url"}},
		"nobody listens":    {[]string{"CAMPAIGNFAKE_LISTEN=:1"}, nil, 1, []string{"no server answers at http://127.0.0.1:1 "}},
		"any port":          {[]string{"CAMPAIGNFAKE_LISTEN=127.0.0.1:0"}, nil, 2, []string{"127.0.0.1:0", "its URL"}},
		"no URL":            {nil, []string{"--url", "127.0.0.1:8642"}, 2, []string{"--url", `"127.0.0.1:8642"`, "http://127.0.0.1:8642"}},
		"no URL's variable": {[]string{"CAMPAIGNFAKE_URL=x"}, nil, 2, []string{"CAMPAIGNFAKE_URL", `"x"`}},
		"an empty URL":      {nil, []string{"--url="}, 2, []string{"--url: has no value"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			finish(t, tt.env, append([]string{"requests"}, tt.args...)...).failsLike(t, tt.status, tt.want...)
		})
	}
}

func TestRunningServerWithoutAControlPlane(t *testing.T) {
	t.Parallel()
	p := serve(t, nil, "--control", "off")
	finish(t, nil, "requests", "--url", p.base).failsLike(t, 1, "the control plane is off at "+p.root, "--url")
}
