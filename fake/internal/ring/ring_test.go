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

const (
	most      = 1000    // requests that a journal holds
	mostBytes = 8 << 20 // that it takes
)

// add enters a request with headers.
func add(j *ring.Journal, token string, header http.Header) journal.Request {
	request := journal.Request{Token: token}
	received := httptest.NewRequest("GET", "http://fake.test/", nil)
	received.Header = header
	j.Add(&request, received)
	return request
}

// entryOf returns the entry of a request, an empty one if it is not in the journal.
func entryOf(j *ring.Journal, number int) ring.Entry {
	for entry := range j.Entries {
		if entry.Request.Number == number {
			found := *entry
			found.FillBody()
			return found
		}
	}
	return ring.Entry{}
}

// answer enters a request, and an answer with the same headers.
func answer(j *ring.Journal, header http.Header) {
	request := add(j, "demo", header)
	request.Status = 200
	j.Note(&ring.Entry{Request: request}, header, plan.NewBody([]byte("body")))
}

// sizeOf returns how many bytes of texts a request has.
func sizeOf(r journal.Request) (bytes int) {
	for _, header := range []http.Header{r.Header, r.Answer.Header} {
		for name, values := range header {
			bytes += len(name) + len(values[0])
		}
	}
	return bytes + len(r.Token) + len(r.Method) + len(r.Host) + len(r.URL) + len(r.Reason) +
		len(r.Answer.Body)
}

// However requests arrive, are answered and are cleared, the journal holds the latest of
// them, in their order, within its bounds, and as they were entered.
func TestJournalHoldsWhatItShould(t *testing.T) {
	t.Parallel()
	// of a header
	for largest, changes := range map[int]int{10: 5000, mostBytes / 20: 200, mostBytes + 1: 30} {
		t.Run(fmt.Sprint(largest), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(largest), 0))
			j := ring.New()
			held := make(map[int]http.Header)
			latest := 0
			for change := range changes {
				text := strings.Repeat("x", random.IntN(largest))
				header := http.Header{"X-Text": {text}}
				number := latest - random.IntN(most+3)
				entry := entryOf(j, number)
				switch {
				case entry.Request.Number == 0 || random.IntN(2) == 0:
					latest = add(j, fmt.Sprint(latest+1), header).Number
					held[latest] = header
				case !entry.Request.Complete && random.IntN(3) > 0:
					entry.Request.Complete = true
					entry.Request.Status = 200
					entry.Request.Reason = text
					j.Note(&entry, header, plan.NewBody([]byte(text)))
				default:
					j.Clear(func(token string) bool { return token == entry.Request.Token })
					delete(held, number)
				}
				if change%(changes/30) == 0 {
					isSmall := largest == 10
					check(t, j, held, latest, isSmall)
				}
			}
		})
	}
}

// check compares the journal with what was entered and not cleared, of which it has dropped
// nothing for its bytes if all is small.
func check(t *testing.T, j *ring.Journal, held map[int]http.Header, latest int, isSmall bool) {
	t.Helper()
	count, bytes, last := 0, 0, 0
	for entry := range j.Entries {
		count++
		bytes += sizeOf(entry.Request)
		number := entry.Request.Number
		if number <= last || !reflect.DeepEqual(entry.Request.Header, held[number]) {
			t.Fatalf("after request %d comes %d", last, number)
		}
		last = number
	}
	want := 0
	for number := range held {
		if number > latest-most {
			want++
		}
	}
	if isSmall && count != want {
		t.Fatalf("there are %d entries, want %d", count, want)
	}
	if bytes > mostBytes && count > 1 {
		t.Fatalf("there are %d bytes in %d entries", bytes, count)
	}
}

// What is cleared makes room again: the journal counts its bytes as they go.
func TestClearMakesRoom(t *testing.T) {
	t.Parallel()
	j := ring.New()
	large := http.Header{"X-Text": {strings.Repeat("x", 1<<20)}}
	for range 3 {
		for range 7 {
			add(j, "large", large)
		}
		j.Clear(func(token string) bool { return token == "large" })
	}
	for range 7 {
		add(j, "kept", large)
	}
	count := 0
	for range j.Entries {
		count++
	}
	if count != 7 {
		t.Errorf("there are %d entries, want 7", count)
	}
}

// The journal counts what an entry takes beside its texts.
func TestEntriesTakeMemory(t *testing.T) {
	t.Parallel()
	j := ring.New()
	// of a thousand, 8 MB, which are less than 8 MiB
	header := http.Header{"X-Text": {strings.Repeat("x", 8_000)}}
	for range most {
		add(j, "demo", header)
	}
	count := 0
	for range j.Entries {
		count++
	}
	if count < most*9/10 || count == most {
		t.Errorf("there are %d entries, want some less than %d", count, most)
	}
}

// A request that is larger than all the journal may take is held alone.
func TestLatestIsAlwaysHeld(t *testing.T) {
	t.Parallel()
	j := ring.New()
	add(j, "a", nil)
	number := add(j, "a", http.Header{"X-Text": {strings.Repeat("x", mostBytes)}}).Number
	if entryOf(j, 1).Request.Number != 0 || entryOf(j, number).Request.Number != number {
		t.Errorf("the journal has %+v", entryOf(j, 1))
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
	for entry := range j.Entries {
		r := entry.Request
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

// What is noted is known with the parts of its reason. What was cleared does not come back.
func TestNote(t *testing.T) {
	t.Parallel()
	j := ring.New()
	request := add(j, "demo", nil)
	found := reason.Reason{Answer: reason.NoHeader}
	request.Reason = found.String()
	body := plan.NewBody([]byte("is not there yet"))
	j.Note(&ring.Entry{Request: request, Reason: found}, nil, body)
	got := entryOf(j, 1)
	if got.Reason != found || got.Request.Reason != found.String() ||
		got.Request.Answer.Body != "" {
		t.Errorf("the journal has %+v", got)
	}
	j.Clear(func(token string) bool { return true })
	j.Note(&ring.Entry{Request: request}, nil, plan.Body{})
	if got := entryOf(j, 1).Request.Number; got != 0 {
		t.Errorf("request %d has come back", got)
	}
}

// Of a long body the journal has the start.
func TestStartsOfBodies(t *testing.T) {
	t.Parallel()
	j := ring.New()
	request := add(j, "demo", nil)
	body := plan.NewBody([]byte(strings.Repeat("x", 10_000)))
	j.Note(&ring.Entry{Request: request}, http.Header{}, body)
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
		request := journal.Request{}
		j.Add(&request, httptest.NewRequest("OPTIONS", tt.uri, nil))
		if request.URL != tt.want || request.Method != "OPTIONS" || request.Number != 1 {
			t.Errorf("%s is entered as %+v, want %s", tt.uri, request, tt.want)
		}
	}
}

// The journal keeps nothing of a long body in memory but its start.
func TestRestOfALongBodyIsNotKept(t *testing.T) {
	t.Parallel()
	j := ring.New()
	request := add(j, "demo", nil)
	request.Status = 200
	whole := make([]byte, 100_000)
	isKept := weak.Make(&whole[0])
	j.Note(&ring.Entry{Request: request}, http.Header{}, plan.NewBody(whole))
	runtime.GC()
	if isKept.Value() != nil {
		t.Error("the whole body is still in memory")
	}
	if entryOf(j, request.Number).Request.Answer.Body == "" {
		t.Error("the start of the body is not in the journal")
	}
}
