package compare_test

import (
	"net/http"
	"testing"

	"example.com/campaignfake/fake/internal/compare"
	"example.com/campaignfake/fixtures"
)

func TestGoSyntax(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		settings fixtures.Service
		want     string
	}{
		{fixtures.Service{}, `fixtures.Service{}`},
		{fixtures.Service{Timestamps: "unix", CORS: []string{"off"}},
			`fixtures.Service{Timestamps: "unix", CORS: []string{"off"}}`},
		{fixtures.Service{Extra: map[string]any{"a": []any{1, nil}}},
			`fixtures.Service{Extra: map[string]any{"a":[]any{1, any(nil)}}}`},
		{fixtures.Service{Responses: fixtures.Responses{NotFound: fixtures.Response{
			Status: 410, Headers: http.Header{"Content-Type": {"text/plain"}}, Body: ""}}},
			`fixtures.Service{Responses: fixtures.Responses{NotFound: fixtures.Response{Status: 410, ` +
				`Headers: http.Header{"Content-Type":[]string{"text/plain"}}, Body: ""}}}`},
	} {
		if got := compare.GoSyntax(tt.settings); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
