package services

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.com/campaignfake/ci/process"
)

// families are those of servers/families.py, and who reads them.
var families = map[string]string{
	"laravel": "node", "jsonapi": "node", "stripe": "node", "hubspot": "node", "graphql": "node", "strapi": "node",
	"django": "python3", "fastapi": "python3", "facebook": "python3", "bare": "python3", "mongo": "python3",
	"rails": "go", "salesforce": "go", "spring": "go", "dotnet": "go", "epoch": "go",
}

// compiled returns the client in JavaScript, made once of the one in TypeScript.
var compiled = sync.OnceValues(func() (string, error) {
	out, err := exec.Command(filepath.Join("node_modules", ".bin", "tsc"), "--project", ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("clients.ts does not compile: %v\n%s", err, out)
	}
	return filepath.Join("node_modules", ".clients", "clients.js"), nil
})

// meet has the client of a family meet a server.
func meet(t *testing.T, family, baseURL, token string) (met, error) {
	t.Helper()
	script := "clients.py"
	switch families[family] {
	case "go":
		return goClients[family](baseURL, token)
	case "node":
		var err error
		if script, err = compiled(); err != nil {
			t.Fatal(err)
		}
	}
	var m met
	var errors strings.Builder
	command := exec.Command(families[family], script, family, baseURL, token)
	command.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	command.Stderr = &errors
	out, err := command.Output()
	if err != nil {
		return m, fmt.Errorf("%v: %.2000s", err, errors.String())
	}
	return m, json.Unmarshal(out, &m)
}

// A learnt family is what compare --write has written of its service, and the outcome of
// that run.
type learnt struct {
	file string
	outcome
}

// learn compares a service of a family with the defaults, and writes down what is concluded.
func learn(t *testing.T, family string, changes ...string) learnt {
	t.Helper()
	file := filepath.Join(t.TempDir(), "observed.yaml")
	s := start(t, "families.py", append([]string{family}, changes...)...)
	o := compare(t, s.baseURL, "--write", file)
	s.safe(t)
	if o.status != 4 {
		t.Fatalf("the status is %d, want 4\n%s", o.status, o)
	}
	written(t, file)
	return learnt{file, o}
}

// A client that works with a service works without a change with the fake that has learnt
// it, and comparing again finds nothing.
func TestClientsOfFamilies(t *testing.T) {
	t.Parallel()
	for family, language := range families {
		t.Run(family+" in "+language, func(t *testing.T) {
			t.Parallel()
			s := start(t, "families.py", family)
			want, err := meet(t, family, s.baseURL, token)
			if err != nil || want.Count != 24 {
				t.Fatalf("with the service, the client has %+v, and the error %v", want, err)
			}
			l := learn(t, family)
			server := process.Start(t, "--gallery", l.file)
			for token, count := range map[string]int{"demo": 8, "many": 250, "single": 1} {
				want.Count = count
				if got, err := meet(t, family, server.BaseURL, token); err != nil || got != want {
					t.Errorf("with %s, the client has %+v, want %+v; its error is: %v", token, got, want, err)
				}
			}
			again := compare(t, s.baseURL, l.file, "--strict")
			if again.status != 0 {
				t.Errorf("compared again, the status is %d, want 0\n%s", again.status, again)
			}
			if t.Failed() {
				text, _ := os.ReadFile(l.file)
				t.Logf("what was written is\n%s", text)
			}
		})
	}
}
