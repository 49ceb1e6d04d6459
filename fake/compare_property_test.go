package fake_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// anyOf draws one of several values.
func anyOf[V any](r *rand.Rand, values ...V) V { return values[r.IntN(len(values))] }

type tree = map[string]any

func drawn(template, kind string) tree { return tree{"$fake": template, "$type": kind} }

// A leaf is a value of campaigns, and one of another kind or type, by which a service
// could replace it.
type leaf struct{ value, changed any }

var (
	utcDate    = "2026-0{number:1,9}-1{number:0,9}T1{number:0,9}:{number:10,59}:{number:10,59}"
	aDate      = tree{"$fake": utcDate + "Z"}
	aNumber    = drawn("{number:1,50000}", "integer")
	aText      = tree{"$fake": "{sentence}"}
	knownWords = tree{"$fake": "{randomstring:[active,paused,draft]}"}
)

func anyLeaf(r *rand.Rand) leaf {
	return anyOf(r,
		leaf{aNumber, aText}, leaf{drawn("{number:1,99}.{number:10,99}", "number"), drawn("{bool}", "boolean")},
		leaf{drawn("{bool}", "boolean"), aNumber}, leaf{tree{"$fake": "{uuid}"}, aNumber}, leaf{aText, drawn("{bool}", "boolean")},
		leaf{aDate, tree{"$fake": utcDate + "+02:00"}}, leaf{tree{"$fake": utcDate + ".{number:100,999}Z"}, aDate},
		leaf{tree{"$fake": utcDate + ".{number:100,999}+0000"}, aDate}, leaf{tree{"$fake": "2026-0{number:1,9}-1{number:0,9}"}, tree{"$fake": utcDate}},
		leaf{tree{"$fake": utcDate + ".{number:100000,999999}"}, tree{"$fake": "1{number:0,9}.0{number:1,9}.2026"}},
		leaf{tree{"$fake": "{number:1,99}.{number:10,99}"}, tree{"$fake": "{nouncommon}"}}, leaf{tree{"$fake": "someone{number:10,99}@example.com"}, tree{"$fake": "{uuid}"}},
		leaf{tree{"$fake": "https://example.com/{number:1,999}"}, aDate}, leaf{tree{"$fake": "{randomstring:[EUR,USD]}"}, nil},
		leaf{knownWords, aNumber}, leaf{"campaign", 7}, leaf{tree{"$fake": "{hexcolor}"}, aNumber}, leaf{tree{"$fake": "{nouncommon}"}, nil},
		leaf{false, "no"}, leaf{"", 0}, leaf{[]any{aText}, aText}, leaf{[]any{tree{"word": aText, "rank": aNumber}}, aText},
	)
}

// A world is a service, and the paths of its shapes by which it can be changed.
type world struct {
	fake.Service
	campaign, around, failure tree
	leaves                    map[string]leaf // by their paths
	rare                      map[string]bool // leaves that may be null or absent
}

// grow adds values to an object, and objects with values.
func (w *world) grow(r *rand.Rand, into tree, path string, depth int) {
	keys := []string{"budget", "score", "note", "channel", "reach", "spend", "targeting", "limits", "goal", "starts_on", "Kind2", "bidStrategy", "is-test", "@etag", "_links2"}
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for _, key := range keys[:1+r.IntN(4)] {
		at := path + "." + key
		if depth < 4 && r.IntN(3) == 0 {
			inner := make(tree)
			w.grow(r, inner, at, depth+1)
			into[key] = inner
			continue
		}
		l := anyLeaf(r)
		w.leaves[at] = l
		into[key] = l.value
		directive, ok := l.value.(tree)
		if share := anyOf(r, 0, 0, 0.3, 0.5); ok && share > 0 {
			directive = maps.Clone(directive)
			directive[anyOf(r, "$null", "$absent")] = share
			into[key], w.rare[at] = directive, true
		}
	}
}

func newWorld(r *rand.Rand) *world {
	w := &world{leaves: make(map[string]leaf), rare: make(map[string]bool), campaign: make(tree)}
	w.grow(r, w.campaign, "campaign", 1)
	place := w.campaign
	if inside := anyOf(r, "", "", "attributes", "node"); inside != "" {
		place = make(tree)
		w.campaign[inside] = place
	}
	w.campaign[anyOf(r, "id", "Id", "_id", "campaignId")] = "{id}"
	place[anyOf(r, "name", "Name", "title", "label")] = "{name}"
	place[anyOf(r, "created_at", "createdAt", "created-at", "CreatedDate", "created")] = "{created_at}"
	place[anyOf(r, "updated_at", "updatedAt", "LastModifiedDate", "modified")] = anyOf[any](r, "{updated_at}", tree{"$text": "{updated_at}", "$null": 0.4})
	place[anyOf(r, "status", "state", "effective_status")] = "{status}"
	w.Campaign = w.campaign

	w.around = tree{"status": "ok", "meta": tree{"total": "{count}", "next": nil, "took": 12}, "object": "list"}
	w.Success.Body = anyOf[any](r, nil, "{campaigns}", tree{"data": "{campaigns}"}, tree{"items": "{campaigns}", "hasMore": false}, nested(w.around))
	if _, isTree := w.Success.Body.(tree); isTree && w.around["data"] != nil && w.Success.Body.(tree)["meta"] != nil {
		w.leaves["success.body.status"], w.leaves["success.body.meta.took"] = leaf{"ok", 1}, leaf{12, "twelve"}
	}
	w.IDs = anyOf(r, "uuid", "sequence", "integers", "cmp_########", "########")
	w.Timestamps = anyOf(r, "rfc3339", "rfc3339_millis", "rfc3339_micros", "sql", "02.01.2006 15:04", "2006-01-02", "unix", "unix_millis", "2006-01-02T15:04:05.000-0700", "2006-01-02T15:04:05")
	w.Statuses = anyOf(r, nil, []string{"live", "ended"}, []string{"in-progress", "Done", "new"}, []string{"ACTIVE", "PAUSED"})
	w.UnknownTokens = anyOf(r, "reject", "reject", "generate")
	w.CORS = anyOf(r, nil, []string{"off"}, []string{"http://localhost:5173"})
	w.Success.Status = anyOf(r, 0, 201, 203)
	w.Responses.Default.Body = anyOf[any](r, nil, tree{"detail": "{detail}"}, tree{"error": tree{"code": "{status}", "message": "{detail}"}}, tree{"errors": []any{tree{"status": tree{"$text": "{status}", "$type": "string"}, "title": "{title}"}}})
	w.failure = tree{"error": tree{"code": 190, "type": "OAuthException", "fatal": true, "message": "{detail}", "trace": tree{"$fake": "{uuid}"}}}
	w.Responses.MissingToken = fake.Response{Status: anyOf(r, 0, 400, 200), Headers: anyOf(r, nil, http.Header{}, http.Header{"Www-Authenticate": {`Bearer error="invalid_request"`}})}
	w.Responses.MissingToken.Body = anyOf[any](r, nil, w.failure, w.failure)
	if w.Responses.MissingToken.Body != nil {
		w.leaves["responses.missing_token.body.error.code"], w.leaves["responses.missing_token.body.error.type"] = leaf{190, 463}, leaf{"OAuthException", "api_error"}
		w.leaves["responses.missing_token.body.error.fatal"], w.leaves["responses.missing_token.body.error.trace"] = leaf{true, false}, leaf{tree{"$fake": "{uuid}"}, 5}
	}
	w.Responses.NotFound = fake.Response{Status: anyOf(r, 0, 400), Body: anyOf[any](r, nil, tree{"message": "Not Found"}, "Not here", "", []any{}, json.RawMessage("null"), "<!doctype html><p>No")}
	return w
}

func nested(around tree) tree {
	around["data"] = tree{"list": "{campaigns}"}
	return around
}

// change changes the service at a path: its value goes, is of another kind, or becomes
// null or absent where it never was. It returns false if it cannot be changed so.
func (w *world) change(path, how string) bool {
	steps := strings.Split(path, ".")
	into := tree{"campaign": w.campaign, "success": tree{"body": w.around}, "responses": tree{"missing_token": tree{"body": w.failure}}}
	for _, step := range steps[:len(steps)-1] {
		into = into[step].(tree)
	}
	key, l := steps[len(steps)-1], w.leaves[path]
	inCampaign := steps[0] == "campaign"
	switch {
	case how == "gone":
		delete(into, key)
	case how == "changed" && l.changed != nil:
		into[key] = l.changed
	case how == "null" && l.value != nil:
		into[key] = nil
	case (how == "$null" || how == "$absent") && inCampaign && !w.rare[path]:
		if directive, ok := l.value.(tree); ok {
			into[key] = maps.Clone(directive)
			into[key].(tree)[how] = 0.6
			return true
		}
		into[key] = tree{"$value": l.value, how: 0.6}
		if _, isList := l.value.([]any); isList {
			return false // whose values are shapes
		}
	default:
		return false
	}
	return true
}

// A loopback sends requests to a server in memory that are meant for this machine.
type loopback struct{ to *fake.Server }

func (l loopback) RoundTrip(r *http.Request) (*http.Response, error) {
	own := r.Clone(r.Context())
	own.URL.Host = strings.TrimPrefix(strings.TrimSuffix(l.to.BaseURL(), "/api"), "http://")
	return l.to.Client().Transport.RoundTrip(own)
}

// compared returns what is found of a server with some settings, beside other ones.
func compared(t *testing.T, real fake.Service, campaigns int, ours fake.Observed) *fake.Findings {
	t.Helper()
	srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient(), fake.WithLogger(nil), fake.WithService(real), fake.WithUser("the-real-token", fake.User{Generate: &fake.Generate{Count: campaigns}}))
	defer srv.Close()
	findings, err := fake.Compare(context.Background(), "http://localhost/api", "the-real-token",
		fake.Comparison{Service: ours.Service, Accepted: ours.Accepted, Pause: -1, Client: &http.Client{Transport: loopback{srv}}})
	if err != nil {
		t.Fatal(err)
	}
	if findings.Requests > 12 {
		t.Errorf("%d requests were sent, want at most 12", findings.Requests)
	}
	return findings
}

// unlike returns the findings that do not agree.
func unlike(f *fake.Findings) (list []fake.Finding) {
	for _, finding := range f.List {
		if finding.Verdict == "differs" || finding.Verdict == "warning" {
			list = append(list, finding)
		}
	}
	return list
}

// seeds returns how many services a property is tried with.
func seeds(t *testing.T) uint64 {
	text := os.Getenv("COMPARE_SEEDS")
	if text == "" {
		return 20
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Compare learns a service: it finds nothing against what it has learnt, and nothing that
// differs if only data have changed; and it finds any change after that.
func TestCompareLearnsAService(t *testing.T) {
	t.Parallel()
	const together = 100 // since a test keeps all that its parts have made
	for first, all := uint64(0), seeds(t); first < all; first += together {
		t.Run(fmt.Sprint("from ", first), func(t *testing.T) {
			for seed := first; seed < min(first+together, all); seed++ {
				t.Run(fmt.Sprint(seed), func(t *testing.T) {
					t.Parallel()
					learnsAService(t, seed)
				})
			}
		})
	}
}

// learnsAService checks the property with the service of a seed.
func learnsAService(t *testing.T, seed uint64) {
	w := newWorld(rand.New(rand.NewPCG(seed, 1)))
	r := rand.New(rand.NewPCG(seed, 2))
	campaigns := 25 + r.IntN(60)
	learnt, err := compared(t, w.Service, campaigns, fake.Observed{}).Observed(fake.Observed{})
	if err != nil {
		t.Fatal(err)
	}
	given, _ := json.Marshal(w.Service)
	show := func() string {
		ours, _ := json.Marshal(learnt)
		return fmt.Sprintf("given  %s\nlearnt %s", given, ours)
	}
	for _, a := range learnt.Accepted {
		t.Errorf("%s\nthis was accepted, not learnt: %+v", show(), a)
	}
	again := compared(t, w.Service, campaigns, learnt)
	for _, f := range unlike(again) {
		t.Errorf("%s\nthere is still %s", show(), f)
	}
	if again.Verdict != "agrees" {
		t.Errorf("the verdict is %s: %q", again.Verdict, again.Partial)
	}
	other := w.Service
	other.Seed = seed + 1
	for _, f := range unlike(compared(t, other, campaigns+20, learnt)) {
		if f.Verdict == "differs" && !strings.HasPrefix(f.Note, "it can be ") {
			t.Errorf("%s\nonly data have changed, and there is %s", show(), f)
		}
	}
	path, how := anyOf(r, slices.Sorted(maps.Keys(w.leaves))...), anyOf(r, "gone", "changed", "null", "$null", "$absent")
	if !w.change(path, how) {
		return
	}
	if w.rare[path] { // of fewer campaigns, chance alone may show that it is always null or absent
		campaigns += 40
	}
	found := compared(t, w.Service, campaigns, learnt)
	if !slices.ContainsFunc(unlike(found), func(f fake.Finding) bool { return strings.HasPrefix(f.Setting, path) && f.Verdict == "differs" }) {
		t.Errorf("%s\n%s of %s: only this was found: %s", show(), how, path, unlike(found))
	}
}
