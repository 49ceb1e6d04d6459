package fake_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

// A requestList is what the control plane answers to GET requests.
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

// Parameters select requests of the journal, of which the latest is listed first.
func TestRequestsAreSelected(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(),
		fake.WithUser("bob", fixtures.User{}),
		fake.WithUser("alice", fixtures.User{
			Replies: []fixtures.Reply{{Times: 1}, {Status: 503}, {Fault: fixtures.FaultReset}},
		}))
	statuses(t, srv, "alice", 1)                                  // 1: 200
	statuses(t, srv, "bob", 1)                                    // 2: 200
	statuses(t, srv, "alice", 1)                                  // 3: 503
	ask(t, srv, "GET", "/elsewhere", bearer("alice"))             // 4: 404, which matched nothing
	ask(t, srv, "GET", listPath, nil)                             // 5: 401
	statuses(t, srv, "undefined", 1)                              // 6: 401, with advice
	srv.Client().Do(listRequest(t, srv, "alice"))                 // 7: no answer
	ask(t, srv, "GET", listPath, http.Header{"Origin": {"null"}}) // 8: 401
	for query, tt := range map[string]struct {
		want []int // numbers
		more bool
	}{
		"":                                {want: []int{8, 7, 6, 5, 4, 3, 2, 1}},
		"oldest=false":                    {want: []int{8, 7, 6, 5, 4, 3, 2, 1}},
		"oldest=true":                     {want: []int{1, 2, 3, 4, 5, 6, 7, 8}},
		"token=alice":                     {want: []int{7, 4, 3, 1}},
		"token=":                          {want: []int{8, 5}},
		"token=nobody":                    {},
		"since=5":                         {want: []int{8, 7, 6}},
		"since=5&oldest=true":             {want: []int{6, 7, 8}},
		"since=8":                         {},
		"limit=2":                         {want: []int{8, 7}, more: true},
		"limit=2&oldest=true":             {want: []int{1, 2}, more: true},
		"limit=8":                         {want: []int{8, 7, 6, 5, 4, 3, 2, 1}},
		"limit=3&token=alice":             {want: []int{7, 4, 3}, more: true},
		"limit=4&token=alice":             {want: []int{7, 4, 3, 1}},
		"unmatched=true":                  {want: []int{4}},
		"unmatched=false":                 {want: []int{8, 7, 6, 5, 3, 2, 1}},
		"advice=true":                     {want: []int{6, 4}},
		"advice=false":                    {want: []int{8, 7, 5, 3, 2, 1}},
		"advice=true&limit=1":             {want: []int{6}, more: true},
		"token=alice&since=1&brief=true":  {want: []int{7, 4, 3}},
		"token=alice&await=4&oldest=true": {want: []int{1, 3, 4, 7}},
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

	if status, _ := steer(t, srv, "DELETE", "requests?token=alice", ""); status != 204 {
		t.Errorf("clearing is answered %d", status)
	}
	list = listRequests(t, srv, "token=alice")
	if len(list.Requests) != 0 || *list.Count != 0 || *list.Matched != 0 {
		t.Errorf("after clearing, the list is %+v", list)
	}
}

// A brief list has what fits a line of each request.
func TestRequestsAreBrief(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fixtures.User{}))
	path := "/" + strings.Repeat("a", 300)
	ask(t, srv, "GET", path, bearer("alice"))

	whole := listRequests(t, srv, "").Requests[0]
	if whole.URL != path || whole.Header == nil || whole.Answer.Bytes == 0 ||
		whole.Advice.Text == "" || whole.Brief {
		t.Errorf("a request is listed as %+v", whole)
	}
	brief := listRequests(t, srv, "brief=true").Requests[0]
	if want := path[:200] + "…"; brief.URL != want {
		t.Errorf("the URL is %s, want %s", brief.URL, want)
	}
	if brief.Header != nil || brief.Answer.Header != nil || brief.Answer.Bytes != 0 ||
		!brief.Brief {
		t.Errorf("in brief a request is listed as %+v", brief)
	}
	if want := (journal.Advice{Title: "Matched nothing"}); brief.Advice != want {
		t.Errorf("the advice is %+v, want %+v", brief.Advice, want)
	}
	if brief.Token != "alice" || brief.Status != 404 || brief.Reason != whole.Reason ||
		!brief.Unmatched {
		t.Errorf("in brief a request is listed as %+v", brief)
	}
}
