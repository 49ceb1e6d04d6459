package upstream_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"

	"example.com/campaignfake/fake/internal/upstream"
)

// A request that is passed on is to cost at most 1.15 of what ReverseProxy alone does with it.
func BenchmarkPass(b *testing.B) {
	api := newUpstream(b, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"name": "a profile"}`)
	})
	target, err := url.Parse(api)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("ReverseProxy", func(b *testing.B) {
		alone := httptest.NewServer(&httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(target)
			},
		})
		defer alone.Close()
		send(b, alone)
	})
	b.Run("Pass", func(b *testing.B) {
		proxy := newProxy(b, api)
		f := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			proxy.Pass(w, r, upstream.Options{BasePath: "/api"})
		}))
		defer f.Close()
		send(b, f)
	})
}

// send sends requests one after the other.
func send(b *testing.B, server *httptest.Server) {
	client := server.Client()
	b.ReportAllocs()
	for b.Loop() {
		response, err := client.Get(server.URL + "/profile")
		if err != nil {
			b.Fatal(err)
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
}
