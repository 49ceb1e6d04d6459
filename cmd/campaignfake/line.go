package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// A line is a command line whose words have been told apart, but whose values have not
// been checked. It is complete even if a word is wrong: completion reads lines that are
// being written, and an error is printed in the format that a later flag chooses.
type line struct {
	commands      []*command
	command       *command            // serve, unless another one is named
	named         *command            // the same, nil if no word names it
	values        map[string][]string // of each flag, and after check of each argument, by its name
	arguments     []string
	misspelt      bool       // whether the first argument looks like a command
	waiting       *parameter // the flag that the last word names, if it lacks its value
	help, version bool
	err           error // the first mistake
}

// readLine reads the words of a command line.
func readLine(commands []*command, words []string) *line {
	l := &line{commands: commands, command: commands[0], values: make(map[string][]string)}
	for i, word := range words {
		if l.waiting != nil && !strings.HasPrefix(word, "-") {
			l.add(l.waiting, word)
			continue
		}
		l.endFlag()
		switch {
		case word == "--":
			l.arguments = append(l.arguments, words[i+1:]...)
			return l
		case strings.HasPrefix(word, "-") && word != "-":
			l.readFlag(word)
		default:
			l.readArgument(word)
		}
	}
	return l
}

// readFlag reads a word that begins with a dash.
func (l *line) readFlag(word string) {
	name, value, hasValue := strings.Cut(word, "=")
	flag := l.command.flag(name)
	switch {
	case name == "--help" || name == "-h":
		l.help = true
	case name == "--version":
		l.version = true
	case flag == nil:
		l.fail(l.command.unknownFlag(name))
	case hasValue:
		l.add(flag, value)
	case flag.isSwitch():
		l.add(flag, "on")
	default:
		l.waiting = flag
	}
}

// readArgument reads a word that is the command, or an argument of it.
func (l *line) readArgument(word string) {
	named := commandNamed(l.commands, word)
	if named == nil || l.named != nil || len(l.arguments) > 0 {
		if l.named == nil && len(l.arguments) == 0 {
			l.checkFirst(word)
		}
		l.arguments = append(l.arguments, word)
		return
	}
	if named != l.command && len(l.values) > 0 {
		l.fail(fmt.Errorf("a flag stands before the command %s; write the command first", word))
	}
	l.command, l.named = named, named
}

func (l *line) add(flag *parameter, value string) {
	l.values[flag.name], l.waiting = append(l.values[flag.name], value), nil
}

// endFlag notes a mistake if a flag waits for a value, which does not come.
func (l *line) endFlag() {
	if l.waiting != nil {
		l.fail(fmt.Errorf("--%s has no value; write one after it, as --%[1]s=…", l.waiting.name))
		l.waiting = nil
	}
}

func (l *line) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// check gives the arguments to their parameters, and returns the first mistake in the words,
// not in the values.
func (l *line) check() error {
	l.endFlag()
	l.checkPort()
	arguments := l.command.arguments()
	for i, text := range l.arguments {
		p := taking(arguments, i)
		if p == nil {
			l.fail(fmt.Errorf("unexpected argument %s", text))
			break
		}
		l.values[p.name] = append(l.values[p.name], text)
	}
	return l.err
}

// checkPort notes a mistake if there are both --listen and --port.
func (l *line) checkPort() {
	listen, number := l.values["listen"], l.values["port"]
	if len(listen) > 0 && len(number) > 0 {
		on := address(listen[len(listen)-1]).withPort(port(number[len(number)-1]))
		l.fail(fmt.Errorf("--listen and --port both name a port; write the port into --listen alone, as --listen %s", on))
	}
}

// checkFirst notes a mistake if the first argument looks like a command, and is not the
// path of a file or folder.
func (l *line) checkFirst(word string) {
	if l.err != nil || word == "" || word == "-" || strings.ContainsAny(word, `/\.`) {
		return
	}
	if _, err := os.Stat(word); errors.Is(err, fs.ErrNotExist) {
		l.misspelt = true
		instead := nearestCommand(l.commands, word)
		if _, ok := onOff(word); ok {
			instead = "a flag that can stand alone takes its value behind =, as --quiet=" + word
		}
		l.fail(fmt.Errorf("%q is neither a command nor a file or folder; %s", word, instead))
	}
}

// helpCommand returns the command line that shows what can be written.
func (l *line) helpCommand() string {
	if l.misspelt {
		return "campaignfake --help"
	}
	return "campaignfake " + l.command.name + " --help"
}

// commandNamed returns a command, nil if there is none of that name.
func commandNamed(commands []*command, name string) *command {
	if i := slices.IndexFunc(commands, func(c *command) bool { return c.name == name }); i >= 0 {
		return commands[i]
	}
	return nil
}

// foreignFlags are flags that other programs have for the host and the port, and what to
// write here. The variables of these names are not known, that of --port included.
var foreignFlags = map[string]string{
	"-p":         "--port, as --port 9000",
	"--port":     "--port, as --port 9000",
	"--host":     listenExample,
	"--hostname": listenExample,
	"--addr":     listenExample,
	"--address":  listenExample,
	"--bind":     listenExample,
}

const listenExample = "--listen with host and port, as --listen 0.0.0.0:8642"

// unknownFlag returns the error for a flag that the command does not have.
func (c *command) unknownFlag(name string) error {
	if strings.HasPrefix(name, "-p") && c.flag("-"+name) == nil {
		name = "-p" // other programs allow -p9000
	}
	if instead := foreignFlags[name]; instead != "" && c.flag("--port") != nil {
		return fmt.Errorf("unknown flag %s; write %s", name, instead)
	}
	names := []string{"--help", "--version"}
	for _, flag := range c.flags() {
		names = append(names, "--"+flag.name)
	}
	if meant := didYouMean(name, names); meant != "" {
		return fmt.Errorf("unknown flag %s, %s", name, meant)
	}
	return fmt.Errorf("unknown flag %s", name)
}
