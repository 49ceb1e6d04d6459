package ring

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"example.com/campaignfake/fake/journal"
)

// However requests arrive, are answered and are cleared, the journal holds the latest of
// them, in their order, within its bounds, and as they were entered.
func TestJournalHoldsWhatItShould(t *testing.T) {
	t.Parallel()
	for largest, changes := range map[int]int{10: 5000, mostBytes / 20: 200, mostBytes + 1: 30} { // of a header, in bytes
		t.Run(fmt.Sprint(largest), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(largest), 0))
			j, held := New(), make(map[int]http.Header)
			for change := range changes {
				header := http.Header{"X-Text": {strings.Repeat("x", random.IntN(largest))}}
				number := j.arrived - random.IntN(limit+3)
				switch e := j.At(number); {
				case e.Request.Number == 0 || random.IntN(2) == 0:
					held[add(j, header, number).Request.Number] = header
				case !e.Request.Complete && random.IntN(3) > 0:
					noted := *e
					noted.Request.Complete, noted.Request.Status, noted.Request.Reason = true, 200, header.Get("X-Text")
					j.Note(noted, header, []byte(header.Get("X-Text")))
				default:
					j.empty(e)
					delete(held, number)
				}
				if change%(changes/30) == 0 {
					check(t, j, held, largest == 10)
				}
			}
		})
	}
}

// check compares the journal with what was entered and not cleared, of which it has dropped
// nothing for its bytes if all is small.
func check(t *testing.T, j *Journal, held map[int]http.Header, small bool) {
	t.Helper()
	count, sum, last := 0, 0, 0
	for e := range j.Entries {
		count++
		sum += sizeOf(&e.Request)
		if e.Request.Number <= last || j.At(e.Request.Number) != e || !reflect.DeepEqual(e.Request.Header, held[e.Request.Number]) {
			t.Fatalf("after request %d comes %d, with a header of %d bytes", last, e.Request.Number, bytesOf(e.Request.Header))
		}
		last = e.Request.Number
	}
	want := 0
	for number := range held {
		if number > j.arrived-limit {
			want++
		}
	}
	if small && count != want || sum != j.bytes || sum > mostBytes && count > 1 {
		t.Fatalf("there are %d bytes in %d entries, and %d are counted; want %d entries", sum, count, j.bytes, want)
	}
}

// add enters a request with headers.
func add(j *Journal, header http.Header, earlier int) *Entry {
	request := journal.Request{Token: "demo"}
	j.Add(&request, &http.Request{Method: "GET", Host: "fake.test", URL: &url.URL{Path: "/"}, Header: header}, earlier)
	return &Entry{Request: request}
}

// answer enters a request, and an answer with the same headers.
func answer(j *Journal, header http.Header, earlier int) {
	e := add(j, header, earlier)
	e.Request.Status = 200
	j.Note(*e, header, []byte("body"))
}

// The journal has headers as they were, whatever becomes of them.
func TestJournalCopiesHeaders(t *testing.T) {
	t.Parallel()
	j := New()
	for number := range 2 {
		header := http.Header{"X-Same": {"same"}, "X-Number": {fmt.Sprint(number)}}
		answer(j, header, number)
		header["X-Same"][0], header["X-Number"][0] = "changed", "changed"
	}
	for e := range j.Entries {
		want := http.Header{"X-Same": {"same"}, "X-Number": {fmt.Sprint(e.Request.Number - 1)}}
		if !reflect.DeepEqual(e.Request.Header, want) || !reflect.DeepEqual(e.Request.Answer.Header, want) {
			t.Errorf("request %d has %v, and was answered %v", e.Request.Number, e.Request.Header, e.Request.Answer.Header)
		}
	}
}

// Equal requests and answers of a token take their memory once.
func TestJournalSharesWhatIsEqual(t *testing.T) {
	t.Parallel()
	j := New()
	for number := range 2 {
		answer(j, http.Header{"X-Same": {"same"}}, number)
	}
	same := func(a, b http.Header) bool { return &a["X-Same"][0] == &b["X-Same"][0] }
	if a, b := j.At(1), j.At(2); !same(a.Request.Header, b.Request.Header) || !same(a.Request.Answer.Header, b.Request.Answer.Header) {
		t.Error("two equal requests have two copies of their headers")
	}
}
