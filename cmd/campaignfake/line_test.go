package main

import (
	"reflect"
	"strings"
	"testing"
)

// Every parameter has what the help and the messages need.
func TestParameters(t *testing.T) {
	t.Parallel()
	for _, c := range newCommands() {
		for _, p := range c.parameters() {
			if p.help == "" || !strings.HasSuffix(p.help, ".") || strings.Contains(p.help, "${") {
				t.Errorf("%s %s: the help is %q", c.name, p.written(), p.help)
			}
			if p.isFlag && p.isSwitch() != (p.placeholder == "") {
				t.Errorf("%s %s: the placeholder is %q", c.name, p.written(), p.placeholder)
			}
			if p.byDefault != "" {
				if err := p.set([]string{p.byDefault}); err != nil {
					t.Errorf("%s %s: the default is wrong: %v", c.name, p.written(), err)
				}
			}
		}
	}
}

func TestReadLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		command   string
		flags     map[string][]string
		arguments string
		err       string
	}{
		"":                            {"serve", nil, "", ""},
		"./a b":                       {"serve", nil, "./a b", ""},
		"a b":                         {"serve", nil, "a b", `"a" is neither a command nor a file or folder; the commands are serve, check, generate, health, requests, reply, reset, schema, completion, help and version`},
		"--quiet off":                 {"serve", map[string][]string{"quiet": {"on"}}, "off", `"off" is neither a command nor a file or folder; a flag that can stand alone takes its value behind =, as --quiet=off`},
		"check a check":               {"check", nil, "a check", ""},
		"-- check --x":                {"serve", nil, "check --x", ""},
		"--quiet serve a":             {"serve", map[string][]string{"quiet": {"on"}}, "a", ""},
		"--quiet check":               {"check", map[string][]string{"quiet": {"on"}}, "", "a flag stands before the command check; write the command first"},
		"--seed 1 ./a --seed=2 b":     {"serve", map[string][]string{"seed": {"1", "2"}}, "./a b", ""},
		"--seed= ./a":                 {"serve", map[string][]string{"seed": {""}}, "./a", ""},
		"--seed --quiet":              {"serve", map[string][]string{"quiet": {"on"}}, "", "--seed has no value; write one after it, as --seed=…"},
		"--seed -- a":                 {"serve", nil, "a", "--seed has no value; write one after it, as --seed=…"},
		"--quiet=no -":                {"serve", map[string][]string{"quiet": {"no"}}, "-", ""},
		"--x --y --quiet a":           {"serve", map[string][]string{"quiet": {"on"}}, "a", "unknown flag --x"},
		"reply a --header x --header": {"reply", map[string][]string{"header": {"x"}}, "a", ""},
	} {
		l := readLine(newCommands(), strings.Fields(text))
		err := ""
		if l.err != nil {
			err = l.err.Error()
		}
		if want.flags == nil {
			want.flags = map[string][]string{}
		}
		if l.command.name != want.command || !reflect.DeepEqual(l.values, want.flags) || strings.Join(l.arguments, " ") != want.arguments || err != want.err {
			t.Errorf("%q is read as %s, %v, %q, %q; want %+v", text, l.command.name, l.values, l.arguments, err, want)
		}
	}
}

func TestIsNear(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]bool{
		{"serve", "serve"}: true, {"srve", "serve"}: true, {"sevre", "serve"}: true, {"chekc", "check"}: true, {"he", "help"}: true,
		{"", "ab"}: true, {"", "abc"}: false, {"reply", "serve"}: false, {"--quite", "--quiet"}: true, {"abcde", "edcba"}: false,
	} {
		if got := isNear(pair[0], pair[1], 2); got != want {
			t.Errorf("%q is near: %v", pair, got)
		}
		if got := isNear(pair[1], pair[0], 2); got != want {
			t.Errorf("%q is near the other way round: %v", pair, got)
		}
	}
}
