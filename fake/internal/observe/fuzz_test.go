package observe

import (
	"bytes"
	"net/http"
	"net/url"
	"testing"
	"testing/fstest"
	"time"

	"example.com/campaignfake/fixtures"
)

// Whatever a service sends as a list and as an error, what is concluded can be written
// down and loads, and the service does not differ from itself.
func FuzzListing(f *testing.F) {
	for _, body := range []string{
		`{"campaigns":[{"id":"1","name":null,"created_at":"2026-01-05T09:30:00Z","status":"active","x":{"a":[1,2.5,null]}}],"next":null}`,
		`[{"id":7,"title":"a","tags":[]},{"id":8,"title":"b","tags":["a"],"when":"2026-07-24 10:00:00","u":"https://example.com/a","b":true}]`,
		`{"data":{"items":[{"":1,"<<":-7,"null":"","a\nb":1e9,"id":1,"state":"{x}"}]},"none":[],"meta":{"next":{"a":1},"total":1}}`,
		`[{"p":[{},[]],"q":"","r":1,"id":"c1","name":"{id}"},{"p":"x","q":"","r":"one","id":"c2","name":"#?"}]`,
		`[{"id":"","name":"","created_at":"","u":""},{"id":"","name":"","created_at":"","u":""},{"id":"3","name":"a","created_at":"2026-01-05T09:30:00Z","u":"6f1c2a54-8a3e-4c55-9d57-2b1f0c9e7a10"}]`,
		`{"x":[{"<":7,"l":"","\nid":1,"state":"{x}"}],"e":[]}`,
		`{"error":{"code":190,"message":"{detail}"},"list":[{"id":"a_1","name":"$fake","$fake":{"$value":1}}]}`,
	} {
		f.Add([]byte(body), []byte(`{"error":{"code":190,"status":"401","errors":[{"detail":"{x}"}]}}`))
	}
	f.Fuzz(func(t *testing.T, text, failure []byte) {
		a := &Asker{BaseURL: &url.URL{Host: "campaigns.example"}, Token: "a-secret-token", Withheld: make(map[string]string)}
		l, err := readListing(text, Shape{})
		if err != nil {
			return
		}
		got := func(status int, body []byte) *answer {
			return &answer{status: status, header: http.Header{"Content-Type": {"application/json"}}, body: body}
		}
		v := &View{errors: make(map[string]*node), facts: make(map[string]string), once: make(map[string]bool)}
		b := a.see(v, got(200, text), l, got(200, text))
		v.seeRefusals(b, answers{
			askNoToken.Name: got(401, failure), askNoToken.confirm().Name: got(401, failure),
			askNothing.Name: got(404, failure), askNothing.confirm().Name: got(404, failure),
		})
		for _, found := range Compare(v, v, v.statuses, nil) {
			if found.Verdict == Differs {
				t.Fatalf("a service differs from itself: %+v", found)
			}
		}
		var written bytes.Buffer
		observed := fixtures.Observed{At: time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC), Service: v.Service(nil)}
		if err := observed.WriteYAML(&written); err != nil {
			t.Fatalf("%+v cannot be written: %v", observed, err)
		}
		if _, err := fixtures.LoadFS(fstest.MapFS{"observed.yaml": {Data: written.Bytes()}}); err != nil {
			t.Fatalf("what was written does not load: %v\n%s", err, written.Bytes())
		}
	})
}
