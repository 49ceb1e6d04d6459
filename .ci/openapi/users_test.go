package openapi

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// deep are the files that have values as deep as YAML may have them in extra. JSON
// may have as many levels in all, and so a few less there.
var deep = map[string]bool{"extra-deep.yaml": true}

// Every user that the loader accepts can be put and got in JSON, and is in both
// directions as the document has it.
func TestUsersOfFixtures(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithLogger(nil), fake.WithService(fake.Service{BasePath: basePath}))
	d := describe(t, srv, controlDocument)
	met := 0
	for _, folder := range []string{"../../fixtures/testdata/good", "../../fixtures/gallery"} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if extension := filepath.Ext(entry.Name()); !entry.IsDir() && extension != ".yaml" && extension != ".yml" {
				continue
			}
			set, err := fixtures.Load(filepath.Join(folder, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			for _, token := range set.Tokens() {
				met++
				body, err := json.Marshal(set.Users[token])
				if err != nil {
					t.Fatal(err)
				}
				// Any number is as good as one that the validator cannot hold.
				text := strings.ReplaceAll(string(body), "1e400", "1e40")
				put := step{method: "PUT", path: "/_fake/users?token=" + url.QueryEscape(token), body: text, status: http.StatusCreated}
				if deep[entry.Name()] {
					put.status = http.StatusBadRequest
				}
				steps := []step{put}
				if put.status == http.StatusCreated {
					put.status = http.StatusOK
					steps = append(steps, put)
					put.method, put.body = "GET", ""
					steps = append(steps, put)
					put.method, put.status = "DELETE", http.StatusOK
					steps = append(steps, put)
				}
				for _, s := range steps {
					x := s.exchange(srv)
					if err := x.send(t, srv.Client()); err != nil {
						t.Fatal(err)
					}
					if x.status != s.status {
						t.Errorf("%s: %s is answered %d %.1000s, want %d", entry.Name(), x, x.status, x.answer, s.status)
					}
					if refused := d.refusedRequest(t, x); len(refused) > 0 {
						t.Errorf("%s: %s is refused by the document: %.2000s", entry.Name(), x, explainAll(refused))
					}
					d.checkAnswer(t, x)
				}
			}
		}
	}
	if met == 0 {
		t.Error("there are no users")
	}
}
