package fake_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// The fake answers a recorded user as the service did. Here the service is another fake.
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

// servedRecording writes a recording as a file of fixtures, loads it again, and returns the answer
// of a server to its user.
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

// The answers of many kinds of services are served again, and are the same after parsing.
func TestRecordedAnswersAreServed(t *testing.T) {
	t.Parallel()
	const anotherShape = "another shape"
	for _, tt := range []struct {
		name, body string
		note       string // a part of a note
	}{
		{name: "no campaigns", body: `{"campaigns":[]}`},
		{
			name: "numbers, nulls and empty texts",
			body: `{"campaigns":[{"id":9007199254740993},{"id":-0},{"id":1E400},
				{"id":null,"status":null},{"id":"","created_at":""}]}`,
		},
		{
			name: "words that YAML knows",
			body: `{"campaigns":[{"id":"0123","name":"null","status":"true","created_at":"~",
				"updated_at":"1.0","on":"yes","<<":"a","omit":["id"],"extra":{"a: b":"- c"}}]}`,
		},
		{
			name: "dates of all kinds",
			body: `{"campaigns":[{"created_at":"2026-01-05","updated_at":1767605400},
				{"created_at":"Mon, 05 Jan 2026 09:30:00 GMT","updated_at":[2026,1,5,9,30]}]}`,
		},
		{
			name: "names that are hard to see",
			body: `{"campaigns":[{"name":"a\u202egnp.exe\u202c"},{"name":"👧 \u200b"},
				{"name":"\u2028\ufeff\u0000"},{"name":"a\r\nb"},{"name":"<b>&amp;</b>"}]}`,
		},
		{
			name: "nested, with a key twice",
			body: `{"campaigns":[{"id":"1","id":"2","owner":{"teams":[{"name":"a"},[],{}]}}]}`,
		},
		{name: "a byte order mark", body: "\ufeff" + `{"campaigns":[{"id":"1"}]}`},
		{name: "a list", body: `[{"id":1,"rate":12.50}]`, note: anotherShape},
		{name: "a page", body: `{"campaigns":[{"_id":"64f"}],"total":1}`, note: anotherShape},
		{name: "a text", body: `"no <b>campaigns</b>"`, note: anotherShape},
		{
			name: "deep",
			body: strings.Repeat("[", 150) + strings.Repeat("]", 150),
			note: anotherShape,
		},
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

// An answer that is no JSON list of campaigns, or has another status or type, is served as it was.
func TestOtherAnswersAreServed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status            int
		contentType, body string
	}{
		{200, "text/html; charset=utf-8", "<p>Sign in: \"now\"</p>\n"},
		{203, "application/vnd.api+json", `{"data":{"b":1,"a":2}}`},
		{200, "application/json", `{"campaigns":[]} {}`},
	} {
		server := httptest.NewServer(sent(tt.status, tt.contentType, tt.body))
		defer server.Close()
		recording, err := fake.Record(t.Context(), targetAt(server.URL+"/api"))
		if err != nil {
			t.Fatal(err)
		}
		w := servedRecording(t, recording)
		contentType := w.Header().Get("Content-Type")
		if w.Code != tt.status || w.Body.String() != tt.body || contentType != tt.contentType {
			t.Errorf("%s is served as %d %v\n%s", tt.body, w.Code, w.Header(), w.Body)
		}
	}
}

// Record fails if a service refuses, or sends a compressed answer that nobody asked for.
func TestRecordFails(t *testing.T) {
	t.Parallel()
	for want, answer := range map[string]http.HandlerFunc{
		"401": sent(401, "application/json", `{"campaigns":[]}`),
		`with "br"`: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			sent(200, "application/json", "?")(w, r)
		},
	} {
		server := httptest.NewServer(answer)
		defer server.Close()
		_, err := fake.Record(t.Context(), targetAt(server.URL+"/api"))
		expect(t, fmt.Sprint(err), want)
	}
}
