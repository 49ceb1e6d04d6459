package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// inContainer reports whether the engine runs this command in a container, beside the
// server, as a health check: it has no parent process there.
func inContainer() bool { return os.Getpid() != 1 && os.Getppid() == 0 }

// neighbours returns the command lines of this program in the other processes of the
// container, the first process first. It returns none outside of containers, where a
// client could find the wrong server.
func neighbours() (lines [][]string) {
	if !inContainer() {
		return nil
	}
	files, _ := filepath.Glob("/proc/[1-9]*/cmdline") // is sorted
	for _, file := range files {
		text, _ := os.ReadFile(file)
		words := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
		own := filepath.Dir(file) == "/proc/"+strconv.Itoa(os.Getpid())
		if !own && filepath.Base(words[0]) == filepath.Base(os.Args[0]) {
			lines = append(lines, words[1:])
		}
	}
	return lines
}

// adopt puts flags of the server in the same container before those of this command line,
// if both mean the same. A port does not replace that of a --listen on this command line.
func (c *call) adopt() {
	for _, words := range c.neighbours {
		server := readLine(c.commands, words)
		if server.command != c.commands[0] || c.command == server.command {
			continue
		}
		for _, flag := range c.command.flags() {
			if flag.variable != "" || flag.name == "port" && len(c.values["listen"]) == 0 {
				c.values[flag.name] = append(server.values[flag.name], c.values[flag.name]...)
			}
		}
		return
	}
}
