package compare_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/campaignfake/fake/internal/compare"
	"example.com/campaignfake/fixtures"
)

// counted returns an answer in JSON, in whose body %d is the number of the request.
func counted(status int, body string) http.HandlerFunc {
	var count atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		number := fmt.Sprint(count.Add(1))
		says(status, "application/json", strings.ReplaceAll(body, "%d", number))(w, r)
	}
}

// What is the same in two answers is compared and written. The rest is left out, and said.
func TestRefusalBody(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		service    string // what the service does
		leftOut    string
	}{
		{"all the same", `{"message":"no","code":7}`, `{"code":7,"message":"no"}`, ""},
		{"a list", `[{"message":"no"}]`, `[{"message":"no"}]`, ""},
		{"a text", `no`, `"no"`, ""},
		{"a text of JSON", `"no"`, `"\"no\""`, ""},
		{"a number that changes", `{"message":"no","id":%d}`, `{"message":"no"}`, "id (changes)"},
		{"a text that changes", `{"message":"no","id":"r%d"}`, `{"message":"no"}`, "id (changes)"},
		{
			name:    "a key that changes",
			body:    `{"message":"no","id%d":7}`,
			service: `{"message":"no"}`,
			leftOut: "id1 (changes), id2 (changes)",
		},
		{
			name:    "in an object",
			body:    `{"error":{"code":7,"id":%d}}`,
			service: `{"error":{"code":7}}`,
			leftOut: "error.id (changes)",
		},
		{
			name:    "a key that reads like a path",
			body:    `{"a.b":%d,"a":{"b":7}}`,
			service: `{"a":{"b":7}}`,
			leftOut: `["a.b"] (changes)`,
		},
		{
			name:    "a path that reads like a key",
			body:    `{"a.b":7,"a":{"b":%d}}`,
			service: `{"a":{},"a.b":7}`,
			leftOut: "a.b (changes)",
		},
		{
			name:    "a key like an index",
			body:    `{"a[0].b":%d,"a":[{"b":7}]}`,
			service: `{"a":[{"b":7}]}`,
			leftOut: `["a[0].b"] (changes)`,
		},
		{"a key without a letter", `{"a":{"":%d,"b":7}}`, `{"a":{"b":7}}`, `a[""] (changes)`},
		{
			name:    "in a list of objects",
			body:    `{"errors":[{"code":7},{"code":8,"id":%d}]}`,
			service: `{"errors":[{"code":7},{"code":8}]}`,
			leftOut: "errors[1].id (changes)",
		},
		{
			name:    "in a list of numbers",
			body:    `{"error":"no","list":[{"id":%d},%d]}`,
			service: `{"error":"no"}`,
			leftOut: "list (changes)",
		},
		{
			name:    "in a list in a list",
			body:    `{"error":"no","list":[[{"id":%d}]]}`,
			service: `{"error":"no","list":[[{}]]}`,
			leftOut: "list[0][0].id (changes)",
		},
		{"all of an object", `{"id":%d}`, `{}`, "id (changes)"},
		{"a list that changes", `[%d]`, "a list", "all but its type (changes)"},
		{"nothing", ``, `none`, ""},
		{"a text alone", `no %d`, "text", "all but its type (changes)"},
		{
			name:    "a time of day",
			body:    `{"error":"no","at":"at 12:30:59"}`,
			service: `{"error":"no"}`,
			leftOut: "at (looks like a time or an id)",
		},
		{
			name:    "a UUID",
			body:    `{"error":"no","id":"0B7b6c1e-9f0a-4e55"}`,
			service: `{"error":"no"}`,
			leftOut: "id (looks like a time or an id)",
		},
		{"16 hexadecimal digits", `{"error":"no","id":"00c0ffee00c0ffee"}`, `{"error":"no"}`,
			"id (looks like a time or an id)"},
		{"15 hexadecimal digits", `{"id":"00c0ffee00c0ffe"}`, `{"id":"00c0ffee00c0ffe"}`, ""},
		{"a number of ten digits", `{"error":"no","at":1736069400}`, `{"error":"no"}`,
			"at (looks like a time or an id)"},
		{"a number of nine digits", `{"code":173606940}`, `{"code":173606940}`, ""},
		{"a date", `{"version":"2025-01-05"}`, `{"version":"2025-01-05"}`, ""},
		{"what settings replace", `{"error":"no","title":"a {title}"}`, `{"error":"no"}`,
			"title (has {title}, which the fake would replace)"},
		{
			name:    "the token",
			body:    `{"error":"no","for":"` + token + `"}`,
			service: `{"error":"no"}`,
			leftOut: "for (repeats the token)",
		},
		{"the token in a key", `{"error":"no","` + token + `":1}`, `{"error":"no"}`,
			"(hidden: it repeats part of the token) (repeats the token)"},
		{"a value of 512 bytes", `{"a":"` + strings.Repeat("x", 510) + `"}`, "…", ""},
		{
			name:    "a value of 513 bytes",
			body:    `{"error":"no","a":"` + strings.Repeat("x", 511) + `"}`,
			service: `{"error":"no"}`,
			leftOut: "a (is long)",
		},
		{
			name:    "a long trace",
			body:    `{"error":"no","trace":[` + strings.Repeat(`{"line":7},`, 99) + `1]}`,
			service: `{"error":"no"}`,
			leftOut: "trace (is long)",
		},
		{"a page of 2 KiB", strings.Repeat("x", 2<<10-2), "…", ""},
		{
			name:    "a longer page",
			body:    strings.Repeat("x", 2<<10-1),
			service: "text",
			leftOut: "all but its type (has more than 2 KiB)",
		},
		{
			name:    "a long object",
			body:    `{"a":1` + manyKeys(300) + `}`,
			service: "an object",
			leftOut: "all but its type (has more than 2 KiB)",
		},
		{
			name:    "a longer object",
			body:    `{"a":1` + manyKeys(9999) + `}`,
			service: "an object",
			leftOut: "all but its type (has more than 64 KiB)",
		},
		{"a longer list", `[1` + strings.Repeat(",1", 40000) + `]`, "a list",
			"all but its type (has more than 64 KiB)"},
		{"six that change", `{"a":%d,"b":%d,"c":%d,"d":%d,"e":%d,"f":%d}`, `{}`,
			"a (changes), b (changes), c (changes), d (changes), e (changes), 1 more"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, comparison(), service{missing: counted(401, tt.body)})
			f := r.called(t, "responses.missing_token.body")
			isAsWanted := f.Service == tt.service ||
				tt.service == "…" && strings.HasSuffix(f.Service, "…")
			if !isAsWanted || f.LeftOut != tt.leftOut {
				t.Errorf("the service has %s, want %s", f.Service, tt.service)
				t.Errorf("left out is %q, want %q", f.LeftOut, tt.leftOut)
			}
			// of which the type is all that is compared
			hasTypeOfTheFake := tt.service == "an object"
			if !hasTypeOfTheFake && (f.Verdict != compare.Differs ||
				f.Remedy.Action != compare.Write) {
				t.Errorf("found %+v", f)
			}
		})
	}
}

// manyKeys returns members of an object.
func manyKeys(count int) string {
	var keys strings.Builder
	for i := range count {
		fmt.Fprintf(&keys, `,"key%d":%d`, i, i)
	}
	return keys.String()
}

// Lists of two lengths have nothing in common.
func TestRefusalWithListsOfTwoLengths(t *testing.T) {
	t.Parallel()
	for _, lists := range [][2]string{{"[1]", "[1,1]"}, {"[1,1]", "[1]"}} {
		var count atomic.Int64
		answer := func(w http.ResponseWriter, r *http.Request) {
			list := lists[(count.Add(1)-1)%2]
			says(401, "application/json", `{"error":"no","list":`+list+`}`)(w, r)
		}
		f := run(t, comparison(), service{missing: answer}).called(t,
			"responses.missing_token.body")
		if f.Service != `{"error":"no"}` || f.LeftOut != "list (changes)" {
			t.Errorf("%q: found %+v", lists, f)
		}
	}
}

// A path is asked for twice, with two names: what repeats them is no part of the answer.
func TestRefusalRepeatsTheRequest(t *testing.T) {
	t.Parallel()
	echo := func(w http.ResponseWriter, r *http.Request) {
		says(404, "application/json", fmt.Sprintf(`{"error":"Not Found","path":%q}`, r.URL.Path))(w,
			r)
	}
	f := run(t, comparison(), service{notFound: echo}).called(t, "responses.not_found.body")
	if f.Service != `{"error":"Not Found"}` || f.LeftOut != "path (repeats the request)" {
		t.Errorf("found %+v", f)
	}
}

// What is left out of an answer of the service is left out of that of the fake.
func TestRefusalOfTheFakeIsReadLikeThatOfTheService(t *testing.T) {
	t.Parallel()
	challenge := func(scheme, body string) http.HandlerFunc {
		answer := counted(401, body)
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("WWW-Authenticate", scheme)
			answer(w, r)
		}
	}
	refuses := func(body string) http.HandlerFunc { return counted(401, body) }
	var count atomic.Int64
	digest := func(w http.ResponseWriter, r *http.Request) {
		challenge(fmt.Sprintf(`Digest nonce="%d"`, count.Add(1)), `{"error":"no"}`)(w, r)
	}
	for _, tt := range []struct {
		name       string
		real, fake http.HandlerFunc
		want       []string // of what differs
	}{
		{"a value of its own", refuses(`{"error":{"code":7,"id":"%d"}}`),
			refuses(`{"error":{"code":7,"id":"mine"}}`), nil},
		{
			name: "no value",
			real: refuses(`{"error":{"code":7,"id":"%d"}}`),
			fake: refuses(`{"error":{"code":7}}`),
			want: nil,
		},
		{"in a list", refuses(`[{"code":7,"id":"%d"}]`), refuses(`[{"code":7,"id":"mine"}]`), nil},
		{
			name: "another value",
			real: refuses(`{"error":{"code":7,"id":"%d"}}`),
			fake: refuses(`{"error":{"code":8}}`),
			want: []string{"body"},
		},
		{
			name: "a value too many",
			real: refuses(`{"a":1}`),
			fake: refuses(`{"a":1,"at":"12:30:59"}`),
			want: []string{"body"},
		},
		{"a text of its own", refuses(`no %d`), refuses(`mine`), nil},
		{"a value of another type", refuses(`no %d`), refuses(`{"error":"no"}`), []string{"body"}},
		{"a challenge of its own", digest, challenge("Digest", `{"error":"no"}`), nil},
		{
			name: "another challenge",
			real: challenge("Basic", "{}"),
			fake: challenge("Bearer", "{}"),
			want: []string{"headers"},
		},
		{"the type of nothing", says(401, "text/html", ""), says(401, "text/plain", ""), nil},
		{
			name: "the type of something",
			real: says(401, "text/html", "no"),
			fake: says(401, "text/plain", "no"),
			want: []string{"headers"},
		},
		{"something", says(401, "text/html", ""), says(401, "text/html", "no"), []string{"body"}},
		{"no refusal", lists(oneCampaign), lists(whole(`"id":"7"`)), nil},
		{"a redirect", redirect("/login"), redirect("/"), []string{"headers"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			real := endpoint(t, service{missing: tt.real})
			fake := endpoint(t, service{missing: tt.fake})
			findings, settings, err := comparison().Run(t.Context(), real, fake)
			if err != nil {
				t.Fatal(err)
			}
			got := result{findings, settings}.differing()
			for i, name := range got {
				got[i] = strings.TrimPrefix(name, "differs: responses.missing_token.")
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("found %q, want %q: %+v", got, tt.want, findings[0])
			}
		})
	}
}

func redirect(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(302)
	}
}

// The setting for headers is written with that for a body: without it, the type would follow from
// the body.
func TestRefusalWritesHeadersWithABody(t *testing.T) {
	t.Parallel()
	r := run(t, comparison(), service{missing: says(401, "application/json", `{"error":"no"}`)})
	want := `{"responses":{"missing_token":{"headers":{"Content-Type":"application/json"},` +
		`"body":{"error":"no"}}}}`
	if got := written(t, r.settings); got != want {
		t.Errorf("to be written are %s, want %s", got, want)
	}
}

func TestRefusalStatus(t *testing.T) {
	t.Parallel()
	flips := func(first, second int) http.HandlerFunc {
		var isOdd atomic.Bool
		return func(w http.ResponseWriter, r *http.Request) {
			status := first
			if isOdd.Swap(!isOdd.Load()) {
				status = second
			}
			says(status, "application/json", `{"list":[]}`)(w, r)
		}
	}
	list := lists(oneCampaign)
	for _, tt := range []struct {
		name     string
		service  service
		finding  string
		want     string
		settings string // to be written
	}{
		{
			name:     "another one",
			service:  service{missing: says(403, "application/json", refusalBody)},
			finding:  "responses.missing_token.status",
			want:     "403",
			settings: `{"responses":{"missing_token":{"status":403}}}`,
		},
		{
			name:     "two",
			service:  service{missing: flips(403, 401)},
			finding:  "responses.missing_token.status",
			want:     "403, or 401",
			settings: `{}`,
		},
		{
			name:     "sometimes",
			service:  service{missing: flips(200, 401)},
			finding:  "responses.missing_token.status",
			want:     "200, or 401",
			settings: `{}`,
		},
		{
			name:     "a made-up token, sometimes",
			service:  service{invalid: flips(401, 200)},
			finding:  "responses.invalid_token.status",
			want:     "401, or 200",
			settings: `{}`,
		},
		{"no refusal", service{missing: list}, "responses.missing_token.status",
			"200 with a list, and so no refusal", `{}`},
		{"another list", service{notFound: says(200, "application/json", `{"data":{"items":[]}}`)},
			"responses.not_found.status", "200 with a list, and so no refusal", `{}`},
		{
			name:     "with success",
			service:  service{missing: says(200, "application/json", refusalBody)},
			finding:  "responses.missing_token.status",
			want:     "200",
			settings: `{"responses":{"missing_token":{"status":200}}}`,
		},
		{
			name:     "a made-up token, with success",
			service:  service{invalid: says(200, "application/json", refusalBody)},
			finding:  "responses.invalid_token.status",
			want:     "200",
			settings: `{"responses":{"invalid_token":{"status":200}}}`,
		},
		{
			name:     "any token",
			service:  service{invalid: list},
			finding:  "unknown_tokens",
			want:     "are accepted",
			settings: `{"unknown_tokens":"generate"}`,
		},
		{
			name:     "one that no answer can have",
			service:  service{missing: says(699, "application/json", refusalBody)},
			finding:  "responses.missing_token.status",
			want:     "699",
			settings: `{}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, comparison(), tt.service)
			f := r.called(t, tt.finding)
			if f.Service != tt.want || f.Verdict != compare.Differs {
				t.Errorf("found %+v, want %q", f, tt.want)
			}
			if got := written(t, r.settings); got != tt.settings {
				t.Errorf("to be written are %s, want %s", got, tt.settings)
			}
			if got := r.differing(); len(got) != 1 {
				t.Errorf("found %q, want one", got)
			}
		})
	}
}

// A fake that does not reject unknown tokens has its reasons: nothing is said about that.
func TestUnknownTokensThatTheFakeAccepts(t *testing.T) {
	t.Parallel()
	for _, unknownTokens := range []string{"generate", "like demo"} {
		c := comparison()
		c.InForce.UnknownTokens = unknownTokens
		for _, f := range run(t, c, service{invalid: lists(oneCampaign)}).findings {
			if f.Name == "unknown_tokens" || strings.HasPrefix(f.Name, "responses.invalid_token") {
				t.Errorf("%s: found %+v", unknownTokens, f)
			}
		}
	}
}

// A status that no fixture can have is no remedy, neither alone nor in the place of another one.
func TestRefusalWithAStatusThatNoFixtureHas(t *testing.T) {
	t.Parallel()
	const name = "responses.missing_token.status"
	c := comparison()
	c.Places = map[string]fixtures.Place{name: {File: "own.yaml", Line: 1, Column: 1}}
	r := run(t, c, service{missing: says(699, "application/json", refusalBody)})
	if f := r.called(t, name); f.Service != "699" || f.Remedy.Action != compare.NoSetting {
		t.Errorf("found %+v, want that no setting can say it", f)
	}
}

// Headers that the fixtures set are changed there, and are not written beside a new body.
func TestRefusalWritesNoHeadersThatAreSetElsewhere(t *testing.T) {
	t.Parallel()
	c := comparison()
	c.Places = map[string]fixtures.Place{
		"responses.missing_token.headers": {File: "own.yaml", Line: 1, Column: 1},
	}
	r := run(t, c, service{missing: says(401, "text/plain", "no")})
	if f := r.called(t, "responses.missing_token.headers"); f.Remedy.Action != compare.Change {
		t.Errorf("found %+v", f)
	}
	if got := written(t, r.settings); got != `{"responses":{"missing_token":{"body":"no"}}}` {
		t.Errorf("to be written are %s", got)
	}
}
