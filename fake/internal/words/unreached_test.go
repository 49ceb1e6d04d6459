package words_test

import (
	"errors"
	"fmt"
	"net/url"
	"syscall"
	"testing"

	"example.com/campaignfake/fake/internal/words"
)

// A URL stands for the port of its scheme, unless it has one.
func TestNotThere(t *testing.T) {
	t.Parallel()
	for server, want := range map[string]string{
		"http://localhost/api": "localhost:80",
		"https://example.com":  "example.com:443",
		"http://[::1]:1":       "[::1]:1",
	} {
		parsed, err := url.Parse(server)
		if err != nil {
			t.Fatal(err)
		}
		want = "is not there: nothing listens at " + want
		if got := words.NotThere(parsed); got != want {
			t.Errorf("%s %s, want that it %s", server, got, want)
		}
	}
}

// On Windows, the error number of a refused connection is not the number in package syscall.
func TestIsRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		failure error
		want    bool
	}{
		{fmt.Errorf("dial: %w", syscall.ECONNREFUSED), true},
		{fmt.Errorf("dial: %w", syscall.Errno(10061)), true},
		{syscall.ECONNRESET, false},
		{errors.New("refused"), false},
	} {
		if got := words.IsRefused(tt.failure); got != tt.want {
			t.Errorf("that %v is a refused connection is %t, want %t", tt.failure, got, tt.want)
		}
	}
}
