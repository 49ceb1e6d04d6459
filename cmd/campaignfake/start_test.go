package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkStart measures the way from the command line to the first answer, without what
// packages do before main, and the system for a process.
func BenchmarkStart(b *testing.B) {
	file := filepath.Join(b.TempDir(), "own.yaml")
	if err := os.WriteFile(file, []byte("users: {demo: {generate: {count: 10}}}\n"),
		0o600); err != nil {
		b.Fatal(err)
	}
	request := httptest.NewRequest("GET", "/api/user/campaigns", nil)
	request.Header.Set("Authorization", "Bearer demo")
	ask := func(b *testing.B, handler http.Handler) {
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		if recorder.Code != http.StatusOK {
			b.Fatalf("the status is %d", recorder.Code)
		}
	}
	for name, args := range map[string][]string{"gallery": nil, "own fixtures": {file}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				call := newCall(b.Context(), new(process))
				parsed, err := call.parser.Parse(append([]string{"serve"}, args...))
				if err != nil {
					b.Fatal(err)
				}
				serve := parsed.Selected().Target.Addr().Interface().(*serveCommand)
				s, err := serve.newServing(call, slog.New(slog.DiscardHandler))
				if err != nil {
					b.Fatal(err)
				}
				ask(b, s.server)
				s.server.Close()
			}
		})
	}
}
