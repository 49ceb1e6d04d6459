package record

import (
	"encoding/json"
	"strings"

	"example.com/campaignfake/fake/internal/secret"
)

// placeholder stands for the token of the service where an answer repeats it.
const placeholder = "TOKEN"

// shortestSecret is how many characters a token needs so that it is hidden in an answer. A shorter
// token, as demo, is a word that answers have anyway.
const shortestSecret = 8

// hide returns a value of JSON in which the placeholder stands for the token of the service, and
// whether the value had the token, in one of the forms of package secret. A number that has the
// token becomes a text.
func hide(token string, value any) (hidden any, isHidden bool) {
	h := newHider(token)
	hidden = h.value(value)
	return hidden, h.isHidden
}

// hideInText is hide for a text.
func hideInText(token, text string) (hidden string, isHidden bool) {
	h := newHider(token)
	hidden = h.text(text)
	return hidden, h.isHidden
}

// A hider copies a value, and replaces the token in its texts, numbers and keys.
type hider struct {
	replacer *strings.Replacer
	isHidden bool
}

// newHider returns a hider of a token. It replaces nothing if the token is too short.
func newHider(token string) *hider {
	var pairs []string
	if len(token) >= shortestSecret {
		for _, form := range secret.Forms(token) {
			pairs = append(pairs, form, placeholder)
		}
	}
	return &hider{replacer: strings.NewReplacer(pairs...)}
}

func (h *hider) value(value any) any {
	switch value := value.(type) {
	case string:
		return h.text(value)
	case json.Number:
		digits := value.String()
		replaced := h.text(digits)
		if replaced != digits {
			return replaced
		}
	case []any:
		list := make([]any, len(value))
		for i, element := range value {
			list[i] = h.value(element)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for key, element := range value {
			object[h.text(key)] = h.value(element)
		}
		return object
	}
	return value
}

func (h *hider) text(s string) string {
	replaced := h.replacer.Replace(s)
	if replaced != s {
		h.isHidden = true
	}
	return replaced
}
