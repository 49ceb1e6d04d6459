package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// adoptFlags makes variables of the flags with which the server of this container
// was called, so that a health check finds it however it was started. It is for
// commands that an engine runs in a container, which have no parent there;
// anywhere else, another server could be meant.
func adoptFlags(args []string, model *kong.Application) {
	if len(args) == 0 || os.Getpid() == 1 || os.Getppid() != 0 {
		return
	}
	called := slices.IndexFunc(model.Children, func(command *kong.Node) bool { return command.Name == args[0] })
	if called < 0 || args[0] == "serve" {
		return
	}
	given := flagsGiven(containerServer(model), model)
	for _, flag := range model.Children[called].Flags {
		if value, ok := given[flag.Name]; ok && len(flag.Envs) > 0 {
			os.Setenv(flag.Envs[0], value)
		}
	}
}

// containerServer returns the arguments of the server that the container is for: its
// first process, or the one server that runs. Where there is no /proc, there is none.
func containerServer(model *kong.Application) (arguments []string) {
	processes, _ := filepath.Glob("/proc/[1-9]*")
	servers := 0
	for _, process := range processes {
		number := filepath.Base(process)
		line, err := os.ReadFile(filepath.Join(process, "cmdline"))
		words := strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
		if err != nil || filepath.Base(words[0]) != filepath.Base(os.Args[0]) || number == strconv.Itoa(os.Getpid()) {
			continue
		}
		words = words[1:]
		if len(words) > 0 && words[0] != "serve" && slices.Contains(commandNames(model), words[0]) {
			continue
		}
		if number == "1" {
			return words
		}
		arguments = words
		servers++
	}
	if servers > 1 {
		return nil
	}
	return arguments
}

// flagsGiven returns the values of the server's flags that stand among arguments,
// which a server has started with.
func flagsGiven(arguments []string, model *kong.Application) map[string]string {
	given := make(map[string]string)
	for _, command := range model.Children {
		if command.Name != "serve" {
			continue
		}
		for i, argument := range arguments {
			name, value, inOne := strings.Cut(strings.TrimPrefix(argument, "--"), "=")
			if argument == "--" {
				break // only fixtures come now
			}
			for _, flag := range command.Flags {
				switch {
				case !strings.HasPrefix(argument, "--") || flag.Name != name || flag.IsBool():
				case inOne:
					given[name] = value
				case i+1 < len(arguments):
					given[name] = arguments[i+1]
				}
			}
		}
	}
	return given
}
