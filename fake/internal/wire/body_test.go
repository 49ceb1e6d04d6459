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
