package compare_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"example.com/campaignfake/fake/internal/compare"
	"example.com/campaignfake/fixtures"
)

func TestGoSyntax(t *testing.T) {
	t.Parallel()
	notFound := func(response fixtures.Response) fixtures.Service {
		return fixtures.Service{Responses: fixtures.Responses{NotFound: response}}
	}
	extra := map[string]any{
		"a": []any{1, nil, 1.5},
		"b": map[string]any{"c": true},
		"n": json.Number("12345678901"),
		"s": `"`,
	}
	for _, tt := range []struct {
		name     string
		settings fixtures.Service
		want     string
	}{
		{"none", fixtures.Service{}, `fixtures.Service{}`},
		{"texts", fixtures.Service{Timestamps: "unix", CORS: []string{"off"}},
			`fixtures.Service{Timestamps: "unix", CORS: []string{"off"}}`},
		{"values of JSON", fixtures.Service{Extra: extra},
			`fixtures.Service{Extra: map[string]any{"a": []any{1, nil, 1.5}, "b": ` +
				`map[string]any{"c": true}, "n": 12345678901, "s": "\""}}`},
		{
			name: "a response",
			settings: notFound(fixtures.Response{
				Status:  410,
				Headers: http.Header{"X": {"a", "b"}},
				Body:    "",
			}),
			want: `fixtures.Service{Responses: fixtures.Responses{NotFound: fixtures.Response{` +
				`Status: 410, Headers: http.Header{"X": {"a", "b"}}, Body: ""}}}`,
		},
		{"no headers", notFound(fixtures.Response{Headers: http.Header{}}),
			`fixtures.Service{Responses: fixtures.Responses{NotFound: fixtures.Response{Headers: ` +
				`http.Header{}}}}`},
		{
			name: "a body of JSON",
			settings: notFound(fixtures.Response{
				Body: json.RawMessage(`{"error":["no",12345678901]}`),
			}),
			want: `fixtures.Service{Responses: fixtures.Responses{NotFound: fixtures.Response{` +
				`Body: map[string]any{"error": []any{"no", 12345678901}}}}}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := compare.GoSyntax(tt.settings); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
