package observe

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// secrets are what no key, status or text that is kept may hold: the token, the ids,
// names and other texts that were seen, and the host. They are in small letters, since
// headers, say, come back in other ones.
type secrets struct {
	parts map[string]bool // of the token, in several encodings
	short string          // a token that is too short to have parts
	host  string
	words map[string]bool // short texts, which are no secrets, but no keys either
	seen  map[string]bool // ids, names and texts of several words, letters and digits alone
}

const (
	tokenPart = 8 // characters of a token in a row that give it away
	leastPart = 6 // characters of an id or a text that are recognized within a word
	leastSeen = 4 // characters of an id or a text that are recognized among other words
)

// newSecrets returns the secrets of a service, of which some campaigns were seen.
func newSecrets(token, host string, campaigns []map[string]any) *secrets {
	s := &secrets{parts: make(map[string]bool), host: strings.ToLower(host), words: make(map[string]bool), seen: make(map[string]bool)}
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
		s.collect(campaign, "")
	}
	return s
}

// collect takes in the texts of a campaign: those of several words, and any id and name.
func (s *secrets) collect(value any, key string) {
	switch value := value.(type) {
	case string:
		field := means(key)
		const longest, word = 200, 64
		if len(value) < word {
			s.words[strings.ToLower(value)] = true
		}
		if len(value) > longest || isKnownWord(value) {
			return
		}
		if plain := letters(value); len(plain) >= leastSeen && (field == "id" || field == "name" || !isWord(value) && !isDecimal(value)) {
			s.seen[plain] = true
		}
	case json.Number:
		if field := means(key); field == "id" && len(value) >= leastSeen {
			s.seen[value.String()] = true
		}
	case map[string]any:
		for key, inner := range value {
			s.collect(inner, key)
		}
	case []any:
		for _, inner := range value {
			s.collect(inner, key)
		}
	}
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
	if s == nil {
		return ""
	}
	small := strings.ToLower(text)
	for i := 0; i+tokenPart <= len(small); i++ {
		if s.parts[small[i:i+tokenPart]] {
			return "a part of the token"
		}
	}
	switch field := means(text); {
	case s.short != "" && strings.Contains(small, s.short):
		return "the token"
	case len(s.host) >= leastSeen && strings.Contains(small, s.host):
		return "the host"
	case field == "" && !isKnownWord(text) && s.holdsSeen(text):
		return "an id, a name or a text of a campaign"
	}
	return ""
}

// holdsSeen reports whether some words of a text in a row are a text that was seen.
func (s *secrets) holdsSeen(text string) bool {
	parts := strings.FieldsFunc(spaced(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	const most = 20
	parts = parts[:min(len(parts), most)]
	for from := range parts {
		joined := ""
		for _, part := range parts[from:] {
			if joined += strings.ToLower(part); s.seen[joined] {
				return true
			}
		}
	}
	plain := letters(text)
	for secret := range s.seen {
		if len(secret) >= leastPart && len(secret) <= len(plain) && strings.Contains(plain, secret) {
			return true
		}
	}
	return s.seen[plain]
}
