// This program is compiled inside the module that is measured, by go build -overlay. A
// commit is measured by its own version of it, so that names may change: what it does
// should stay.
package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
	"gopkg.in/yaml.v3"
)

// functions are what is measured, and what that is compared with.
var functions = map[string]func(){
	"test server, start and close":            func() { testServer(nil) },
	"test server in memory, start and close":  func() { testServer(nil, fake.WithInMemory()) },
	"httptest.NewServer, start and close":     func() { httptest.NewServer(http.NotFoundHandler()).Close() },
	"test server with a user and one request": func() { testServer(getOwn, fake.WithUser("token", fake.User{Generate: &fake.Generate{Count: 10}})) },
	"httptest.NewServer with a handler and one request": func() {
		server := httptest.NewServer(handler)
		defer server.Close()
		get(server.Client(), server.URL)
	},
	"load": func() {
		_, err := fixtures.Load(os.Args[3])
		check(err)
	},
	"yaml.v3": func() {
		text, err := os.ReadFile(os.Args[3])
		check(err)
		check(yaml.Unmarshal(text, new(yaml.Node)))
	},
}

// main calls the function that the second argument names as often as the first says.
// It prints, for each call, nanoseconds that went by, nanoseconds of CPU and
// allocations; then the most memory that the process had, in KiB. A tenth as many calls
// come before that, to warm up.
func main() {
	count, err := strconv.Atoi(os.Args[1])
	check(err)
	call := functions[os.Args[2]]
	for range count / 10 {
		call()
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin, used := time.Now(), usage()
	for range count {
		call()
	}
	spent, now := time.Since(begin), usage()
	runtime.ReadMemStats(&after)
	each := func(total int64) float64 { return float64(total) / float64(count) }
	cpu := now.Utime.Nano() + now.Stime.Nano() - used.Utime.Nano() - used.Stime.Nano()
	fmt.Println(each(spent.Nanoseconds()), each(cpu), each(int64(after.Mallocs-before.Mallocs)), peak())
}

// usage has the CPU time of the process, that of the garbage collector included.
func usage() (u syscall.Rusage) {
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u
}

// peak returns the most memory that the process has had, in KiB.
func peak() string {
	status, err := os.ReadFile("/proc/self/status")
	check(err)
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	return strings.Fields(after)[0]
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// testServer starts a test server, uses it, and ends its test.
func testServer(use func(*fake.Server), options ...fake.Option) {
	t := &tb{}
	server := fake.NewTestServer(t, options...)
	if use != nil {
		use(server)
	}
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		t.cleanups[i]()
	}
}

func getOwn(server *fake.Server) { get(server.Client(), server.BaseURL()) }

func get(client *http.Client, base string) {
	request, err := http.NewRequest(http.MethodGet, base+"/user/campaigns", nil)
	check(err)
	request.Header.Set("Authorization", "Bearer token")
	response, err := client.Do(request)
	check(err)
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		check(fmt.Errorf("the status is %d", response.StatusCode))
	}
	_, err = io.Copy(io.Discard, response.Body)
	check(err)
}

// handler is what people write by hand: it answers with ten campaigns.
var handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer token" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(campaigns)))
	io.WriteString(w, campaigns)
})

var campaigns = `{"campaigns":[` + strings.TrimSuffix(strings.Repeat(
	`{"id":"8bba0f40-79be-47e8-a6e2-a0c80d09a900","name":"Grand Opening Free Shipping","created_at":"2025-08-24T20:09:38Z","updated_at":"2025-12-06T06:31:10Z","status":"active"},`, 10), ",") + `]}`

// A tb stands for the test that a server belongs to. The embedded interface is nil:
// it only makes a tb a testing.TB.
type tb struct {
	testing.TB
	cleanups []func()
}

func (t *tb) Helper()                   {}
func (t *tb) Name() string              { return "figures" }
func (t *tb) Cleanup(f func())          { t.cleanups = append(t.cleanups, f) }
func (t *tb) Failed() bool              { return false }
func (t *tb) Skipped() bool             { return false }
func (t *tb) Log(args ...any)           { fmt.Fprintln(io.Discard, args...) }
func (t *tb) Logf(f string, a ...any)   { fmt.Fprintf(io.Discard, f, a...) }
func (t *tb) Error(args ...any)         { check(fmt.Errorf("%s", fmt.Sprint(args...))) }
func (t *tb) Errorf(f string, a ...any) { check(fmt.Errorf(f, a...)) }
func (t *tb) Fatal(args ...any)         { check(fmt.Errorf("%s", fmt.Sprint(args...))) }
func (t *tb) Fatalf(f string, a ...any) { check(fmt.Errorf(f, a...)) }
