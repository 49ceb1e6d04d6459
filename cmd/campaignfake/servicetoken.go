package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// A serviceToken has the flags that say where the token of the real service is: in an environment
// variable or in a file.
type serviceToken struct {
	TokenEnv  string `env:"-" placeholder:"NAME" help:"The variable that has a token of the service, which is never printed."`
	TokenFile string `env:"-" placeholder:"FILE" help:"The file that has it."`
}

// read returns the token of the service. The file has precedence. Without a token, read fails.
func (s serviceToken) read(call *call) (string, error) {
	token := call.process.environ[s.TokenEnv]
	if s.TokenFile != "" {
		text, err := os.ReadFile(s.TokenFile)
		if err != nil {
			return "", fmt.Errorf("--token-file: %w; name the file that has the token", err)
		}
		token = strings.TrimSpace(string(text))
	}
	if token == "" && s.TokenFile != "" {
		return "", errors.New("the file of --token-file is empty; write the token into it")
	}
	if token == "" && s.TokenEnv != "" {
		// The message does not show s.TokenEnv. If somebody wrote --token-env $NAME, the shell has
		// replaced $NAME by the token.
		return "", errors.New("there is no token in the variable of --token-env; " +
			"give its name, without $, and export it")
	}
	if token == "" {
		return "", errors.New("there is no token; " +
			"name the variable that has it with --token-env, or its file with --token-file")
	}
	return token, nil
}
