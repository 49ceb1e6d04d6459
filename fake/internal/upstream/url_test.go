package upstream_test

import (
	"net/url"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/upstream"
)

// A URL that cannot be used is refused with what to write, and without its secrets.
func TestCheckURL(t *testing.T) {
	t.Parallel()
	const example = "; write one as https://staging.example.com/v1"
	const endBefore = "the URL has a query; end it before the question mark"
	const leaveOut = "the URL has a user name or a password; " +
		"leave it out, since each request brings its own Authorization header"
	for name, tt := range map[string]struct {
		text string
		want string // the error; "" for no error
	}{
		"https": {"https://api.example.com/v1", ""},
		"empty": {"", "the URL does not begin with http:// or https://" + example},
		"other scheme": {
			text: "ws://api.example.com",
			want: "the URL does not begin with http:// or https://" + example,
		},
		"no host":     {"https:///v1", "the URL has no host" + example},
		"password":    {"https://me:s3cret@api.example.com", leaveOut},
		"query":       {"https://api.example.com/?key=s3cret", endBefore},
		"empty query": {"https://api.example.com/?", endBefore},
		"fragment": {
			text: "https://api.example.com/#s3cret",
			want: "the URL has a fragment; end it before the #",
		},
		"port too large": {
			"http://api.example.com:65536",
			"no server can have the port 65536; write one from 1 to 65535, or none",
		},
		"port 0": {
			"http://api.example.com:0",
			"no server can have the port 0; write one from 1 to 65535, or none",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u, err := url.Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if err := upstream.CheckURL(u); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("CheckURL of %s returns %q, want %q", tt.text, got, tt.want)
			}
			if strings.Contains(got, "s3") {
				t.Errorf("%q tells a secret", got)
			}
		})
	}
}
