package wire_test

import (
	"testing"

	"example.com/campaignfake/fake/internal/wire"
)

func TestCut(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		``:               ``,
		`x`:              ``,
		`no JSON`:        `no `,
		`{"a":"bcdefg"}`: `{"a":"b`,
		`{"a":"漢字"}`:     `{"a":"`,
		`漢`:              ``,
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
