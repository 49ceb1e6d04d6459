package wire_test

import (
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/wire"
)

func TestCut(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		``:                                     ``,
		`x`:                                    ``,
		`no JSON`:                              `no `,
		`{"a":"bcde"}`:                         `{"a":"bc`,
		`{"key":"value","list":[1,2,3,4,5,6]}`: `{"key":"va`,
		`{"list":[1,2,3,4,5,6],"key":"value"}`: `{"list":[1,2,3,4,5,6],"key":"va`,
		`{"a":"` + strings.Repeat("漢", 5) + `"}`: `{"a":"漢`,
		`{"a":"\"\"\"\"","b":1}`:                 `{"a":"\"\"\`,
		`{"a":"漢字"}`:                             `{"a":"`,
		`{"a":"open`:                             `{"a":`,
	} {
		cut := wire.Cut([]byte(body))
		if got := body[:cut]; got != want {
			t.Errorf("of %s is left %s, want %s", body, got, want)
		}
	}
}

// Whatever the body is, something is missing of it.
func FuzzCut(f *testing.F) {
	for _, body := range []string{"", `"`, `"\`, `{"a":"b`, `{"a":"漢字"}`, `[{"name":"x"}]`, `:"":""`} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		cut := wire.Cut([]byte(body))
		if cut < 0 || cut > len(body) || cut == len(body) && body != "" {
			t.Errorf("%q is cut at %d", body, cut)
		}
	})
}
