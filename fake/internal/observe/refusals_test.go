package observe_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/campaignfake/fake/internal/observe"
)

// counted returns an answer in JSON, in whose body %d is the number of the request.
func counted(status int, body string) http.HandlerFunc {
	var count atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		number := fmt.Sprint(count.Add(1))
		says(status, "application/json", strings.ReplaceAll(body, "%d", number))(w, r)
	}
}

// alternating returns two answers by turns.
func alternating(first, second http.HandlerFunc) http.HandlerFunc {
	var count atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		if count.Add(1)%2 == 1 {
			first(w, r)
			return
		}
		second(w, r)
	}
}

// The observation has the common part of two answers. The rest becomes open values.
func TestBodies(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"message":"no","code":7}`: `{"code":7,"message":"no"}`,
		``:                          ``,
		`no %d`:                     `…`,
		`[%d,{"a":"%d"}]`:           `[0,{"a":"…"}]`,
		`{"message":"no","id%d":7}`: `{"message":"no"}`,
		`{"at":"at 12:30:59","day":"2025-01-05"}`:          `{"at":"…","day":"2025-01-05"}`,
		`{"id":"0B7b6c1e-9f0a-4e55"}`:                      `{"id":"…"}`,
		`{"00c0ffee00c0ffee":1,"a":2}`:                     `{"a":2}`,
		`{"id":"00c0ffee00c0ffe"}`:                         `{"id":"00c0ffee00c0ffe"}`,
		`{"at":1736069400,"code":173606940}`:               `{"at":0,"code":173606940}`,
		`{"title":"a {title}","a":"/{id}","b":"{}"}`:       `{"a":"…","b":"{}","title":"…"}`,
		`{"a":"` + strings.Repeat("x", 2000) + `"}`:        `{"a":"…"}`,
		`{"a":[` + strings.Repeat(`{"b":7},`, 200) + `1]}`: `{"a":[]}`,
		`{"a":1` + strings.Repeat(`,"a":1`, 1<<14) + `}`:   `{}`,
		strings.Repeat("x", 1<<17):                         `…`,
	} {
		o := seen(t, service{missing: counted(401, body)})
		got := fmt.Sprintf("%s", o.Settings().Responses.MissingToken.Body)
		if got != want {
			t.Errorf("%.200s: observed is %s, want %s", body, got, want)
		}
	}
}

// The settings for a refusal.
func TestRefusals(t *testing.T) {
	t.Parallel()
	list := lists(oneCampaign)
	echo := func(w http.ResponseWriter, r *http.Request) {
		counted(404, `{"path":"`+r.URL.Path+`"}`)(w, r)
	}
	ofCustomer := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") == "Bearer "+token {
				says(404, "application/json", `{"error":"no","user":"Ann","plan":7}`)(w, r)
				return
			}
			says(status, "application/json", `{"error":"no","user":"nobody","plan":0}`)(w, r)
		}
	}
	const bodyOfCustomer = `{"responses":{"not_found":{"headers":` +
		`{"Content-Type":"application/json"},"body":{"error":"no","plan":0,"user":"…"}}}}`
	challenges := func(values ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Www-Authenticate"] = values
			says(401, "application/json", `{"message":"Unauthenticated."}`)(w, r)
		}
	}
	redirect := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/login", http.StatusFound)
	}
	const sameBody = `{"message":"Unauthenticated."}`
	for _, tt := range []struct {
		name    string
		service service
		want    string // the settings under responses.missing_token, or all settings
	}{
		{"another status", service{missing: says(403, "application/json", sameBody)},
			`{"status":403}`},
		{"two statuses", service{missing: alternating(says(403, "", ""), says(401, "", ""))},
			`responses.missing_token.status: 403, or 401`},
		{"a status that no answer has", service{missing: says(699, "application/json", sameBody)},
			`responses.missing_token.status: what no setting can have`},
		{"a list", service{missing: list},
			`responses.missing_token.status: 200 with a list, and so no refusal`},
		{"success", service{missing: says(200, "application/json", `{"message":"no"}`)},
			`{"status":200,"headers":{"Content-Type":"application/json"},"body":{"message":"no"}}`},
		{"any token", service{invalid: list}, `{"unknown_tokens":"generate"}`},
		{"no type", service{missing: says(401, "", sameBody)}, `{"headers":{"Content-Type":[]}}`},
		{"a list without a type", service{list: says(200, "", `{"campaigns":[]}`)},
			`{"success":{"headers":{"Content-Type":[]}}}`},
		{"a status without a body", service{missing: says(204, "", "")},
			`{"status":204,"headers":{}}`},
		{"a list at another path", service{notFound: alternating(list, says(401, "", ""))},
			`responses.not_found.status: 200 with a list, and so no refusal`},
		{"a path", service{notFound: echo}, `{"responses":{"not_found":` +
			`{"headers":{"Content-Type":"application/json"},"body":{"path":"…"}}}}`},
		{"a customer", service{notFound: ofCustomer(404)}, bodyOfCustomer},
		{"challenges", service{missing: challenges("Basic", `Digest realm="a"`)},
			`{"headers":{"Content-Type":"application/json",` +
				`"WWW-Authenticate":"Basic, Digest realm=\"a\""}}`},
		{"a challenge that changes",
			service{missing: alternating(challenges("a"), challenges("b"))},
			`{"headers":{"Content-Type":"application/json","WWW-Authenticate":"…"}}`},
		{"a redirect", service{missing: redirect}, `{"status":302,"headers":` +
			`{"Content-Type":"text/html; charset=utf-8","Location":"/login"},` +
			`"body":"\u003ca href=\"/login\"\u003eFound\u003c/a\u003e.\n\n"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := unusual(t, seen(t, tt.service))
			inside, isAlone := strings.CutPrefix(got, `{"responses":{"missing_token":`)
			if isAlone {
				got = strings.TrimSuffix(inside, "}}")
			}
			if got != tt.want {
				t.Errorf("observed is\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// The difference between a fake with the usual answers and a service, and between two services with
// the same answers.
func TestBetween(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		fake, service service
		want          string
		names         string
	}{
		{"the same", service{}, service{}, "", ""},
		{
			name:    "a setting",
			service: service{list: lists(whole(`"status":"live"`))},
			want:    " service:\n-  statuses: [\"active\"]\n+  statuses: [\"live\"]\n",
			names:   "statuses",
		},
		{
			name:    "a fact in the place of a setting, and a note",
			service: service{list: lists(whole(`"id":"x","created_at":"now"`))},
			want: "+# note on ids: of a form that no setting has\n" +
				"+# timestamps: in no one format that is known, the first as xxx; " +
				"write them as timestamps if a layout of Go fits\n",
			names: "timestamps",
		},
		{
			name: "what the fake has alone",
			fake: service{list: lists(whole(`"a":1,"id":7`))},
			service: service{list: lists(`{"id":"0b7b6c1e-9f0a-4e55-8c1d-5d0f7c0e4a11","name":"",` +
				`"updated_at":"2025-01-05T09:30:00Z","status":"active"}`)},
			want: "-# types: id is a number\n service:\n-  extra: {\"a\": 0}\n" +
				"+  omit: [\"created_at\"]\n+  ids: \"uuid\"\n",
			names: "types extra omit ids",
		},
		{
			name:    "a body, and the headers that it needs",
			service: service{missing: says(401, "application/json", `{"error":"nope"}`)},
			want: ` service:
   responses:
     missing_token:
+      headers: {"Content-Type": "application/json"}
-      body: {"message":"Unauthenticated."}
+      body: {"error":"nope"}
`,
			names: "responses.missing_token.body",
		},
		{
			name:    "a value of the fake where that of the service changes",
			fake:    service{missing: says(401, "application/json", `{"code":7,"id":"mine"}`)},
			service: service{missing: counted(401, `{"code":7,"id":"r%d"}`)},
		},
		{
			name:    "a value of another type",
			fake:    service{missing: says(401, "application/json", `{"code":7,"id":1}`)},
			service: service{missing: counted(401, `{"code":7,"id":"r%d"}`)},
			names:   "responses.missing_token.body",
		},
		{
			name:    "a value of the fake that changes",
			fake:    service{missing: counted(401, `{"code":7,"id":"r%d"}`)},
			service: service{missing: says(401, "application/json", `{"code":7,"id":"mine"}`)},
			names:   "responses.missing_token.body",
		},
		{
			name: "a token that the fake alone accepts",
			fake: service{invalid: lists()},
			names: "unknown_tokens responses.invalid_token.status " +
				"responses.invalid_token.headers responses.invalid_token.body",
		},
		{
			name:    "what was not seen",
			service: service{list: lists(), missing: says(503, "", ""), invalid: lists()},
			names:   "unknown_tokens",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := observe.Between(seen(t, tt.fake), seen(t, tt.service), nil)
			if got := strings.Join(d.Names, " "); got != tt.names {
				t.Errorf("%s differ, want %s", got, tt.names)
			}
			if tt.want != "" && d.YAML != tt.want {
				t.Errorf("the difference is\n%s\nwant\n%s", d.YAML, tt.want)
			}
			skipped := observe.Between(seen(t, tt.fake), seen(t, tt.service), d.Names)
			if len(skipped.Names) > 0 {
				t.Errorf("%q are skipped, and still differ", skipped.Names)
			}
		})
	}
}
