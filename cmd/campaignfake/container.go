package main

import (
	"cmp"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// adoptFlags sets variables to the flags of the server in this container, so that a
// health check finds the server. It does so only for a command that the engine runs in
// a container, which has no parent process there: outside of containers it could find
// the wrong server.
func adoptFlags(args []string, model *kong.Application) {
	called := calledCommand(args, model)
	if called == nil || called.Name == "serve" || !runByEngine() {
		return
	}
	given := flagsGiven(containerServer(model), commandNamed("serve", model))
	for _, flag := range called.Flags {
		if value, ok := given[flag.Name]; ok && len(flag.Envs) > 0 {
			os.Setenv(flag.Envs[0], value)
		}
	}
	if number, ok := given["port"]; ok { // which has no variable
		os.Setenv(variablePrefix+"_LISTEN", string(cmp.Or(address(os.Getenv(variablePrefix+"_LISTEN")), address(listen)).withPort(port(number))))
	}
}

// runByEngine reports whether the engine runs this command in a container, beside the
// server: it has no parent process there.
func runByEngine() bool { return os.Getpid() != 1 && os.Getppid() == 0 }

// containerServer returns the arguments of the server in the container: the process
// with the number 1, or the only server that runs. It returns none without /proc.
func containerServer(model *kong.Application) []string {
	processes, _ := filepath.Glob("/proc/[1-9]*")
	var servers [][]string
	for _, process := range processes {
		number := filepath.Base(process)
		line, err := os.ReadFile(filepath.Join(process, "cmdline"))
		words := strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
		if err != nil || filepath.Base(words[0]) != filepath.Base(os.Args[0]) || number == strconv.Itoa(os.Getpid()) {
			continue
		}
		words = words[1:]
		if len(words) > 0 && words[0] != "serve" && commandNamed(words[0], model) != nil {
			continue
		}
		if number == "1" {
			return words
		}
		servers = append(servers, words)
	}
	if len(servers) != 1 {
		return nil
	}
	return servers[0]
}

// flagsGiven returns the values of a command's flags in its arguments.
func flagsGiven(arguments []string, command *kong.Node) map[string]string {
	given := make(map[string]string)
	for i, argument := range arguments {
		if argument == "--" {
			break // only fixtures follow
		}
		name, value, inOne := strings.Cut(argument, "=")
		flag := flagNamed(command, name)
		if flag == nil || flag.IsBool() {
			continue
		}
		if !inOne && i+1 < len(arguments) {
			value, inOne = arguments[i+1], true
		}
		if inOne {
			given[flag.Name] = value
		}
	}
	return given
}
