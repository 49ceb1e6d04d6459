package openapi

import (
	"encoding/json"
	"net/http"
	"testing"

	"example.com/campaignfake/fake"
)

// A service is settings that the document has to describe.
type service struct {
	name    string
	options []fake.Option

	// ofList and ofError are statements of TypeScript about list and error, as a client is
	// given them, which have to compile.
	ofList, ofError string
}

func services() []service {
	return []service{
		{"default", nil, `const name: string = list.campaigns[0].name;`, `const title: string = error.title;`},
		{"texts", []fake.Option{fake.WithService(fake.Service{
			BasePath: basePath, Success: fake.Response{Body: "{campaigns}"}, IDs: "cmp_########", Timestamps: "sql", Statuses: []string{"live", "gone"},
			Campaign: json.RawMessage(`{"id": "{id}", "at": {"name": "{name}", "created": "{created_at}"}, "status": "{status}", "mail": {"$fake": "{email}", "$absent": 0.5},
				"score": {"$fake": "{number:1,5}", "$type": "integer", "$null": 0.4}, "tags": ["a", 1, "b", null], "owner": {"$value": {"id": 7}, "$null": 0.5},
				"kind": {"$fake": "{randomstring:[a,b]}", "$null": 0.5}, "a/b~c d": null, "none": []}`),
			Responses: fake.Responses{
				MissingToken:     fake.Response{Body: "no token"},
				InvalidToken:     fake.Response{Headers: http.Header{"Content-Type": {"text/html; charset=utf-8"}, "X-Why": {"token"}}, Body: "<h1>No</h1>"},
				RateLimited:      fake.Response{Status: 503, Body: ""},
				MethodNotAllowed: fake.Response{Status: 304},
			},
		})}, `const c = list[0]; const id: string = c.id; const score: number | null = c.score; const tags: (string | number | null)[] = c.tags;
			const owner: number | undefined = c.owner?.id; const name: string = c.at.name; const kind: "a" | "b" | null = c.kind;
			// @ts-expect-error: it may be absent
			const mail: string = c.mail;
			// @ts-expect-error: it is not in the shape
			c.updated_at;`,
			`const why: string | undefined = typeof error === "string" ? error : error?.title;`},
		{"one-status", []fake.Option{fake.WithService(fake.Service{
			Timestamps: "unix",
			Success:    fake.Response{Status: 203, Body: json.RawMessage(`{"data": "{campaigns}", "total": "{count}", "pages": [{"n": 1}, {"n": 1.5}]}`), Headers: http.Header{"Content-Type": {"application/vnd.campaigns+json"}, "X-Page": {"1", "2"}, "Set-Cookie": {"a=1", "b=2"}}},
			Responses: fake.Responses{
				MissingToken:     fake.Response{Status: 403, Headers: http.Header{}, Body: map[string]any{"errors": []any{map[string]any{"code": 1}}}},
				InvalidToken:     fake.Response{Status: 403, Body: map[string]any{"errors": []any{map[string]any{"code": "two"}}}},
				NotFound:         fake.Response{Status: 403, Body: "gone"},
				MethodNotAllowed: fake.Response{Status: 500},
				RateLimited:      fake.Response{Body: `{"slow": true}`, Headers: http.Header{"Content-Type": {"application/json"}}},
			},
		})}, `const total: number = list.total; const n: number = list.pages[0].n; const created: number = list.data[0].created_at;`,
			`const code: string | number | undefined = typeof error === "object" && "errors" in error ? error.errors[0].code : undefined;`},
	}
}

// serve starts the gallery as a service.
func (s service) serve(t *testing.T) *fake.Server {
	t.Helper()
	return fake.NewTestServer(t, append([]fake.Option{fake.WithLenient(), fake.WithLogger(nil), fake.WithFixtures(fake.Gallery()), fake.WithUser("scripted", fake.User{
		Replies: []fake.Reply{{Response: "not_found"}, {Response: "method_not_allowed"}, {Response: "invalid_token"}, {Status: 502}, {Status: 409}},
	})}, s.options...)...)
}

// Whatever a service answers is as its document has it, and wrong types are not.
func TestServices(t *testing.T) {
	t.Parallel()
	for _, s := range services() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			srv := s.serve(t)
			d := describe(t, srv, serviceDocument)
			for token, times := range map[string]int{
				"": 1, "nobody": 1, "demo": 1, "empty": 1, "many": 1, "scripted": 6, "rate-limited": 4, "server-error": 1, "flaky": 3, "edge-cases": 1, "not-json": 1, "bad-json": 1,
			} {
				for range times {
					x := step{method: "GET", path: campaignsPath}.exchange(srv)
					if token != "" {
						x.header.Set("Authorization", "Bearer "+token)
					}
					if err := x.send(t, srv.Client()); err != nil {
						t.Fatal(err)
					}
					wrong := against[token] != ""
					if refused := d.refusedAnswer(t, x, x.status, x.answered.Get("Content-Type"), x.answer); wrong != (len(refused) > 0) {
						t.Errorf("%s is answered %d %.300s; by the document that is wrong: %v\n%s", x, x.status, x.answer, len(refused) > 0, explainAll(refused))
					}
				}
			}
		})
	}
}
