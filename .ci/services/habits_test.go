package services

import "testing"

// Services whose campaigns, lists or refusals have an odd shape: what is learnt of each
// agrees with it from then on.
func TestShapes(t *testing.T) {
	t.Parallel()
	for _, l := range []look{
		{name: "as documented", script: "documented.py"},
		{name: "as documented, with other texts", script: "documented.py", args: "same-texts"},
		{name: "paging, OPTIONS 405", script: "paging.mjs", args: "405", status: 4},
		{name: "paging, OPTIONS 401", script: "paging.mjs", args: "401", status: 4},
		{name: "not the same twice", args: "not-twice", status: 5, again: 5},
		{name: "one campaign", args: "one-campaign"},
		{name: "a field that some campaigns have", args: "optional-field"},
		{name: "a documented field that some campaigns have", args: "optional-documented-field", status: 4},
		{name: "a documented field that no campaign has", args: "no-updated-at", status: 4},
		{name: "a Unix time", args: "unix-time", status: 4},
		{name: "a Unix time as text", args: "unix-text", status: 4},
		{name: "some names are null", args: "null-names", status: 4},
		{name: "all names are null", args: "names-all-null", status: 4},
		{name: "a status that is an object", args: "objects-as-status", status: 4},
		{name: "a status that is a number", args: "numbers-as-status", status: 4},
		{name: "keys that are ids", args: "object-with-ids-as-keys"},
		{name: "ids of both kinds", args: "ids-of-both-kinds", status: 4},
		{name: "large numbers", args: "large-numbers", status: 4},
		{name: "odd names of fields", args: "odd-names"},
		{name: "keys that look as placeholders and directives", args: "directives"},
		{name: "an odd envelope", args: "odd-envelope", status: 4},
		{name: "a name of two lines", args: "name-of-two-lines"},
		{name: "a name of 129 letters", args: "long-name"},
		{name: "ids of sixteen letters", args: "object-ids", status: 4},
		{name: "dates with offsets", args: "offsets", status: 4},
		{name: "fractions without zeros at the end", args: "trimmed-fractions", status: 4},
		{name: "JSON that is called HTML", args: "json-as-html", status: 4},
		{name: "a list for everybody", args: "public", status: 4},
		{name: "a redirect to a login", args: "redirect-without-token", status: 4},
		{name: "a page for all other paths", args: "page-for-all", status: 4},
		{name: "errors without a body", args: "empty-errors", status: 4},
		{name: "an unknown token breaks it", args: "broken-errors", status: 5, again: 5},
		{name: "an unknown token is limited", args: "limited-errors", status: 5, again: 5},
		{name: "errors of a validation", args: "validation", status: 4},
		{name: "17 levels", args: "17-levels"},
		{name: "600 fields", args: "600-fields"},
		{name: "20,000 campaigns", args: "many"},
	} {
		if l.script == "" {
			l.script = "shapes.py"
		}
		t.Run(l.name, l.learns)
	}
}
