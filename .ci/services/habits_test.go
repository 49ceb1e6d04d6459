package services

import (
	"testing"
)

// The habits of services that answer as somebody's framework does.
var (
	framework = look{
		name: "a PHP framework", script: "framework.py",
		differs: "beside cors envelope ids responses.invalid_token.body responses.invalid_token.headers responses.missing_token.body responses.missing_token.headers responses.not_found.body responses.not_found.headers timestamps",
		warns:   "accept " + frameworkFields + " headers",
		still:   "accept headers",
		real: map[string]string{
			"envelope":                     `"data"`,
			"ids":                          `"integers"`,
			"timestamps":                   `"rfc3339_micros"`,
			"cors":                         `["off"]`,
			"headers":                      `["X-Ratelimit-Limit","X-Ratelimit-Remaining"]`,
			"responses.missing_token.body": `{"kind":"json","value":{"message":"Unauthenticated."}}`,
			"fields.description":           `{"type":"string","null":0.5}`,
			"fields.deleted_at":            `{"type":"null"}`,
			"fields.budget":                `{"type":"number"}`,
		},
	}
	alwaysFine = look{
		name: "an error and a message, always 200", script: "list.mjs",
		differs: "cors envelope ids responses.missing_token.body responses.missing_token.headers responses.missing_token.status responses.not_found.body responses.not_found.headers responses.not_found.status timestamps unknown_tokens",
		warns:   "statuses",
		real: map[string]string{
			"envelope":                     `"none"`,
			"ids":                          `"cmp_########"`,
			"timestamps":                   `"sql"`,
			"unknown_tokens":               `"generate"`,
			"statuses":                     `["done","in-progress","on-hold"]`,
			"responses.missing_token.body": `{"kind":"json","value":{"error":"unauthorized","message":"Token required"}}`,
		},
	}
)

const frameworkFields = "fields.budget fields.clicks fields.currency fields.deleted_at fields.description fields.from_email fields.from_name fields.image_url " +
	"fields.is_active fields.is_test fields.open_rate fields.opens fields.preview_text fields.reply_to fields.scheduled_at fields.segment fields.sent_at " +
	"fields.settings fields.slug fields.spent fields.subject fields.tags fields.team_id fields.user_id fields.uuid"

// The fields that no setting would be called, as they stand in the script.
const oddFields = "fields fields. around  fields.!x fields.#x fields.%x fields.&a fields.*a fields.- x fields.123 fields.1e3 fields.<< fields.`x` " +
	"fields.a.b fields.a: b fields.a:b fields.fake fields.null fields.on fields.quo\"te fields.type fields.value fields.with space " +
	"fields.{number:1,5} fields.~ fields.ключ fields.🎈"

func TestHabits(t *testing.T) {
	t.Parallel()
	for _, l := range []look{
		{name: "as documented", script: "documented.py"},
		{
			name: "as documented, with other texts", script: "documented.py", args: "same-texts",
			warns: "responses.invalid_token.body responses.missing_token.body",
		},
		framework,
		{
			name: "a PHP framework without a login", script: "framework.py", args: "no-login",
			differs: "beside cors envelope ids responses.invalid_token.body responses.invalid_token.headers responses.missing_token.body responses.missing_token.headers responses.not_found.body responses.not_found.headers timestamps",
			warns:   "accept " + frameworkFields + " headers",
			still:   "accept headers",
		},
		alwaysFine,
		{
			name: "an error and a message", script: "list.mjs", args: "strict",
			differs: "cors envelope ids responses.invalid_token.body responses.invalid_token.headers responses.invalid_token.status responses.missing_token.body responses.missing_token.headers responses.not_found.body responses.not_found.headers timestamps",
			warns:   "statuses",
			real:    map[string]string{"responses.invalid_token.status": "403"},
		},
	} {
		t.Run(l.name, l.learns)
	}
}

// Services with paging, with other methods, and with campaigns of another shape.
func TestShapes(t *testing.T) {
	t.Parallel()
	for _, l := range []look{
		{name: "paging, OPTIONS 405", script: "paging.mjs", args: "405", differs: "cors", warns: "head query", still: "head query", real: map[string]string{"head": `"answered 405"`, "query": `"not ignored"`}},
		{name: "paging, OPTIONS 401", script: "paging.mjs", args: "401", differs: "cors", warns: "head query", still: "head query"},
		{name: "not the same twice", args: "not-twice"},
		{name: "one campaign", args: "one-campaign"},
		{name: "a field that some campaigns have", args: "optional-field", warns: "fields.score", still: "fields.score", real: map[string]string{"fields.score": `{"type":"integer","missing":0.5}`}},
		{name: "a documented field that some campaigns have", args: "optional-documented-field", differs: "campaign.updated_at", again: "campaign.updated_at"},
		{name: "a documented field that no campaign has", args: "no-updated-at", differs: "omit", real: map[string]string{"omit": `["updated_at"]`}},
		{name: "a Unix time", args: "unix-time", differs: "campaign.created_at", again: "campaign.created_at"},
		{name: "a Unix time as text", args: "unix-text", differs: "timestamps", again: "timestamps"},
		{name: "some names are null", args: "null-names", differs: "campaign.name", again: "campaign.name", real: map[string]string{"campaign.name": `{"type":"string","null":0.5}`}},
		{name: "all names are null", args: "names-all-null", differs: "campaign.name", again: "campaign.name"},
		{name: "a status that is an object", args: "objects-as-status", differs: "campaign.status", again: "campaign.status"},
		{name: "keys that are ids", args: "object-with-ids-as-keys", warns: "fields.counts", real: map[string]string{"fields.counts": `{"type":"object","shape":{}}`}},
		{name: "ids of both kinds", args: "ids-of-both-kinds", differs: "campaign.id", again: "campaign.id"},
		{name: "large numbers", args: "large-numbers", differs: "ids", warns: "fields.score"},
		{name: "odd names of fields", args: "odd-names", differs: "beside", warns: oddFields, still: "fields"},
		{name: "an odd envelope", args: "odd-envelope", differs: "envelope"},
		{name: "a name of two lines", args: "name-of-two-lines", warns: "fields", still: "fields"},
		{name: "a name of 129 letters", args: "long-name", warns: "fields", still: "fields"},
		{name: "ids of sixteen letters", args: "object-ids", warns: "ids", still: "ids"},
		{name: "dates with offsets", args: "offsets", differs: "timestamps", real: map[string]string{"timestamps": `"2006-01-02T15:04:05-07:00"`}},
		{name: "fractions without zeros at the end", args: "trimmed-fractions", differs: "timestamps"},
		{name: "JSON that is called HTML", args: "json-as-html", differs: "success.headers"},
		{name: "a list for everybody", args: "public", differs: "responses.missing_token.status"},
		{name: "a redirect to a login", args: "redirect-without-token", differs: "responses.invalid_token.body responses.invalid_token.headers responses.invalid_token.status responses.missing_token.body responses.missing_token.headers responses.missing_token.status"},
		{name: "a page for all other paths", args: "page-for-all", differs: "responses.not_found.body responses.not_found.headers responses.not_found.status"},
		{name: "errors without a body", args: "empty-errors", differs: "responses.invalid_token.body responses.invalid_token.headers responses.missing_token.body responses.missing_token.headers responses.not_found.body responses.not_found.headers"},
		{name: "an unknown token breaks it", args: "broken-errors"},
		{name: "an unknown token is limited", args: "limited-errors", notAsked: "limits requests (429)"},
		{name: "errors of a validation", args: "validation", differs: "responses.missing_token.body responses.missing_token.headers responses.missing_token.status"},
		{name: "20,000 campaigns", args: "many"},
	} {
		if l.script == "" {
			l.script = "shapes.py"
		}
		t.Run(l.name, l.learns)
	}
}
