package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// compare runs the command against a server, with its token in a variable.
func compare(t *testing.T, url, token string, args ...string) result {
	t.Helper()
	return finish(t, []string{"REAL_TOKEN=" + token}, append([]string{"compare", url, "--token-env", "REAL_TOKEN"}, args...)...)
}

func TestCompareUsage(t *testing.T) {
	t.Parallel()
	const url = "http://127.0.0.1:9/api"
	other := file(t, "other.yaml", "users: [")
	for name, tt := range map[string]struct {
		env  []string
		args []string
		want string
	}{
		"no URL":             {nil, []string{"compare"}, "no URL was named"},
		"no token":           {nil, []string{"compare", url}, "no token was given; name the variable that holds it with --token-env"},
		"two tokens":         {nil, []string{"compare", url, "--token-env", "A", "--token-file", "b"}, "give one of the two"},
		"a token as a name":  {nil, []string{"compare", url, "--token-env", "secret-token-0123456789"}, "the variable that --token-env names is not set"},
		"no file":            {nil, []string{"compare", url, "--token-file", "/nowhere"}, "the file of --token-file cannot be read"},
		"a token in two":     {[]string{"A=secret token"}, []string{"compare", url, "--token-env", "A"}, "the token is not one that a client can send"},
		"not encrypted":      {[]string{"A=x"}, []string{"compare", "http://staging.example.com/api", "--token-env", "A"}, "the token would be sent unencrypted; write https"},
		"an unknown setting": {nil, []string{"compare", url, "--skip", "idz"}, `"idz" is not a setting`},
		"another format":     {nil, []string{"compare", url, "--format", "xml"}, "write text or json or github"},
		"another file":       {[]string{"A=x"}, []string{"compare", url, "--token-env", "A", "--write", other}, "is no file of fixtures"},
		"no folder":          {[]string{"A=x"}, []string{"compare", url, "--token-env", "A", "--write", "/nowhere/observed.yaml"}, "/nowhere/observed.yaml of --write cannot be written, since its folder cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := finish(t, tt.env, tt.args...)
			got.failsLike(t, 2, tt.want)
			if strings.Contains(got.stdout+got.stderr, "secret") {
				t.Errorf("the output holds the token: %+v", got)
			}
		})
	}
}

// A dry run prints every request, and sends none.
func TestCompareDryRun(t *testing.T) {
	t.Parallel()
	got := finish(t, nil, "compare", "https://staging.example.com/api", "--dry-run", "--skip", "head,invalid_token")
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	if got.status != 0 || len(lines) != 9 || !strings.HasPrefix(lines[0], "GET https://staging.example.com/api/user/campaigns  Accept: application/json  Authorization: Bearer <the token>") {
		t.Errorf("a dry run ends with %+v, want 9 requests", got)
	}
	if strings.Contains(got.stdout, "HEAD") || strings.Contains(got.stdout, "unknown-token") {
		t.Errorf("what is skipped is there:\n%s", got.stdout)
	}
}

// What was written agrees, until the service changes; and each format says so.
func TestCompareWritesWhatAgrees(t *testing.T) {
	t.Parallel()
	// Each comparison has a server of its own, since it may have to wait for its turn.
	real := func(t *testing.T) string {
		return serve(t, nil, "--profile", "wide", "--unknown-tokens", "reject", "--cors", "off").base
	}
	written := filepath.Join(t.TempDir(), "observed.yaml")
	first := compare(t, real(t), "many", "--write", written)
	if first.status != 4 || !strings.Contains(first.stdout, "  ids\n    fake     uuid\n    service  integers\n    write    \"integers\"\n") || !strings.Contains(first.stdout, "Written to "+written) {
		t.Errorf("the first comparison ends with %+v", first)
	}
	text, err := os.ReadFile(written)
	if err != nil || !strings.Contains(string(text), "\nobserved:\n  at: ") || !strings.Contains(string(text), "    budget: {$fake: ") {
		t.Errorf("%v; this was written:\n%s", err, text)
	}
	if got := finish(t, nil, "check", written); got.status != 0 {
		t.Errorf("what was written does not load: %+v", got)
	}

	t.Run("again", func(t *testing.T) {
		t.Parallel()
		if got := compare(t, real(t), "many", written, "--strict", "--write", written); got.status != 0 || !strings.Contains(got.stdout, "The service answers as the fake does.") {
			t.Errorf("comparing again ends with %+v", got)
		}
	})
	t.Run("json", func(t *testing.T) {
		t.Parallel()
		got := compare(t, real(t), "many", "--format", "json", "--skip", "cors,responses,success,unknown_tokens,ids,timestamps")
		var report struct {
			Verdict  string
			Requests int
			Findings []struct{ Setting, Verdict, Note string }
		}
		if err := json.Unmarshal([]byte(got.stdout), &report); err != nil || strings.Contains(got.stdout, `":null`) || got.status != 0 && got.status != 4 || report.Requests == 0 || len(report.Findings) < 30 {
			t.Errorf("%v; the report is %+v, of %+v", err, report, got)
		}
	})
	t.Run("github", func(t *testing.T) {
		t.Parallel()
		got := compare(t, real(t), "many", "--format", "github", "--strict", "--profile", "bare-array", "--skip", "head,query,cors,responses")
		for _, want := range []string{
			"::error title=campaignfake compare::success.body differs: the fake has a bare array, the service {\"campaigns\": …} (it is of another type); write ",
			"::error title=campaignfake compare::campaign.owner warning", "\ndiffers after ",
		} {
			if got.status != 4 || !strings.Contains(got.stdout, want) {
				t.Errorf("the report lacks %q: %+v", want, got)
			}
		}
	})
	t.Run("beside other settings", func(t *testing.T) {
		t.Parallel()
		own := file(t, "own.yaml", "# ours\nobserved:\n  at: 2026-01-05\n  ids: sequence # theirs\n\n# below\nusers: {alice: {}}\n")
		if got := compare(t, real(t), "many", own, "--write", own, "--skip", "head"); got.status != 4 {
			t.Errorf("comparing ends with %+v", got)
		}
		text, err := os.ReadFile(own)
		if err != nil || !strings.HasPrefix(string(text), "# ours\nobserved:\n  at: ") || !strings.HasSuffix(string(text), "\n\n# below\nusers: {alice: {}}\n") || !strings.Contains(string(text), "\n  ids: integers\n") {
			t.Errorf("%v; this was written:\n%s", err, text)
		}
	})
	t.Run("below other settings", func(t *testing.T) {
		t.Parallel()
		own := file(t, "own.yaml", "service:\n  timestamps: unix\n")
		got := compare(t, real(t), "many", own, "--skip", "head")
		if want := "  timestamps  (it is of another type; " + own + ":2:3 sets it, which goes before what is observed)\n"; got.status != 4 || !strings.Contains(got.stdout, want) {
			t.Errorf("comparing ends with %+v, want %q", got, want)
		}
	})
	t.Run("an empty list", func(t *testing.T) {
		t.Parallel()
		own := file(t, "own.yaml", "observed:\n  at: 2026-01-05\n  ids: sequence\n")
		empty := serve(t, nil, "--cors", "off", file(t, "empty.yaml", "users: {empty: {}}"))
		got := compare(t, empty.base, "empty", own, "--write", own, "--skip", "cors,unknown_tokens")
		if text, err := os.ReadFile(own); got.status != 5 || err != nil || !strings.Contains(string(text), "\n  ids: sequence\n") || !strings.Contains(got.stdout, "Not everything was seen: the list: it is empty") {
			t.Errorf("comparing ends with %+v, %v; the file is\n%s", got, err, text)
		}
	})
	t.Run("no verdict", func(t *testing.T) {
		t.Parallel()
		got := compare(t, real(t), "nobody", "--format", "json")
		if got.status != 1 || got.stdout != `{"reason":"no verdict: the token is refused (401)","verdict":"none"}`+"\n" || !strings.Contains(got.stderr, "no verdict: the token is refused (401)") {
			t.Errorf("a refused token ends with %+v", got)
		}
	})
}
