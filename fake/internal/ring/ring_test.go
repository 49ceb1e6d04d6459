package ring_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"weak"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fake/journal"
)

const most = 1000 // requests that a journal holds

// add enters a request with headers.
func add(j *ring.Journal, token string, header http.Header) ring.Entry {
	entry := ring.Entry{Request: journal.Request{Token: token}}
	j.Add(&entry, httptest.NewRequest("GET", "http://fake.test/", nil), header)
	return entry
}

// entryOf returns the entry of a request, an empty one if it is not in the journal.
func entryOf(j *ring.Journal, number int) ring.Entry {
	for entry := range j.Entries {
		if entry.Request.Number == number {
			found := *entry
			found.Fill()
			return found
		}
	}
	return ring.Entry{}
}

// answer enters a request, and an answer with the same headers.
func answer(j *ring.Journal, header http.Header) {
	entry := add(j, "demo", header)
	entry.Request.Status = 200
	j.Note(&entry, header, plan.NewBody([]byte("body")))
}

// sizeOf returns how many bytes of texts a header has.
func sizeOf(header http.Header) (bytes int) {
	for name, values := range header {
		for _, value := range values {
			bytes += len(name) + len(value)
		}
	}
	return bytes
}

// However requests arrive, are answered and are cleared, the journal holds the latest of them, in
// their order, and as they were entered.
func TestJournalHoldsWhatItShould(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 0))
	j := ring.New()
	held := make(map[int]string)
	latest := 0
	for change := range 5000 {
		text := fmt.Sprint("change ", change)
		header := http.Header{"X-Text": {text}}
		number := latest - random.IntN(most+3)
		entry := entryOf(j, number)
		switch {
		case entry.Request.Number == 0 || random.IntN(2) == 0:
			latest = add(j, fmt.Sprint(latest+1), header).Request.Number
			held[latest] = text
		case !entry.Request.Complete && random.IntN(3) > 0:
			entry.Request.Complete = true
			entry.Request.Status = 200
			entry.Request.Reason = text
			j.Note(&entry, header, plan.NewBody([]byte(text)))
		default:
			j.Clear(func(token string) bool { return token == entry.Request.Token })
			delete(held, number)
		}
		delete(held, latest-most)
		if change%100 == 0 {
			check(t, j, held)
		}
	}
}

// check compares the journal with what was entered and not cleared.
func check(t *testing.T, j *ring.Journal, held map[int]string) {
	t.Helper()
	count, last := 0, 0
	for entry := range j.Entries {
		count++
		entry.Fill()
		number := entry.Request.Number
		if number <= last || entry.Request.Header.Get("X-Text") != held[number] {
			t.Fatalf("after request %d comes %d", last, number)
		}
		last = number
	}
	if count != len(held) {
		t.Fatalf("there are %d entries, want %d", count, len(held))
	}
}

// Of long headers the journal has the first 4 KiB, by their names.
func TestLongHeaders(t *testing.T) {
	t.Parallel()
	header := func(bytes int) http.Header {
		return http.Header{
			"A": {"first", "second"},
			"B": {strings.Repeat("x", bytes), "behind"},
			"C": {"last"},
		}
	}
	const others = len("A") + len("first") + len("A") + len("second") + len("B") +
		len("B") + len("behind") + len("C") + len("last")
	j := ring.New()
	answer(j, header(4096-others))
	answer(j, header(4096-others+1))
	answer(j, header(100_000))
	whole := entryOf(j, 1).Request
	if want := header(4096 - others); !reflect.DeepEqual(whole.Header, want) ||
		!reflect.DeepEqual(whole.Answer.Header, want) {
		t.Errorf("headers of 4 KiB are cut to %d bytes", sizeOf(whole.Header))
	}
	if got := sizeOf(entryOf(j, 2).Request.Header); got > 4096+len("…") {
		t.Errorf("one byte more is cut to %d bytes", got)
	}
	long := entryOf(j, 3).Request.Header
	isStart := long["A"][1] == "second" && strings.HasSuffix(long["B"][0], "xx…")
	if !isStart || len(long["B"]) != 1 || long["C"] != nil || sizeOf(long) > 4096+len("…") {
		t.Errorf("long headers become %d bytes, %d fields", sizeOf(long), len(long))
	}
}

// The journal has headers as they were, whatever becomes of them.
func TestJournalCopiesHeaders(t *testing.T) {
	t.Parallel()
	j := ring.New()
	for number := range 2 {
		header := http.Header{"X-Same": {"same"}, "X-Number": {fmt.Sprint(number)}}
		answer(j, header)
		header.Set("X-Same", "changed")
		header.Add("X-Number", "another")
		header.Set("X-New", "new")
	}
	for number := range 2 {
		r := entryOf(j, number+1).Request
		want := http.Header{"X-Same": {"same"}, "X-Number": {fmt.Sprint(r.Number - 1)}}
		if !reflect.DeepEqual(r.Header, want) || !reflect.DeepEqual(r.Answer.Header, want) {
			t.Errorf("request %d has %v, and was answered %v", r.Number, r.Header, r.Answer.Header)
		}
	}
}

// A header that was not sent, because it has no values, is not in the journal.
func TestJournalHasNoHeaderWithoutValues(t *testing.T) {
	t.Parallel()
	j := ring.New()
	answer(j, http.Header{"Content-Type": nil, "X-Sent": {""}})
	want := http.Header{"X-Sent": {""}}
	if got := entryOf(j, 1).Request.Answer.Header; !reflect.DeepEqual(got, want) {
		t.Errorf("the answer has %v, want %v", got, want)
	}
}

// What is noted is known. What was cleared does not come back.
func TestNote(t *testing.T) {
	t.Parallel()
	j := ring.New()
	entry := add(j, "demo", nil)
	entry.Finding = reason.NoHeader
	j.Note(&entry, nil, plan.NewBody([]byte("is not there yet")))
	got := entryOf(j, 1)
	if got.Finding != reason.NoHeader || got.Request.Answer.Body != "" {
		t.Errorf("the journal has %+v", got)
	}
	j.Clear(func(token string) bool { return true })
	j.Note(&entry, nil, plan.Body{})
	if got := entryOf(j, 1).Request.Number; got != 0 {
		t.Errorf("request %d has come back", got)
	}
}

// Of a long body the journal has the start.
func TestStartsOfBodies(t *testing.T) {
	t.Parallel()
	j := ring.New()
	entry := add(j, "demo", nil)
	body := plan.NewBody([]byte(strings.Repeat("x", 10_000)))
	j.Note(&entry, http.Header{}, body)
	got := entryOf(j, 1).Request.Answer
	if got.Body != string(body.Start) || got.Bytes != 10_000 {
		t.Errorf("it has %d bytes of %d", len(got.Body), got.Bytes)
	}
}

// A URL is as it was sent, without the host that a proxy would be sent.
func TestURLs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ uri, want string }{
		{"/api/user%2Fcampaigns?a=b&c", "/api/user%2Fcampaigns?a=b&c"},
		{"/api//user/campaigns/", "/api//user/campaigns/"},
		{"http://fake.test/api?a", "/api?a"},
		{"*", "*"},
	} {
		j := ring.New()
		entry := ring.Entry{}
		j.Add(&entry, httptest.NewRequest("OPTIONS", tt.uri, nil), nil)
		request := entry.Request
		if request.URL != tt.want || request.Method != "OPTIONS" || request.Number != 1 {
			t.Errorf("%s is entered as %+v, want %s", tt.uri, request, tt.want)
		}
	}
}

// The journal keeps nothing of a long body in memory but its start.
func TestRestOfALongBodyIsNotKept(t *testing.T) {
	t.Parallel()
	j := ring.New()
	entry := add(j, "demo", nil)
	whole := make([]byte, 100_000)
	isKept := weak.Make(&whole[0])
	j.Note(&entry, http.Header{}, plan.NewBody(whole))
	runtime.GC()
	if isKept.Value() != nil {
		t.Error("the whole body is still in memory")
	}
	if entryOf(j, 1).Request.Answer.Body == "" {
		t.Error("the start of the body is not in the journal")
	}
}
