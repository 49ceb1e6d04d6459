package observe

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.com/campaignfake/fixtures"
)

// Whatever a service sends as a list, what is concluded can be written down, loads, and
// is the same at a second look.
func FuzzListing(f *testing.F) {
	for _, body := range []string{
		`{"campaigns":[{"id":"1","name":null,"created_at":"2026-01-05T09:30:00Z","status":"active","x":{"a":[1,2.5,null]}}],"next":null}`,
		`[{"id":7,"tags":[]},{"id":8,"tags":["a"],"when":"2026-07-24 10:00:00","u":"https://example.com/a","b":true}]`,
		`{"data":{"items":[{"":1,"<<":-7,"null":"","a\nb":1e9}]},"none":[]}`, `{"none":[{}]}`, `{"a":[[]],"b":[{}]}`,
		`[{"p":[{},[]],"q":"","r":1,"id":"c1"},{"p":"x","q":"","r":"one","id":"c2"}]`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := readListing(text)
		if err != nil {
			return
		}
		traits := l.traits()
		again := l.traits()
		traits.confirm(again)
		for _, found := range Compare(again, traits, nil) {
			told := strings.HasPrefix(found.Setting, "campaign.") || found.Setting == "timestamps" // which no setting may say
			if found.Verdict == Differs && !told {
				t.Fatalf("a service differs from itself: %+v", found)
			}
		}
		var written bytes.Buffer
		observed := fixtures.Observed{At: time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC), Service: traits.Service(nil)}
		if err := observed.WriteYAML(&written); err != nil {
			t.Fatalf("%+v cannot be written: %v", observed, err)
		}
		if _, err := fixtures.LoadFS(fstest.MapFS{"observed.yaml": {Data: written.Bytes()}}); err != nil {
			t.Fatalf("what was written does not load: %v\n%s", err, written.Bytes())
		}
	})
}
