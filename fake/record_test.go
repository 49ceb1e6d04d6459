package fake_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A recorded user gets from the fake what the service answers, here another fake.
func TestRecord(t *testing.T) {
	t.Parallel()
	edges := fixtures.User{Generate: &fixtures.Generate{Count: 20, EdgeCases: "all"}}
	service := fake.NewTestServer(t, fake.WithUser("edges", edges))
	target := fake.Target{BaseURL: service.BaseURL(), Token: "edges"}
	recording, err := fake.Record(t.Context(), target)
	if err != nil || len(recording.Notes) > 0 {
		t.Fatalf("recorded is %+v, %v", recording, err)
	}
	_, want := list(t, service, "edges")
	saved, err := fake.RecordAnswer([]byte(want), "")
	if err != nil || len(saved.Notes) > 0 {
		t.Fatalf("recorded is %+v, %v", saved, err)
	}
	srv := fake.NewTestServer(t,
		fake.WithUser("recorded", recording.User),
		fake.WithUser("saved", saved.User))
	for _, token := range []string{"recorded", "saved"} {
		if _, got := list(t, srv, token); got != want {
			t.Errorf("the user %s gets\n%s\nwant\n%s", token, got, want)
		}
	}
}

// servedRecording returns what a server answers to the user of a recording, which was written as a
// file of fixtures and loaded again.
func servedRecording(t *testing.T, recording *fake.Recording) *httptest.ResponseRecorder {
	t.Helper()
	var file strings.Builder
	set := fixtures.Set{Users: map[string]fixtures.User{"recorded": recording.User}}
	if err := set.WriteYAML(&file); err != nil {
		t.Fatal(err)
	}
	return record(withFile(t, file.String()), "recorded")
}

// parsed returns a value of JSON, whose numbers keep their digits.
func parsed(t *testing.T, text string) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%.200s is not JSON: %v", text, err)
	}
	return value
}

// The answers of services of all makings are served as they were, after parsing: parsing.
func TestRecordedAnswersAreServed(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 150) + strings.Repeat("]", 150)
	for _, tt := range []struct {
		name, body string
		note       string // a part of what is said beside the fixture
	}{
		{name: "no campaigns", body: `{"campaigns":[]}`},
		{
			name: "ids that are numbers",
			body: `{"campaigns":[{"id":1},{"id":9007199254740993},{"id":-0},{"id":1E400}]}`,
		},
		{
			name: "nulls",
			body: `{"campaigns":[{"id":null,"name":null,"created_at":null,"updated_at":null,` +
				`"status":null}]}`,
		},
		{
			name: "empty texts",
			body: `{"campaigns":[{"id":"","name":"","created_at":"","updated_at":"","status":""}]}`,
		},
		{
			name: "words that YAML knows",
			body: `{"campaigns":[{"id":"0123","name":"null","status":"true","created_at":"~",
				"updated_at":"1.0","on":"yes","<<":"a","omit":["id"],"extra":{"a: b":"- c"}}]}`,
		},
		{
			name: "dates of all kinds",
			body: `{"campaigns":[
				{"created_at":"2026-01-05T09:30:00.123456Z","updated_at":"2026-01-05 09:30:00"},
				{"created_at":"2026-01-05","updated_at":1767605400},
				{"created_at":"Mon, 05 Jan 2026 09:30:00 GMT","updated_at":[2026,1,5,9,30]},
				{"created_at":"2026-01-05T09:30:00.000+00:00","updated_at":"05.01.2026 09:30"}]}`,
		},
		{
			name: "names that are hard to see",
			body: `{"campaigns":[{"name":"a\u202egnp.exe\u202c"},{"name":"👩‍👩‍👧 \u200b"},
				{"name":"\u2028\ufeff\u0000"},{"name":"a\r\nb"},{"name":"<b>&amp;</b>"}]}`,
		},
		{
			name: "nested",
			body: `{"campaigns":[{"id":"1","owner":{"id":7,"teams":[{"name":"a"},[],{}]},` +
				`"flags":[true,false,null]}]}`,
		},
		{name: "a key twice", body: `{"campaigns":[{"id":"1","id":"2"}]}`},
		{name: "a byte order mark", body: "\ufeff" + `{"campaigns":[{"id":"1"}]}`},
		{
			name: "Laravel",
			body: `{"data":[{"id":1,"name":"Spring","budget":"12.50",
				"created_at":"2026-01-05T09:30:00.000000Z"}],
				"links":{"first":"http:\/\/localhost?page=1","next":null},"meta":{"total":1}}`,
			note: "another shape",
		},
		{
			name: "Django",
			body: `{"count":1,"next":null,"previous":null,"results":[{"id":1,"rate":12.50}]}`,
			note: "another shape",
		},
		{
			name: "Rails",
			body: `[{"id":1,"name":"Spring","created_at":"2026-01-05T09:30:00.000Z"}]`,
			note: "another shape",
		},
		{
			name: "Express",
			body: `{"campaigns":[{"_id":"64f","__v":0}],"total":1}`,
			note: "another shape",
		},
		{
			name: "Spring",
			body: `{"content":[{"id":1,"createdAt":[2026,1,5]}],` +
				`"pageable":{"sort":{"sorted":false}},"last":true}`,
			note: "another shape",
		},
		{name: "no object", body: `{"campaigns":["spring",null]}`, note: "another shape"},
		{name: "null", body: `null`, note: "another shape"},
		{name: "a text", body: `"no <b>campaigns</b>"`, note: "another shape"},
		{
			name: "a key twice, in another shape",
			body: `{"data":[{"a":1,"b":2,"a":3}],"data":[{"a":{"b":1,"b":2}}]}`,
			note: "another shape",
		},
		{
			name: "deep",
			body: `{"campaigns":[{"tree":` + deep + `}]}`,
			note: "no fixture can have all of its campaigns",
		},
		{name: "deep, in another shape", body: deep, note: "another shape"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			recording, err := fake.RecordAnswer([]byte(tt.body), "")
			if err != nil {
				t.Fatal(err)
			}
			notes := strings.Join(recording.Notes, "; ")
			if !strings.Contains(notes, tt.note) || (notes == "") != (tt.note == "") {
				t.Errorf("the notes are %q, want %q", notes, tt.note)
			}
			w := servedRecording(t, recording)
			isJSON := strings.HasPrefix(w.Header().Get("Content-Type"), "application/json")
			isSame := reflect.DeepEqual(parsed(t, w.Body.String()), parsed(t, tt.body))
			if w.Code != 200 || !isJSON || !isSame {
				t.Errorf("it is served with %d %v, as\n%.2000s\nwant\n%.2000s",
					w.Code, w.Header(), w.Body, tt.body)
			}
		})
	}
}

// What is no JSON, or has another status or type, is served as such. An answer that is compressed
// on its way is read; one that is compressed otherwise is called that.
func TestOtherAnswersAreServed(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	const list = `{"campaigns":[{"id":"1"}]}`
	w.Write([]byte(list))
	w.Close()
	for _, tt := range []struct {
		name         string
		status       int
		header, body string
		want         string // "" for the body; what an error has
	}{
		{"HTML", 200, "Content-Type: text/html; charset=utf-8", "<p>Sign in: \"now\"</p>\n", ""},
		{"another status", 203, "Content-Type: application/json", `{"data":[]}`, ""},
		{"another type", 200, "Content-Type: application/vnd.api+json", `{"data":{"b":1,"a":2}}`, ""},
		{"no JSON at its end", 200, "Content-Type: application/json", `{"campaigns":[]} {}`, ""},
		{"compressed", 200, "Content-Encoding: gzip", packed.String(), list},
		{"compressed unasked", 200, "Content-Encoding: br", packed.String(), `with "br"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			name, value, _ := strings.Cut(tt.header, ": ")
			server := httptest.NewServer(with(name, value, sent(tt.status, value, tt.body)))
			defer server.Close()
			recording, err := fake.Record(t.Context(), targetAt(server.URL+"/api"))
			if err != nil {
				if tt.want == "" || !strings.Contains(err.Error(), tt.want) {
					t.Error(err)
				}
				return
			}
			w := servedRecording(t, recording)
			if w.Code != tt.status || w.Body.String() != cmp.Or(tt.want, tt.body) {
				t.Errorf("it is served as %d %v\n%s", w.Code, w.Header(), w.Body)
			}
			if got := w.Header().Get("Content-Type"); tt.want == "" && got != value {
				t.Errorf("its type is %q, want %q", got, value)
			}
		})
	}
}
