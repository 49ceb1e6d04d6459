package upstream_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"example.com/campaignfake/fake/internal/upstream"
)

// Cookies of the upstream become ours: without a domain, for our paths, and over HTTP without
// attributes that need HTTPS.
func TestCookies(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		cookie   string
		overHTTP string
		overTLS  string
	}{
		"all attributes": {
			"id=s; Domain=.example.com; Path=/v1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; " +
				"Max-Age=60; Secure; HttpOnly; SameSite=None; Partitioned; Priority=High",
			"id=s; Path=/api; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Max-Age=60; HttpOnly; " +
				"Priority=High",
			"id=s; Path=/api; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Max-Age=60; " +
				"Secure; HttpOnly; SameSite=None; Partitioned; Priority=High",
		},
		"otherwise written": {
			"id=s;domain=example.com;path=/v1/;secure;samesite=none;partitioned",
			"id=s; Path=/api/",
			"id=s; Path=/api/;secure;samesite=none;partitioned",
		},
		"another SameSite": {
			"id=s; SameSite=Strict; Secure",
			"id=s; SameSite=Strict",
			"id=s; SameSite=Strict; Secure",
		},
		"no path": {
			"id=s; Path=; Path",
			"id=s; Path=; Path=",
			"id=s; Path=; Path=",
		},
		"__Host-": {
			"__Host-id=s; Path=/; Secure; SameSite=None; Partitioned",
			"__Host-id=s; Path=/; Secure; SameSite=None; Partitioned",
			"__Host-id=s; Path=/; Secure; SameSite=None; Partitioned",
		},
		"__Secure-": {
			"__secure-id=s; Domain=example.com; Path=/v1; Secure; SameSite=None",
			"__secure-id=s; Path=/api; Secure; SameSite=None",
			"__secure-id=s; Path=/api; Secure; SameSite=None",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy := newMemoryProxy(t, "/v1", func(w http.ResponseWriter, r *http.Request) {
				w.Header()["Set-Cookie"] = []string{tt.cookie, "other=1"}
			})
			for scheme, want := range map[string]string{"http": tt.overHTTP, "https": tt.overTLS} {
				cookies := get(t, proxy, scheme+"://fake.test/api/login").Header()["Set-Cookie"]
				if len(cookies) != 2 || cookies[0] != want || cookies[1] != "other=1" {
					t.Errorf("over %s, the cookies are\n%q, want\n%q", scheme, cookies, want)
				}
			}
		})
	}
}

// If the upstream's URL has no path, the path of a cookie is below our base path if the path of the
// request was.
func TestCookiePathOfTheRoot(t *testing.T) {
	t.Parallel()
	proxy := newMemoryProxy(t, "", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Set-Cookie", "id=s; Path=/auth")
		w.Header().Add("Set-Cookie", "all=s; Path=/")
	})
	for sent, want := range map[string]string{
		"/api/auth/login": "id=s; Path=/api/auth",
		"/auth/login":     "id=s; Path=/auth",
	} {
		cookies := get(t, proxy, sent).Header()["Set-Cookie"]
		if len(cookies) != 2 || cookies[0] != want || cookies[1] != "all=s; Path=/" {
			t.Errorf("%s: the cookies are %q, want %q", sent, cookies, want)
		}
	}
}

// Cookies are shown without their values, and everything else as it is.
func TestMaskCookies(t *testing.T) {
	t.Parallel()
	header := http.Header{
		"Authorization": {"Bearer token"},
		"Cookie":        {"id=a=b;c=d;; s3cret; =s3cret; empty=", `other="s3"`},
		"Set-Cookie":    {"id=s3cret; Path=/; HttpOnly", "s3cret; Path=/", "", ";"},
	}
	want := http.Header{
		"Authorization": {"Bearer token"},
		"Cookie":        {"id=…;c=…;;…; =…; empty=", "other=…"},
		"Set-Cookie":    {"id=…; Path=/; HttpOnly", "…; Path=/", "", ";"},
	}
	before := header.Clone()
	if got := upstream.MaskCookies(header); !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("it is shown as\n%q, want\n%q", got, want)
	}
	if !maps.EqualFunc(header, before, slices.Equal) {
		t.Errorf("the headers themselves have become %q", header)
	}
}
