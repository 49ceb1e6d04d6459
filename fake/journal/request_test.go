package journal_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"testing"
	"time"

	"example.com/campaignfake/fake/journal"
)

// A request that is written as JSON is read again with all its fields.
func TestRequestInJSON(t *testing.T) {
	t.Parallel()
	want := journal.Request{
		Number: 1, At: time.Date(2026, 1, 5, 9, 30, 0, 0, time.UTC), Token: "alice", Method: "GET", Host: "fake.test", URL: "/api/user/campaigns",
		Header: http.Header{"Accept": {"*/*"}}, Status: 200, Reason: "0 campaigns", Duration: 1500 * time.Microsecond,
		Answer:    journal.Answer{Header: http.Header{"Allow": {"GET"}}, Body: "{}", Bytes: 2, Sent: 1},
		Unmatched: true, Complete: true, Broken: true, Brief: true, Advice: journal.Advice{Title: "a", Text: "b", Command: "c", Fixture: "d"},
	}
	for _, part := range []reflect.Value{reflect.ValueOf(want), reflect.ValueOf(want.Answer), reflect.ValueOf(want.Advice)} {
		for i := range part.NumField() {
			if part.Type().Field(i).IsExported() && part.Field(i).IsZero() {
				t.Errorf("this test gives %s.%s no value", part.Type(), part.Type().Field(i).Name)
			}
		}
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got journal.Request
	if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s is read as %+v, %v, want %+v", text, got, err, want)
	}
}
