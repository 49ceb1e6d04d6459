package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/control"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// A RefusedError is the answer of a control plane that refused a request for another reason than
// mistakes in what was sent, which are *fixtures.Mistakes.
type RefusedError struct {
	Status int    // of the answer, as 404 if no user has the token
	Detail string // the reason in words
}

// Error returns the reason in words.
func (e *RefusedError) Error() string { return strings.TrimSuffix(e.Detail, ".") }

// refusal returns the error for an answer of a server that is not what was asked for.
func refusal(server string, response *http.Response, answer []byte) error {
	var document control.Problem
	if json.Unmarshal(answer, &document) != nil || document.Detail == "" {
		return fmt.Errorf("%s does not answer as campaignfake does: %s %s answers %s: %q", server,
			response.Request.Method, response.Request.URL.Path, response.Status, words.Shorten(strings.TrimSpace(string(answer))))
	}
	if len(document.Mistakes) > 0 {
		return &fixtures.Mistakes{List: document.Mistakes, More: document.More}
	}
	return &RefusedError{response.StatusCode, document.Detail}
}
