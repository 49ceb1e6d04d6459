package observe

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// secrets are what no output may hold: the token, the ids and names that were seen, and
// the host. They are in small letters, since headers, say, come back in other ones.
type secrets struct {
	parts map[string]bool // of the token, in several encodings
	short string          // a token that is too short to have parts
	host  string
	seen  []string // ids and names
	known []string // texts that the fake has, too
}

const (
	tokenPart = 8 // characters of a token in a row that give it away
	leastSeen = 4 // characters of an id or a name that could be told from other words
)

// newSecrets returns the secrets of a service, of which some campaigns were seen.
func newSecrets(token, host string, campaigns []map[string]any) *secrets {
	s := &secrets{parts: make(map[string]bool), host: strings.ToLower(host)}
	if len(token) < tokenPart {
		s.short = strings.ToLower(token)
	}
	for _, text := range encodings(token) {
		text = strings.ToLower(text)
		for i := 0; i+tokenPart <= len(text); i++ {
			s.parts[text[i:i+tokenPart]] = true
		}
	}
	for _, campaign := range campaigns {
		for _, name := range []string{"id", "name"} {
			text, _ := campaign[name].(string)
			if number, ok := campaign[name].(json.Number); ok {
				text = number.String()
			}
			if len(text) >= leastSeen {
				s.seen = append(s.seen, strings.ToLower(text))
			}
		}
	}
	s.seen = distinct(s.seen)
	return s
}

// encodings returns a token as it is, and as it may come back.
func encodings(token string) []string {
	reversed := []byte(token)
	slices.Reverse(reversed)
	texts := []string{token, string(reversed), url.QueryEscape(token), url.PathEscape(token), hex.EncodeToString([]byte(token))}
	for before := range 3 { // what stands before it moves the groups of base64
		padded := []byte(strings.Repeat("x", before) + token)
		skip := (before*8 + 5) / 6
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if text := encoding.EncodeToString(padded); len(text) > skip+1 {
				texts = append(texts, text[skip:len(text)-1])
			}
		}
	}
	return texts
}

// in returns what kind of secret a text from the service holds, "" if it holds none.
func (s *secrets) in(text string) string {
	if slices.Contains(commonWords, text) {
		return ""
	}
	original := text
	text = strings.ToLower(text)
	for i := 0; i+tokenPart <= len(text); i++ {
		if s.parts[text[i:i+tokenPart]] {
			return "a part of the token"
		}
	}
	switch {
	case s.short != "" && strings.Contains(text, s.short):
		return "the token"
	case len(s.host) >= leastSeen && strings.Contains(text, s.host):
		return "the host"
	case !slices.Contains(s.known, original) && slices.ContainsFunc(s.seen, func(secret string) bool { return hasWords(text, secret) }):
		return "an id or a name of a campaign"
	}
	return ""
}

// hasWords reports whether a text has others as whole words: a campaign called link
// does not make a secret of links.
func hasWords(text, words string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], words)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:from+i])
		after, _ := utf8.DecodeRuneInString(text[from+i+len(words):])
		if !isWord(before) && !isWord(after) {
			return true
		}
		from += i + 1
	}
}

func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// commonWords are texts that tell nothing, whoever sends them.
var commonWords = append([]string{
	"campaigns", "data", "items", "results", "none", "type", "title", "detail", "instance", "message", "error", "errors", "code",
	"Bearer", "about:blank", "application/json", "application/problem+json", "text/html", "text/plain",
	"Unauthorized", "Not Found", "Forbidden", "any", "off", localOrigin,
	"draft", "scheduled", "active", "paused", "completed", "archived",
}, documented...)

// Withhold removes the traits that hold a secret from both: a part of the token, an id
// or a name of a campaign, or the host. It returns their names, without a part that is
// the secret, with what they hold. What the fake has, too, is no secret, unless it is a
// part of the token.
func (a *Asker) Withhold(t, fake Traits) map[string]string {
	s := newSecrets(a.Token, a.BaseURL.Hostname(), a.campaigns)
	for name, trait := range fake {
		s.known = append(s.known, textsOf(name, trait.Value)...)
	}
	withheld := make(map[string]string)
	for name, trait := range t {
		for _, text := range textsOf(name, trait.Value) {
			secret := s.in(text)
			if secret == "" {
				continue
			}
			shown := name
			if field, ok := strings.CutPrefix(name, "fields."); ok && s.in(field) != "" {
				shown = "fields"
			}
			withheld[shown] = secret
			delete(t, name)
			delete(fake, name)
			break
		}
	}
	return withheld
}

// textsOf returns the texts of a trait that come from the service. The others are our
// own words.
func textsOf(name string, value any) (texts []string) {
	switch name {
	case "timestamps", "unknown_tokens", "cors", "head", "query", "accept":
		return nil
	}
	switch value := value.(type) {
	case Field:
		return append(textsIn(value.Shape), strings.TrimPrefix(name, "fields."))
	case body:
		return textsIn(value.Value)
	}
	return textsIn(value)
}

// textsIn returns the keys and texts of a value.
func textsIn(value any) (texts []string) {
	switch value := value.(type) {
	case string:
		return []string{value}
	case []string:
		return value
	case map[string]string:
		for key, text := range value {
			texts = append(texts, key, text)
		}
	case []any:
		for _, item := range value {
			texts = append(texts, textsIn(item)...)
		}
	case map[string]any:
		for key, inner := range value {
			texts = append(append(texts, key), textsIn(inner)...)
		}
	}
	return texts
}
