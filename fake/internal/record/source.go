package record

import (
	"encoding/json"
	"reflect"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fake/internal/secret"
)

// A source is the answer that becomes a user.
type source struct {
	status   int    // 0 for an answer from a file
	body     []byte // without a byte order mark
	isJSON   bool
	value    any  // the JSON value, or else the body as text; TOKEN replaces the token
	hadToken bool // the token was in the body or in the Content-Type

	contentType string // with TOKEN in place of the token; "" for an answer from a file
	token       secret.Token
}

func newSource(answer ask.Answer, token secret.Token) source {
	decoded, isJSON := ask.DecodeJSON(answer.Body)
	if !isJSON {
		decoded = string(answer.Body)
	}
	value := hide(token, decoded)
	contentType := answer.Header.Get("Content-Type")
	return source{
		status:      answer.Status,
		body:        answer.Body,
		isJSON:      isJSON,
		value:       value,
		hadToken:    !reflect.DeepEqual(value, decoded) || token.IsIn(contentType),
		contentType: token.Replace(contentType),
		token:       token,
	}
}

// isTree reports whether the answer is an object or a list of JSON.
func (s source) isTree() bool {
	switch s.value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// hide returns a JSON value with the placeholder in place of the service's token, in texts, numbers
// and keys. A number that has the token becomes a text.
func hide(token secret.Token, value any) any {
	switch value := value.(type) {
	case string:
		return token.Replace(value)
	case json.Number:
		digits := value.String()
		replaced := token.Replace(digits)
		if replaced != digits {
			return replaced
		}
	case []any:
		list := make([]any, len(value))
		for i, element := range value {
			list[i] = hide(token, element)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for key, element := range value {
			object[token.Replace(key)] = hide(token, element)
		}
		return object
	}
	return value
}
