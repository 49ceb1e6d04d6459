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
// mistakes in what was sent, which are *fixtures.Mistakes. It has the Status of the answer, as 404
// if no user has the token, and the Detail: the reason in words.
type RefusedError = control.Problem

// refusal returns the error for an answer of a server that is not what was asked for.
func refusal(server string, response *http.Response, answer []byte) error {
	var document RefusedError
	if json.Unmarshal(answer, &document) != nil || document.Detail == "" {
		return fmt.Errorf("%s does not answer as campaignfake does: %s %s answers %s: %q", server,
			response.Request.Method, response.Request.URL.Path, response.Status, words.Shorten(strings.TrimSpace(string(answer))))
	}
	if len(document.Mistakes) > 0 {
		return &fixtures.Mistakes{List: document.Mistakes, More: document.More}
	}
	return &document
}
