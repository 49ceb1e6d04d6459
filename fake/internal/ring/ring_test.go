package ring_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fake/journal"
)

// add enters a request with headers.
func add(j *ring.Journal, token string, header http.Header) ring.Entry {
	entry := ring.Entry{Request: journal.Request{Token: token}}
	j.Add(&entry, httptest.NewRequest("GET", "http://fake.test/", nil), header)
	return entry
}

// only returns the only request of a journal, with headers and the start of its answer.
func only(t *testing.T, j *ring.Journal) journal.Request {
	t.Helper()
	var entries []ring.Entry
	for entry := range j.Entries {
		entries = append(entries, *entry)
	}
	if len(entries) != 1 {
		t.Fatalf("the journal has %d requests, want 1", len(entries))
	}
	entries[0].Fill()
	return entries[0].Request
}

// The journal holds the latest thousand requests in their order, without cleared requests. A note
// about a request that it does not hold changes nothing.
func TestJournal(t *testing.T) {
	t.Parallel()
	j := ring.New()
	dropped := add(j, "token-1", nil)
	for i := range 1001 {
		add(j, fmt.Sprint("token-", i%2), nil)
	}
	latest := add(j, "token-1", nil)
	j.Clear(func(token string) bool { return token == "token-1" })
	j.Note(&dropped, nil, plan.Body{})
	j.Note(&latest, nil, plan.Body{})
	noted := add(j, "token-0", nil)
	noted.Finding = reason.NoHeader
	j.Note(&noted, nil, plan.Body{})
	var want, got []int
	for number := 6; number <= 1002; number += 2 {
		want = append(want, number)
	}
	want = append(want, 1004)
	var last reason.Finding
	for entry := range j.Entries {
		got = append(got, entry.Request.Number)
		last = entry.Finding
	}
	if !slices.Equal(got, want) || last != reason.NoHeader {
		t.Errorf("the journal has\n%d, %v\nwant\n%d, %v", got, last, want, reason.NoHeader)
	}
}

// The journal keeps the first 4 KiB of long headers, in the order of their names.
func TestLongHeaders(t *testing.T) {
	t.Parallel()
	header := func(bytes int) http.Header {
		return http.Header{
			"A": {"first", "second"},
			"B": {strings.Repeat("x", bytes), "behind"},
			"C": {"last"},
		}
	}
	const others = len("AfirstAsecondB") + len("BbehindClast")
	whole := ring.New()
	add(whole, "demo", header(4096-others))
	if got := only(t, whole).Header; !reflect.DeepEqual(got, header(4096-others)) {
		t.Error("headers of 4 KiB are cut")
	}
	long := ring.New()
	add(long, "demo", header(4096-others+1))
	if got := only(t, long).Header; reflect.DeepEqual(got, header(4096-others+1)) {
		t.Error("headers of one byte more are not cut")
	}
	longer := ring.New()
	add(longer, "demo", header(100_000))
	got := only(t, longer).Header
	isStart := got["A"][1] == "second" && strings.HasSuffix(got["B"][0], "xx…")
	if !isStart || len(got["B"][0]) > 4096 || len(got["B"]) != 1 || got["C"] != nil {
		t.Errorf("long headers become %d bytes, %d fields", len(got["B"][0]), len(got))
	}
}

// The journal keeps headers as they were, even if somebody changes them later. It leaves out
// headers without values, which are not sent.
func TestJournalCopiesHeaders(t *testing.T) {
	t.Parallel()
	j := ring.New()
	header := http.Header{"X-Set": {"a"}, "X-Added": {"b"}, "Content-Type": nil}
	entry := add(j, "demo", header)
	j.Note(&entry, header, plan.Body{})
	header.Set("X-Set", "changed")
	header.Add("X-Added", "another")
	header.Set("X-New", "new")
	got := only(t, j)
	want := http.Header{"X-Set": {"a"}, "X-Added": {"b"}}
	if !reflect.DeepEqual(got.Header, want) || !reflect.DeepEqual(got.Answer.Header, want) {
		t.Errorf("the request has %v, and was answered %v", got.Header, got.Answer.Header)
	}
}

// The journal keeps only the start of a long body in memory. Before the answer it has no body.
func TestLongBodies(t *testing.T) {
	t.Parallel()
	j := ring.New()
	entry := add(j, "demo", nil)
	body := plan.NewBody([]byte("is not there yet"))
	j.Note(&entry, nil, body)
	if got := only(t, j).Answer.Body; got != "" {
		t.Errorf("before the answer, its body is %q", got)
	}
	whole := make([]byte, 100_000)
	isKept := weak.Make(&whole[0])
	j.Note(&entry, http.Header{}, plan.NewBody(whole))
	runtime.GC()
	if isKept.Value() != nil {
		t.Error("the whole body is still in memory")
	}
	if got := only(t, j).Answer; len(got.Body) != 4096 || got.Bytes != 100_000 {
		t.Errorf("it has %d bytes of %d", len(got.Body), got.Bytes)
	}
}

// The journal has the URL as it was sent, but without the host that a request to a proxy has.
func TestURLs(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		"/api//user%2Fcampaigns/?a=b&c": "/api//user%2Fcampaigns/?a=b&c",
		"http://fake.test/api?a":        "/api?a",
		"*":                             "*",
	} {
		entry := ring.Entry{}
		ring.New().Add(&entry, httptest.NewRequest("OPTIONS", uri, nil), nil)
		if got := entry.Request; got.URL != want || got.Method != "OPTIONS" {
			t.Errorf("%s is entered as %+v, want %s", uri, got, want)
		}
	}
}
