package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A refusal is a command that ends with one message, which has all of the words: it says where the
// mistake is, and what to write.
type refusal struct {
	env, args []string
	words     []string
}

// checkRefusals runs commands, each of which ends with a status, and with a message that has some
// more words.
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

// A word that is no command is a misspelt one, and its flags make no difference to that.
func TestUnknownCommands(t *testing.T) {
	t.Parallel()
	const help = "\ncampaignfake --help shows what can be written.\n"
	tests := map[string]refusal{
		"serve": {
			args: []string{"srve"},
			words: []string{
				`"srve" is neither a command nor a file or folder`, `did you mean "serve"?`, help,
			},
		},
		"health": {
			args:  []string{"helth", "http://127.0.0.1:1"},
			words: []string{`"helth"`, `did you mean "health"?`, help},
		},
		"with flags of its own": {
			args:  []string{"generat", "--token", "t"},
			words: []string{`"generat"`, `did you mean "generate"?`, help},
		},
		"near to none": {
			args: []string{"fixtures"},
			words: []string{
				`"fixtures" is neither a command nor a file or folder: ` +
					`unexpected argument fixtures; ` +
					"the commands are serve, check, compare, record, generate, ",
				help,
			},
		},
		"behind --help": {
			args:  []string{"--help", "srve"},
			words: []string{`"srve" is neither a command nor a file or folder`, help},
		},
	}
	checkRefusals(t, 2, tests)
}

// What stands behind version is not left unread.
func TestVersionTakesNothing(t *testing.T) {
	t.Parallel()
	got := finish(t, nil, "version", "x")
	got.failsLike(t, 2, "unexpected argument x")
}

// A word that can only be meant as a file or a folder is no misspelt command.
func TestFilesThatDoNotExist(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"users.yaml", "fixtures/users", "./serve", `C:\fixtures`} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			got := finish(t, nil, word)
			got.failsLike(t, 1, word+": does not exist; name a file or a folder of fixtures")
		})
	}
}

// Whoever writes flags before a command is told so, and not that there is no such file.
func TestCommandsBehindFlags(t *testing.T) {
	t.Parallel()
	fixture := file(t, "a.yaml", users("own", "a"))
	const check = `campaignfake: "check" is a command, and has to stand first; ` +
		"write campaignfake check, and its flags and files behind it\n" +
		"campaignfake check --help shows what can be written.\n"
	tests := map[string]refusal{
		"behind a flag": {
			args:  []string{"--quiet", "check", fixture},
			words: []string{check},
		},
		"behind a flag's value": {
			args:  []string{"--seed", "3", "check", fixture},
			words: []string{check},
		},
		"behind a file": {args: []string{fixture, "check"}, words: []string{check}},
		"with a flag of its own": {
			args:  []string{"--quiet", "generate", "--token", "t"},
			words: []string{`"generate" is a command`, "campaignfake generate --help"},
		},
	}
	checkRefusals(t, 2, tests)
	serve := finish(t, nil, "serve", "check")
	serve.failsLike(t, 1, "check: does not exist")
}

// A word that is a flag's value, or a folder, is no command.
func TestWordsLikeCommands(t *testing.T) {
	t.Parallel()
	cmd := program(t, nil, "--unknown-tokens", "generate", "check")
	folder := filepath.Join(cmd.Dir, "check")
	err := os.Mkdir(folder, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder, "a.yaml", users("own", "a"))
	p := startProgram(t, cmd)
	if got := p.ids("a"); len(got) != 1 {
		t.Errorf("the campaigns are %v", got)
	}
}

func TestUnknownFlags(t *testing.T) {
	t.Parallel()
	tests := map[string]refusal{
		"misspelt": {
			args: []string{"--quite"},
			words: []string{
				`unknown flag --quite, did you mean "--quiet"?`,
				"\ncampaignfake serve --help shows what can be written.\n",
			},
		},
		"behind --help": {
			args: []string{"--help", "--nonsense"},
			words: []string{
				"campaignfake: unknown flag --nonsense\n",
				"\ncampaignfake serve --help shows what can be written.\n",
			},
		},
		"near one that a variable gave": {
			env:   []string{"CAMPAIGNFAKE_QUIET=on"},
			args:  []string{"--quite"},
			words: []string{`unknown flag --quite, did you mean "--quiet"?`},
		},
		"of another command": {
			args:  []string{"health", "--quiet"},
			words: []string{"unknown flag --quiet", "\ncampaignfake health --help shows"},
		},
		"of serve before a file": {
			args:  []string{"check", "--quiet", "a.yaml"},
			words: []string{"unknown flag --quiet", "\ncampaignfake check --help shows"},
		},
		"unknown": {
			args:  []string{"--journal", "5"},
			words: []string{"unknown flag --journal"},
		},
		"with a value": {args: []string{"--host=0.0.0.0"}, words: []string{"unknown flag --host"}},
	}
	checkRefusals(t, 2, tests)
}

func TestWrongLines(t *testing.T) {
	t.Parallel()
	tests := map[string]refusal{
		"a port that is too large": {
			args: []string{"--port", "65536"},
			words: []string{
				"--port: ",
				`"65536" is not a number in this range; write a whole number from 0 to 65535`,
			},
		},
		"a port with a colon": {
			args:  []string{"--port", ":9000"},
			words: []string{"--port: ", `":9000" is not a number`},
		},
		"like nobody": {
			args:  []string{"--unknown-tokens=like nobody"},
			words: []string{`--unknown-tokens: no user has the token "nobody"; write like`},
		},

		"an argument more": {
			args:  []string{"generate", "--token", "t", "more"},
			words: []string{"more", "campaignfake generate --help"},
		},
		"no token": {
			args:  []string{"generate", "--count", "5"},
			words: []string{"missing flags: --token=TOKEN", "campaignfake generate --help"},
		},
		"a token with a space": {
			args:  []string{"generate", "--token", "a b"},
			words: []string{"--token: ", `"a b"`},
		},
		"a token with its scheme": {
			args:  []string{"generate", "--token", "Bearer x"},
			words: []string{"--token: ", "write the token alone: x"},
		},
		"a token of a letter that no header carries": {
			args:  []string{"generate", "--token", "tökén"},
			words: []string{"--token: ", `"tökén"`},
		},
		"a token that is too long": {
			args:  []string{"generate", "--token", strings.Repeat("a", 8193)},
			words: []string{"--token: ", "8192"},
		},
		"a count below 0": {
			args:  []string{"generate", "--token=t", "--count=-1"},
			words: []string{"--count: ", `"-1"`},
		},
		"a count that is too large": {
			args:  []string{"generate", "--token=t", "--count=10001"},
			words: []string{"--count: ", `"10001"`, "from 0 to 10000"},
		},
		"a count that is no number": {
			env:   []string{"CAMPAIGNFAKE_COUNT=many"},
			args:  []string{"generate", "--token=t"},
			words: []string{"CAMPAIGNFAKE_COUNT: ", `"many"`},
		},

		"nothing to check": {
			args:  []string{"check"},
			words: []string{`expected "<fixtures> ..."`, "campaignfake check --help"},
		},
		"an empty name": {
			args:  []string{"check", ""},
			words: []string{"<fixtures> ...: has no value"},
		},
	}
	checkRefusals(t, 2, tests)
}

// Each setting that is wrong is told of, with the flag or the variable that gave it.
func TestWrongSettings(t *testing.T) {
	t.Parallel()
	const noPath = `: "x" is not a plain path; write a path as /api`
	odd := file(t, "odd.yaml", "users: {a: {times: 2}}\n")
	own := file(t, "own.yaml", "users: {a: {}}\nservice: {base_path: x}\n")
	tests := map[string]refusal{
		"by variables": {
			env: []string{"CAMPAIGNFAKE_BASE_PATH=x", "CAMPAIGNFAKE_CORS=y,z"},
			words: []string{
				"campaignfake: CAMPAIGNFAKE_BASE_PATH" + noPath,
				"\nCAMPAIGNFAKE_CORS: \"y\" is not an origin; write",
				"\nCAMPAIGNFAKE_CORS: \"z\" is not an origin; write",
			},
		},
		"by a flag and a variable": {
			env:   []string{"CAMPAIGNFAKE_CORS=y"},
			args:  []string{"--base-path=x"},
			words: []string{"campaignfake: --base-path" + noPath, "\nCAMPAIGNFAKE_CORS: \"y\""},
		},
		"by a flag over a variable": {
			env:   []string{"CAMPAIGNFAKE_BASE_PATH=/v1"},
			args:  []string{"--base-path=x"},
			words: []string{"campaignfake: --base-path" + noPath},
		},
		"in a document of openapi": {
			env:   []string{"CAMPAIGNFAKE_BASE_PATH=x"},
			args:  []string{"openapi"},
			words: []string{"campaignfake: CAMPAIGNFAKE_BASE_PATH" + noPath},
		},
	}
	checkRefusals(t, 2, tests, "--help shows what can be written.\n")

	withFiles := map[string]refusal{
		"beside a mistake in a file": {
			env:  []string{"CAMPAIGNFAKE_BASE_PATH=x"},
			args: []string{"--unknown-tokens=like c", odd},
			words: []string{
				"\nCAMPAIGNFAKE_BASE_PATH: service.base_path" + noPath,
				"\n" + odd + ":1:13: users.a.times: is not a known key",
			},
		},
		"in a file, be there a flag": {
			args:  []string{"--base-path=/v1", own},
			words: []string{"\n" + own + ":2:22: service.base_path" + noPath},
		},
	}
	checkRefusals(t, 1, withFiles, "campaignfake: the fixtures cannot be used:\n")
}

// What is written in the right way, and is not there or has mistakes, is no matter of the help.
func TestWrongFixtures(t *testing.T) {
	t.Parallel()
	like := file(t, "like.yaml", "service: {unknown_tokens: like demo}\nusers: {a: {}}\n")
	tests := map[string]refusal{
		"a missing path": {
			args:  []string{"check", "nowhere"},
			words: []string{"nowhere: does not exist"},
		},
		"a missing file": {
			args:  []string{"check", "nowhere.yaml"},
			words: []string{"nowhere.yaml: does not exist"},
		},
		"an empty folder": {
			args:  []string{"check", t.TempDir()},
			words: []string{"without fixtures"},
		},
		"like nobody": {
			args: []string{"check", like},
			words: []string{
				`like.yaml:1:11: service.unknown_tokens: no user has the token "demo"; ` +
					"write like and the token of a user, or add this one; " +
					"--gallery (in Go, fake.WithFixtures(fixtures.Gallery())) adds those of " +
					"the gallery",
			},
		},
	}
	checkRefusals(t, 1, tests, "campaignfake: the fixtures cannot be used:\n")
}

func TestWrongServers(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{
		"without a scheme":      "127.0.0.1:8642",
		"a host":                "localhost",
		"another scheme":        "ftp://127.0.0.1",
		"without a host":        "http://",
		"a port without a host": "http://:8642",
		"half an address":       "http://[::1",
		"no URL":                "☃",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const instead = " is not a URL; write one as http://127.0.0.1:8642"
			flag := finish(t, nil, "health", "--url", url)
			flag.failsLike(t, 2, `--url: "`+url+`"`+instead)
			variable := finish(t, []string{"CAMPAIGNFAKE_URL=" + url}, "health")
			variable.failsLike(t, 2, `CAMPAIGNFAKE_URL: "`+url+`"`+instead)
		})
	}
	finish(t, []string{"CAMPAIGNFAKE_LISTEN=x"}, "health").failsLike(t, 2,
		`CAMPAIGNFAKE_LISTEN: "x"`)
}

// Nobody listens at port 1.
func TestHealthOfNobody(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ env, args []string }{
		"a URL":         {args: []string{"--url", "http://127.0.0.1:1/api"}},
		"an address":    {env: []string{"CAMPAIGNFAKE_LISTEN=127.0.0.1:1"}},
		"every address": {env: []string{"CAMPAIGNFAKE_LISTEN=:1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := finish(t, tt.env, append([]string{"health"}, tt.args...)...)
			got.failsLike(t, 1, "http://127.0.0.1:1 does not answer: ",
				"refused; start the server, or name its URL with --url")
		})
	}
}

// A wrong value stops the start with one message, which names where the value was given and
// the value. That the process has ended is proof enough that nothing listens.
func TestWrongValues(t *testing.T) {
	t.Parallel()
	for flag, values := range map[string][]string{
		"--listen": {
			"8642", "127.0.0.1:65536", "::1:0", "127.0.0.1", "127.0.0.1:http", "/tmp/a.sock",
		},
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

// A value below zero looks like a flag if it stands on its own, and is told to be a value all the
// same.
func TestValuesBelowZero(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args []string
		want string
	}{
		{
			args: []string{"--seed", "-1"},
			want: `--seed: "-1" is not a number in this range; write a whole number from 0 to `,
		},
		{
			args: []string{"generate", "--token=a", "--count", "-2"},
			want: `--count: "-2" is not a number in this range; write a whole number from 0 to `,
		},
		{
			args: []string{"--delay", "-3s"},
			want: "--delay: -3s is negative; write it without the minus",
		},
	}
	for _, tt := range tests {
		finish(t, nil, tt.args...).failsLike(t, 2, tt.want)
	}
}

// An unset variable of the shell in quotes is an empty value, which no flag has.
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
	// The addresses of RFC 5737 belong to nobody, and neither does a name with an empty part.
	const noAddress = "; this machine has no such address: write one with "
	finish(t, nil, "--listen", "192.0.2.1:0").failsLike(t, 1,
		"192.0.2.1:0", noAddress+"--listen, as 127.0.0.1:8642\n")
	finish(t, []string{"CAMPAIGNFAKE_LISTEN=no..body:0"}).failsLike(t, 1,
		"no..body", noAddress+"CAMPAIGNFAKE_LISTEN, as 127.0.0.1:8642\n")
}

// The word behind a switch is its value if it says on or off in some other way, and no file has
// that name.
func TestWordsBehindSwitches(t *testing.T) {
	t.Parallel()
	checkRefusals(t, 2, map[string]refusal{
		"no": {
			args: []string{"--control", "no"},
			words: []string{
				`--control: "no" is neither on nor off; write on or off, or true or false`,
			},
		},
		"yes": {
			args:  []string{"check", "--gallery", "yes"},
			words: []string{`--gallery: "yes" is neither on nor off`},
		},
	})
	like := file(t, "like.yaml", "service: {unknown_tokens: like demo}\nusers: {a: {}}\n")
	got := finish(t, nil, "check", "--gallery", "true", like)
	want := result{0, "no mistakes; users: 1\n", ""}
	if got != want {
		t.Errorf("check ends with %+v, want %+v", got, want)
	}
	finish(t, nil, "check", "--gallery", "false", like).failsLike(t, 1,
		`no user has the token "demo"`)
}
