package main

import (
	"slices"
	"strings"
	"testing"
)

// A refusal is a command that ends with one message. The message has all of these words: they say
// where the mistake is, and what to write.
type refusal struct {
	env, args []string
	words     []string
}

// checkRefusals runs commands. Each ends with the status, and with a message that has its own words
// and the words of more.
func checkRefusals(t *testing.T, status int, refusals map[string]refusal, more ...string) {
	t.Helper()
	for name, tt := range refusals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			words := slices.Concat(tt.words, more)
			finish(t, tt.env, tt.args...).failsLike(t, status, words...)
		})
	}
}

// A word that looks like a path is no misspelt command.
func TestFilesThatDoNotExist(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"users.yaml", "./serve", `C:\fixtures`} {
		got := finish(t, nil, word)
		got.failsLike(t, 1, word+": does not exist; name a file or a folder of fixtures")
	}
}

// A word that is no command is refused as a misspelt command, with any flags. Flags stand behind
// the command.
func TestWrongLines(t *testing.T) {
	t.Parallel()
	tests := map[string]refusal{
		"a misspelt command": {
			args: []string{"generat", "--token", "t"},
			words: []string{
				`"generat" is neither a command nor a file or folder; ` +
					"did you mean campaignfake generate?\n",
				"\ncampaignfake --help shows what can be written.\n",
			},
		},
		"near to none": {
			args:  []string{"fixtures"},
			words: []string{"; the commands are serve, check, compare, record, generate, "},
		},
		"a command behind a flag": {
			args:  []string{"--quiet", "check", "a.yaml"},
			words: []string{"--quiet", `not "check"`},
		},
		"a misspelt flag": {
			args: []string{"--quite"},
			words: []string{
				`unknown flag --quite, did you mean "--quiet"?`,
				"\ncampaignfake serve --help shows what can be written.\n",
			},
		},
		"a flag of another command": {
			args:  []string{"check", "--quiet", "a.yaml"},
			words: []string{"unknown flag --quiet", "\ncampaignfake check --help shows"},
		},
		"a port that is too large": {
			args: []string{"--port", "65536"},
			words: []string{
				"--port: ",
				`"65536" is not a number in this range; write a whole number from 0 to 65535`,
			},
		},
		"an argument more": {
			args:  []string{"generate", "--token", "t", "more"},
			words: []string{"more", "campaignfake generate --help"},
		},
		"an empty name": {
			args:  []string{"check", ""},
			words: []string{"<fixtures> ...: has no value"},
		},
	}
	checkRefusals(t, 2, tests)
}

// Each wrong setting is reported with the flag or the variable that gave it. If a file also has
// mistakes, the exit status is the status for wrong fixtures.
func TestWrongSettings(t *testing.T) {
	t.Parallel()
	const noPath = `: service.base_path: "x" is not a plain path; write a path as /api`
	odd := file(t, "odd.yaml", "users: {a: {times: 2}}\n")
	env := []string{"CAMPAIGNFAKE_CORS=y,z"}
	finish(t, env, "--base-path=x").failsLike(t, 2,
		"campaignfake: --base-path"+noPath,
		"\nCAMPAIGNFAKE_CORS: service.cors[0]: \"y\" is not an origin; write",
		"\nCAMPAIGNFAKE_CORS: service.cors[1]: \"z\" is not an origin; write",
		"--help shows what can be written.\n")
	finish(t, nil, "--base-path=x", odd).failsLike(t, 1,
		"campaignfake: the fixtures cannot be used:\n",
		"\n--base-path"+noPath,
		"\n"+odd+":1:13: users.a.times: is not a known key")
}

// Each wrong variable is reported.
func TestWrongVariables(t *testing.T) {
	t.Parallel()
	finish(t, []string{"CAMPAIGNFAKE_SEED=x", "CAMPAIGNFAKE_STRICT=maybe"}).failsLike(t, 2,
		`CAMPAIGNFAKE_SEED: "x" is not a number`,
		`CAMPAIGNFAKE_STRICT: "maybe" is neither on nor off`)
}

// A wrong value stops the start with one message, which names the value and where it was given. The
// process has ended, which proves that nothing listens.
func TestWrongValues(t *testing.T) {
	t.Parallel()
	for flag, values := range map[string][]string{
		"--listen":          {"8642", "127.0.0.1:65536", "127.0.0.1:http"},
		"--base-path":       {"api"},
		"--seed":            {"x", "-1"},
		"--cors":            {"example.com"},
		"--unknown-tokens":  {"rejct"},
		"--delay":           {"-1s"},
		"--control-hosts":   {"http://campaigns.example.com"},
		"--control-origins": {"any"},
		"--control":         {"maybe"},
		"--log-format":      {"xml"},
	} {
		variable := variableOf(strings.TrimPrefix(flag, "--"))
		for _, value := range values {
			for place, got := range map[string]result{
				flag:     finish(t, nil, flag+"="+value),
				variable: finish(t, []string{variable + "=" + value}),
			} {
				got.failsLike(t, 2, place+": ", value)
				lines := strings.Count(got.stderr, "\n")
				if lines != 2 {
					t.Errorf("there are %d lines, want the message and where there is help:\n%s",
						lines, got.stderr)
				}
			}
		}
	}
}

// A value below zero, as a word of its own, looks like a flag, but is refused as a value.
func TestValuesBelowZero(t *testing.T) {
	t.Parallel()
	finish(t, nil, "--seed", "-1").failsLike(t, 2, `--seed: "-1" is not a number in this range`)
	finish(t, nil, "--delay", "-3s").failsLike(t, 2, "--delay: -3s is negative")
}

// The URL of a server has a scheme and a host.
func TestWrongServers(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"127.0.0.1:8642", "ftp://127.0.0.1", "http://"} {
		finish(t, nil, "health", "--url", url).failsLike(t, 2,
			`--url: "`+url+`" is not a URL; write one as http://127.0.0.1:8642`)
	}
}

// A shell variable that is not set, in quotes, gives an empty value. No flag accepts an empty
// value.
func TestEmptyFlags(t *testing.T) {
	t.Parallel()
	for _, command := range newCall(t.Context(), testProcess(nil, nil, nil)).parser.Model.Children {
		for _, flag := range command.Flags {
			name := "--" + flag.Name
			want := name + ": has no value; give one, or leave it out"
			finish(t, nil, command.Name, name+"=").failsLike(t, 2, want)
			if !flag.IsBool() {
				finish(t, nil, command.Name, name).failsLike(t, 2, want)
				finish(t, nil, command.Name, name, "--help=x").failsLike(t, 2, want)
			}
		}
	}
}

func TestNoListening(t *testing.T) {
	t.Parallel()
	taken := strings.TrimPrefix(serve(t, nil).root, "http://")
	finish(t, nil, "--listen", taken).failsLike(t, 1, taken, "address already in use; "+
		"something else listens there: choose another with --port, 0 for any free one\n")
	// Nobody has an address of RFC 5737, and nobody has a name with an empty part.
	const noAddress = "; this machine has no such address: write one with "
	finish(t, nil, "--listen", "192.0.2.1:0").failsLike(t, 1,
		"192.0.2.1:0", noAddress+"--listen, as 127.0.0.1:8642\n")
	finish(t, []string{"CAMPAIGNFAKE_LISTEN=no..body:0"}).failsLike(t, 1,
		"no..body", noAddress+"CAMPAIGNFAKE_LISTEN, as 127.0.0.1:8642\n")
}

// The word behind a switch is its value if it says on or off in some way.
func TestWordsBehindSwitches(t *testing.T) {
	t.Parallel()
	finish(t, nil, "--control", "no").failsLike(t, 2,
		`--control: "no" is neither on nor off; write on or off, or true or false`)
	fixture := file(t, "a.yaml", users("own", "alice"))
	for value, wanted := range map[string]bool{"on": true, "1": true, "off": false, "0": false} {
		p := serve(t, []string{"CAMPAIGNFAKE_GALLERY=" + value}, fixture)
		if got := strings.Contains(p.banner, "built-in gallery"); got != wanted {
			t.Errorf("with %s the gallery is served: %v\n%s", value, got, p.banner)
		}
	}
	if p := serve(t, nil, "--quiet", "off", fixture); len(p.ids("alice")) != 1 {
		t.Errorf("the switch has no effect on what is behind it:\n%s", p.banner)
	}
}
