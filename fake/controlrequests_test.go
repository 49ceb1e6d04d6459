package fake_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

// A requestList is the answer of the control plane to GET /_fake/requests.
type requestList struct {
	Requests       []journal.Request
	More           bool
	Count, Matched *int
}

// listRequests lists requests of the journal.
func listRequests(t *testing.T, srv *fake.Server, query string) (list requestList) {
	t.Helper()
	status, answer := steer(t, srv, "GET", "requests?"+query, "")
	if err := json.Unmarshal([]byte(answer), &list); err != nil || status != 200 {
		t.Fatalf("requests?%s is answered %d %s: %v", query, status, answer, err)
	}
	return list
}

// Parameters select requests of the journal. The latest is listed first.
func TestRequestsAreSelected(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fixtures.User{}))
	statuses(t, srv, "alice", 2)                      // requests 1 and 2: 200
	ask(t, srv, "GET", "/elsewhere", bearer("alice")) // request 3: 404, it matched nothing
	ask(t, srv, "GET", listPath, nil)                 // request 4: 401
	statuses(t, srv, "undefined", 1)                  // request 5: 401, with advice
	for query, tt := range map[string]struct {
		want []int // the numbers of the requests
		more bool
	}{
		"":                    {want: []int{5, 4, 3, 2, 1}},
		"oldest=true":         {want: []int{1, 2, 3, 4, 5}},
		"token=alice":         {want: []int{3, 2, 1}},
		"token=":              {want: []int{4}},
		"since=3":             {want: []int{5, 4}},
		"since=3&oldest=true": {want: []int{4, 5}},
		"limit=4":             {want: []int{5, 4, 3, 2}, more: true},
		"limit=5":             {want: []int{5, 4, 3, 2, 1}},
		"limit=2&token=alice": {want: []int{3, 2}, more: true},
		"limit=3&token=alice": {want: []int{3, 2, 1}},
		"unmatched=true":      {want: []int{3}},
		"unmatched=false":     {want: []int{5, 4, 2, 1}},
		"advice=true":         {want: []int{5, 3}},
		"advice=false":        {want: []int{4, 2, 1}},
		"advice=true&limit=1": {want: []int{5}, more: true},
	} {
		list := listRequests(t, srv, query)
		var numbers []int
		for _, request := range list.Requests {
			numbers = append(numbers, request.Number)
		}
		if !slices.Equal(numbers, tt.want) || list.More != tt.more {
			t.Errorf("%q lists %v, more: %t; want %v, more: %t",
				query, numbers, list.More, tt.want, tt.more)
		}
	}
}

// The requests of a token are counted, whether or not they are listed.
func TestRequestsAreCounted(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fixtures.User{}))
	statuses(t, srv, "alice", 3)
	ask(t, srv, "GET", "/elsewhere", bearer("alice"))
	list := listRequests(t, srv, "token=alice&limit=1")
	if list.Count == nil || *list.Count != 4 || list.Matched == nil || *list.Matched != 3 {
		t.Errorf("the counts of alice are %v and %v, want 4 and 3", list.Count, list.Matched)
	}
	if list := listRequests(t, srv, ""); list.Count != nil || list.Matched != nil {
		t.Errorf("without a token the counts are %v and %v, want none", list.Count, list.Matched)
	}
}

// A brief list has no headers and bodies, and of the advice only the title.
func TestRequestsAreBrief(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fixtures.User{}))
	path := "/" + strings.Repeat("a", 300)
	ask(t, srv, "GET", path, bearer("alice"))
	whole := listRequests(t, srv, "").Requests[0]
	if whole.URL != path || whole.Header == nil || whole.Advice.Text == "" {
		t.Errorf("a request is listed as %+v", whole)
	}
	want := whole
	want.URL = path[:200] + "…"
	want.Header = nil
	want.Answer = journal.Answer{}
	want.Advice = journal.Advice{Title: "Matched nothing"}
	brief := listRequests(t, srv, "brief=true").Requests[0]
	if !reflect.DeepEqual(brief, want) {
		t.Errorf("in brief a request is listed as %+v, want %+v", brief, want)
	}
}
