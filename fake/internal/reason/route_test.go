package reason_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/reason"
)

// If a few steps lead from a path to the right one, the reason names each step.
func TestWrongPaths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ base, path, want string }{
		{"/api", "/user/campaigns", "the base path /api is missing"},
		{"/api", "/api/api/user/campaigns", "the base path /api is there twice"},
		{"/api", "/api/user/campaigns/", "it ends in a slash"},
		{"/api", "/api//user/campaigns", "it has a doubled slash"},
		{"/api", "/API/User/campaigns", "its letters are in another case"},
		{"/api", "/api/user%2Fcampaigns", "parts of it are percent-encoded"},
		{
			base: "/api",
			path: "/api/user/%63ampaigns/",
			want: "parts of it are percent-encoded, and it ends in a slash",
		},
		{"/api", "//user/campaigns", "it has a doubled slash, and the base path /api is missing"},
		{"/api", "/user/Campaigns", ""},
		{"/api", "/api/user/campaigns/1", ""},
		{"/api", "/Api//campaigns", ""},
		{"", "/user/campaigns/", "it ends in a slash"},
		{"", "/api/user/campaigns", ""},
	} {
		want := "The path is " + tt.path + "."
		if tt.want != "" {
			want = "The path " + tt.path + " is nearly right, but " + tt.want + "."
		}
		found := reason.NewWrongPath(httptest.NewRequest("GET", tt.path, nil), tt.base)
		if got := found.Difference(); got != want {
			t.Errorf("under %q: %s\nwant %s", tt.base, got, want)
		}
	}
}

// For a client that means another path, the remedy names the setting for it, as a flag or as an
// option in Go.
func TestRemedies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ method, path, flag, option string }{
		{"GET", "/api/profile", "--upstream", "fake.WithFallback or fake.WithUpstream"},
		{"GET", "/v2/user/campaigns", "--base-path /v2,", `BasePath: "/v2"}); if a mux`},
		{"GET", "/user/campaigns", "", ""},
		{"CONNECT", "fake.test:443", "", ""},
	} {
		found := reason.NewWrongPath(httptest.NewRequest(tt.method, tt.path, nil), "/api")
		for isInTest, want := range map[bool]string{false: tt.flag, true: tt.option} {
			got := found.Remedy(isInTest)
			if !strings.Contains(got, want) || (got == "") != (want == "") {
				t.Errorf("%s, in a test %t: %q, want %q", tt.path, isInTest, got, want)
			}
		}
	}
}

// The sentence and the detail name the path that the service has.
func TestSentencesOfPaths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ method, target, sentence, detail string }{
		{
			"GET", "/users?page=2",
			"no route has this path: the path is /users; only GET /api/user/campaigns is here",
			"The path is /users. Only GET /api/user/campaigns is here.",
		},
		{
			"GET", "http://fake.test",
			"no route has this path: the path is /; only GET /api/user/campaigns is here",
			"The path is /. Only GET /api/user/campaigns is here.",
		},
		{
			"CONNECT", "fake.test:443",
			"no route has this path: the method is CONNECT, which is for proxies, and this " +
				"server is none; only GET /api/user/campaigns is here",
			"The method is CONNECT, which is for proxies, and this server is none. " +
				"Only GET /api/user/campaigns is here.",
		},
	} {
		found := reason.NewWrongPath(httptest.NewRequest(tt.method, tt.target, nil), "/api")
		if got := found.String(); got != tt.sentence {
			t.Errorf("the sentence is\n%s\nwant\n%s", got, tt.sentence)
		}
		if got := found.Detail(); got != tt.detail {
			t.Errorf("the detail is\n%s\nwant\n%s", got, tt.detail)
		}
	}
}

// A long path is not repeated as a whole.
func TestLongPath(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("GET", "/"+strings.Repeat("x", 10_000), nil)
	if got := reason.NewWrongPath(r, "/api").String(); len(got) > 400 {
		t.Errorf("the reason is %s", got)
	}
}
