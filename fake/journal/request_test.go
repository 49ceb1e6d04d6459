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
		Number:   1,
		At:       time.Date(2026, 1, 5, 9, 30, 0, 0, time.UTC),
		Token:    "alice",
		Method:   "GET",
		Host:     "fake.test",
		URL:      "/api/user/campaigns",
		Header:   http.Header{"Accept": {"*/*"}},
		Status:   200,
		Reason:   "0 campaigns",
		Duration: 1500 * time.Microsecond,
		Answer: journal.Answer{
			Header: http.Header{"Allow": {"GET"}},
			Body:   "{}",
			Bytes:  2,
			Sent:   1,
		},
		Unmatched: true, PassedOn: true,
		Complete: true,
		Held:     true, IgnoredQuery: "page=2",
		Broken: true,
		Advice: journal.Advice{Title: "a", Text: "b", Command: "c", Fixture: "d"},
	}
	for _, part := range []any{want, want.Answer, want.Advice} {
		value := reflect.ValueOf(part)
		for i := range value.NumField() {
			field := value.Type().Field(i)
			if field.IsExported() && value.Field(i).IsZero() {
				t.Errorf("this test gives %s.%s no value", value.Type(), field.Name)
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
