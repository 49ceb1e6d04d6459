package ask_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/ask"
)

func TestParseURL(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://example.com":                     "",
		"http://localhost:1/api/":                 "",
		"http://[::1]:80/api":                     "",
		"http://127.8.9.1":                        "",
		"http://example.com/api":                  "neither HTTPS nor on this machine",
		"http://127.0.0.1.example.com/api":        "neither HTTPS nor on this machine",
		"http://10.0.0.1/api":                     "neither HTTPS nor on this machine",
		"ftp://127.0.0.1/api":                     "neither HTTPS nor on this machine",
		"https://me:hunter2hunter2@localhost/api": "without a user",
		"https://example.com/api?key=hunter2":     "without a user",
		"https://example.com/api#hunter2":         "without a user",
		"example.com/api":                         "cannot be used",
		"://":                                     "cannot be used",
		"":                                        "cannot be used",
	} {
		_, err := ask.ParseURL(base)
		isAsWanted := err == nil && want == "" || err != nil && want != "" && strings.Contains(err.Error(), want)
		if !isAsWanted || strings.Contains(fmt.Sprint(err), "hunter2") {
			t.Errorf("%s: the error is %v, want %q", base, err, want)
		}
	}
}

// A path is asked for below that of the base URL, which stays as it is written.
func TestRequest(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://example.com":         "https://example.com/user/campaigns",
		"https://example.com/api/":    "https://example.com/api/user/campaigns",
		"https://example.com/a%2Fb":   "https://example.com/a%2Fb/user/campaigns",
		"https://example.com/a%2Fb/":  "https://example.com/a%2Fb/user/campaigns",
		"https://example.com/a%20b/c": "https://example.com/a%20b/c/user/campaigns",
	} {
		parsed, err := url.Parse(base)
		if err != nil {
			t.Fatal(err)
		}
		request := ask.Endpoint{BaseURL: parsed}.Request("compare", "GET", "/user/campaigns")
		if request.URL.String() != want {
			t.Errorf("%s: it asks for %s, want %s", base, request.URL, want)
		}
	}
}
