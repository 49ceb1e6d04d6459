package observe

import (
	"strings"

	"example.com/campaignfake/fake/internal/words"
)

// idsOf returns the setting by which ids look like this, "" if there is none, or too
// few ids to know.
func idsOf(ids []string) string {
	switch ids = distinct(withoutEmpty(ids)); {
	case len(ids) > 0 && all(ids, isUUID):
		return "uuid"
	case len(ids) < 2: // the whole of one id could be taken for a pattern
		return ""
	case all(ids, isCounted), all(ids, isDigits) && len(ids[len(ids)-1]) < fewestDigits && len(ids[0]) < fewestDigits:
		return "sequence"
	}
	prefix := idPrefix().FindString(ids[0])
	if !all(ids, func(id string) bool { return strings.HasPrefix(id, prefix) }) {
		prefix = ""
	}
	rest := hidden(ids[0][len(prefix):])
	if !isPattern(rest) || !all(ids, func(id string) bool { return hidden(strings.TrimPrefix(id, prefix)) == rest }) {
		return ""
	}
	return prefix + withDigits(rest)
}

// idPrefix matches a short word at the beginning of ids, which may be shown if all have it.
var idPrefix = words.Pattern(`^\pL{1,8}[_:/-]`)

var isPattern = pattern(`^[#_-]*#[#_-]*$`)

// hidden returns a text with # for each letter and digit.
func hidden(text string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return '#'
		}
		return r
	}, text)
}

// fewestDigits are those that a pattern needs, so that long lists have room.
const fewestDigits = 6

// withDigits returns a pattern with enough digits, and not too many: the first ones are 0
// then.
func withDigits(pattern string) string {
	digits := strings.Count(pattern, "#")
	if digits < fewestDigits {
		last := strings.LastIndexByte(pattern, '#')
		pattern = pattern[:last] + strings.Repeat("#", fewestDigits-digits) + pattern[last:]
	}
	return strings.Replace(pattern, "#", "0", max(0, digits-maxDigits))
}

func isCounted(id string) bool {
	return isInteger(id) && id[0] != '0' && id[0] != '-' && len(id) < maxDigits
}
