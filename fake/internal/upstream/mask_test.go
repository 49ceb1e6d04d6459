package upstream_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"example.com/campaignfake/fake/internal/upstream"
)

// Cookies are shown without their values, and everything else as it is.
func TestMaskCookies(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		header, want http.Header
	}{
		"no cookies": {
			http.Header{"Authorization": {"Bearer token"}},
			http.Header{"Authorization": {"Bearer token"}},
		},
		"request": {
			http.Header{
				"Cookie":        {"id=s3cret; theme=dark", `other="s3"`},
				"Authorization": {"Bearer token"},
			},
			http.Header{"Cookie": {"id=…; theme=…", "other=…"}, "Authorization": {"Bearer token"}},
		},
		"odd request": {
			http.Header{"Cookie": {"id=a=b;c=d;; s3cret; =s3cret; empty="}},
			http.Header{"Cookie": {"id=…;c=…;;…; =…; empty="}},
		},
		"answer": {
			http.Header{"Set-Cookie": {"id=s3cret; Path=/; HttpOnly", "other=s3cret"}},
			http.Header{"Set-Cookie": {"id=…; Path=/; HttpOnly", "other=…"}},
		},
		"logout": {
			http.Header{"Set-Cookie": {"id=; Max-Age=0"}},
			http.Header{"Set-Cookie": {"id=; Max-Age=0"}},
		},
		"odd answer": {
			http.Header{"Set-Cookie": {"s3cret; Path=/", "", ";"}},
			http.Header{"Set-Cookie": {"…; Path=/", "", ";"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := tt.header.Clone()
			got := upstream.MaskCookies(tt.header)
			if !maps.EqualFunc(got, tt.want, slices.Equal) {
				t.Errorf("it is shown as\n%q, want\n%q", got, tt.want)
			}
			if !maps.EqualFunc(tt.header, before, slices.Equal) {
				t.Errorf("the headers themselves have become %q", tt.header)
			}
		})
	}
}
