package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"example.com/campaignfake/fixtures"
)

// An effect is a change that a flag makes, and that the variable of the flag makes, too.
type effect struct {
	flag, value string // value is "" for a switch that is turned on
	args        []string
	observe     observer
	want        string // a text that is observed only with the flag
}

// An observer runs a command, and returns what can be seen of it.
type observer func(t *testing.T, env, args []string) string

// output runs a command that ends by itself, and returns its output and its exit status.
func output(t *testing.T, env, args []string) string {
	t.Helper()
	r := finish(t, env, args...)
	return fmt.Sprint(r.stdout, r.stderr, "status ", r.status)
}

// start is the first line that a server prints, or why it does not start.
func start(t *testing.T, env, args []string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	read, write := io.Pipe()
	first := make(chan string, 1)
	go func() {
		stdout := bufio.NewReader(read)
		line, _ := stdout.ReadString('\n')
		first <- line
		cancel()
		io.Copy(io.Discard, stdout)
	}()
	var stderr bytes.Buffer
	run(ctx, testProcess(write, &stderr, env, args...))
	write.Close()
	return <-first + stderr.String()
}

// answer returns an observer of a server's answer to a request. The request is given as its lines.
func answer(request string) observer {
	return func(t *testing.T, env, args []string) string {
		t.Helper()
		return serve(t, env, args...).send(request)
	}
}

// end asks a server for campaigns and for another path, and returns its log and its exit status.
func end(t *testing.T, env, args []string) string {
	t.Helper()
	p := serve(t, env, args...)
	p.list("demo")
	p.send("GET /nowhere")
	p.signal(syscall.SIGTERM)
	<-p.exited
	return fmt.Sprint(p.stderr, "status ", p.code)
}

// content observes the content of a file while a server runs.
func content(name string) observer {
	return func(t *testing.T, env, args []string) string {
		t.Helper()
		p := serve(t, env, args...)
		text, _ := os.ReadFile(name) // without the flag there is no such file
		p.end(syscall.SIGTERM, 0)
		return string(text)
	}
}

// effects has a line for each flag of each command, and more lines for some. The table in package
// fake has the keys of the format, the calls of the control plane, and the options in Go.
func effects(t *testing.T) map[string][]effect {
	const (
		list      = "GET /api/user/campaigns\nAuthorization: Bearer t"
		demo      = "GET /api/user/campaigns\nAuthorization: Bearer demo"
		origin    = "http://localhost:5173"
		origins   = "https://app.example, " + origin
		preflight = "OPTIONS /api/user/campaigns\nAccess-Control-Request-Method: GET\nOrigin: " +
			origin
		users   = "GET /_fake/users\n"
		page    = users + "Sec-Fetch-Site: cross-site\nOrigin: " + origin
		hosts   = "Campaigns.example.com, 192.0.2.7"
		allowed = "Access-Control-Allow-Origin: " + origin
		alice   = "users: {alice: {description: from the text}}"
	)
	ready := filepath.Join(t.TempDir(), "ready.json")
	certificate, key, _ := certificateFiles(t)
	own := file(t, "own.yaml", "users: {own: {}}\n")
	likeDemo := file(t, "like.yaml", "service: {unknown_tokens: like demo}\n")
	token := file(t, "token", secretToken)
	upstream := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(upstream.Close)
	real := func() string { return service(t, usual, 100) } // a service for each line

	running := serve(t, nil)
	address := strings.TrimPrefix(running.root, "http://")
	_, port, _ := strings.Cut(address, ":")
	secure := serve(t, nil, "--tls-cert", certificate, "--tls-key", key)
	secureAddress := "--listen=" + strings.TrimPrefix(secure.root, "https://")

	const healthy = "status 0"
	return map[string][]effect{
		"serve": {
			{"--listen", "192.0.2.1:0", nil, start, "192.0.2.1"},
			{"--port", port, nil, start, "something else listens"},
			{"--tls-cert", certificate, []string{"--quiet", "--tls-key", key}, start, "https://"},
			{"--tls-key", key, []string{"--quiet", "--tls-cert", certificate}, start, "https://"},
			{"--base-path", "/v2", nil, answer("GET /v2/user/campaigns"), "401 Unauthorized"},
			{"--unknown-tokens", "reject", nil, answer(list), "401 Unauthorized"},
			{"--unknown-tokens", "like empty", nil, answer(list), `{"campaigns":[]}`},
			{"--upstream", upstream.URL, nil, answer("GET /api/x"), "404 page not found"},
			{"--gallery", "", []string{own}, answer(users), "demo"},
			{"--fixtures", alice, nil, answer(users), "from the text"},
			{"--delay", "1ms..2ms", nil, answer("GET /_fake/service"), `"1ms..2ms"`},
			{"--seed", "7", nil, answer(list), firstName(7)},
			{"--cors", "off", nil, answer(preflight), "405 Method Not Allowed"},
			{"--cors", origins, nil, answer(preflight), allowed},
			{"--ready-file", ready, nil, content(ready), `{"base_url":"http://127.0.0.1:`},
			{"--log-format", "json", nil, end, `{"time":"`},
			{"--quiet", "", []string{"--port=0"}, start, "http"},
			{"--strict", "", nil, end, "status 3"},
			{"--control", "off", nil, answer(users), "404 Not Found"},
			{"--control-hosts", hosts, nil, answer(users + "Host: campaigns.example.com"), "200 OK"},
			{"--control-origins", origins, nil, answer(page), allowed},
		},
		"check": {
			{"--gallery", "", []string{likeDemo}, output, "no mistakes"},
		},
		"compare": {
			{"--gallery", "", []string{real(), likeDemo, "--token-file", token}, output, "status 4"},
			{"--token-env", "SERVICE_TOKEN", []string{real()}, output, "status 4"},
			{"--token-file", token, []string{real()}, output, "status 4"},
			{"--origin", origin, []string{real(), "--token-file", token}, output, "cors"},
			{"--skip", "timestamps", []string{real(), "--token-file", token}, output, ""},
		},
		"record": {
			{"--token-env", "SERVICE_TOKEN", []string{real()}, output, `"recorded":`},
			{"--token-file", token, []string{real()}, output, `"recorded":`},
			{"--token", "alice", []string{real(), "--token-file", token}, output, `"alice":`},
			{"--settings", "", []string{real(), "--token-file", token}, output, "service:"},
			{"--origin", origin, []string{real(), "--settings", "--token-file", token}, output, "cors"},
		},
		"generate": {
			{"--token", "alice", nil, output, `"alice":`},
			{"--count", "0", []string{"--token=t"}, output, `"t": {}`},
			{"--seed", "7", []string{"--token=t"}, output, firstName(7)},
		},
		"health": {
			{"--url", running.root, nil, output, healthy},
			{"--listen", address, nil, output, healthy},
			{"--port", port, nil, output, healthy},
			{"--tls-cert", certificate, []string{secureAddress}, output, healthy},
			{"--tls-key", key, []string{secureAddress}, output, healthy},
		},
		"openapi": {
			{"--base-path", "/v2", nil, output, `"url":"/v2"`},
			{"--unknown-tokens", "like nobody", nil, output, "no user has the token"},
			{"--upstream", upstream.URL, []string{"--unknown-tokens=upstream"}, output, healthy},
			{"--gallery", "", []string{likeDemo}, output, healthy},
			{"--fixtures", "service: {extra: {budget: 7}}", nil, output, `"budget"`},
		},
	}
}

// without has the flags of each command that have no effect in this table:
// openapi takes every flag of serve, so that the command line of a server works for it, too.
var without = map[string][]string{
	"openapi": {"--delay", "--seed", "--cors"},
}

// firstName returns the name of the first campaign that is generated for the token t.
func firstName(seed uint64) string {
	generated := fixtures.User{Generate: &fixtures.Generate{Count: 1}}
	for campaign := range (fixtures.Service{Seed: seed}).Campaigns("t", generated) {
		return campaign.Name
	}
	return ""
}

// Each flag changes something, and so does its variable.
func TestEffects(t *testing.T) {
	t.Parallel()
	table := effects(t)
	for _, command := range newCall(t.Context(), testProcess(nil, nil, nil)).parser.Model.Children {
		for _, flag := range command.Flags {
			name := "--" + flag.Name
			isTold := slices.Contains(without[command.Name], name)
			for _, e := range table[command.Name] {
				if e.flag != name {
					continue
				}
				isTold = true
				t.Run(command.Name+" "+name+" "+e.value, func(t *testing.T) {
					t.Parallel()
					e.check(t, command.Name, flag.Envs)
				})
			}
			if !isTold {
				t.Errorf("%s %s has no line in the table of effects", command.Name, name)
			}
		}
	}
}

// check observes a command without the flag, with the flag, and with each of the variables.
func (e *effect) check(t *testing.T, command string, variables []string) {
	value := cmp.Or(e.value, "on")
	line := append([]string{command}, e.args...)
	env := []string{"SERVICE_TOKEN=" + secretToken}

	before := e.observe(t, env, line)
	with := map[string]string{
		e.flag: e.observe(t, env, append(line, e.flag+"="+value)),
	}
	for _, name := range variables {
		with[name] = e.observe(t, append(env, name+"="+value), line)
	}
	for way, after := range with {
		isNew := before != after && (e.want == "" || !strings.Contains(before, e.want))
		if !isNew || !strings.Contains(after, e.want) {
			t.Errorf("with %s this is observed:\n%.1000s\nand without it:\n%.1000s\n"+
				"want %q with it alone",
				way, after, before, e.want)
		}
	}
}
