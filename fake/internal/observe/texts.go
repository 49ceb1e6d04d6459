package observe

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// pattern returns a function that compiles a regular expression at its first use, so
// that a server which asks nobody does not wait for it.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

var uuid = pattern(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// maxDigits is how many # signs a pattern of ids can have.
const maxDigits = 18

// idsOf returns the setting by which ids look like this, "" if there is none, or too
// few ids to tell.
func idsOf(ids []string) string {
	switch ids = distinct(ids); {
	case all(ids, uuid().MatchString):
		return "uuid"
	case len(ids) < 2: // the whole of one id could be taken for a pattern
		return ""
	case all(ids, isCounted):
		return "sequence"
	}
	return patternOf(ids)
}

// distinct sorts texts, and leaves out those that are there already.
func distinct(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

func all(texts []string, is func(string) bool) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return !is(text) })
}

func isCounted(id string) bool { return isInteger(id) && id[0] != '0' && id[0] != '-' && len(id) < 18 }

// patternOf returns the pattern of ids that differ only in their digits, "" if there
// is none.
func patternOf(ids []string) string {
	pattern := hideDigits(ids[0])
	digits := strings.Count(pattern, "#")
	alike := all(ids, func(id string) bool { return hideDigits(id) == pattern })
	if !alike || digits == 0 || digits > maxDigits || strings.Contains(ids[0], "#") {
		return ""
	}
	return pattern
}

func hideDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return '#'
		}
		return r
	}, text)
}

// layouts are those in which services write dates.
var layouts = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05.000Z07:00", "2006-01-02T15:04:05.000000Z07:00",
	"2006-01-02T15:04:05-07:00", "2006-01-02T15:04:05.000-07:00", "2006-01-02T15:04:05.000000-07:00", "2006-01-02T15:04:05-0700",
	"2006-01-02 15:04:05", "2006-01-02 15:04:05.000", "2006-01-02 15:04:05.000000", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05-07:00", "2006-01-02 15:04:05 MST",
	"2006-01-02T15:04:05", "2006-01-02T15:04:05.000", "2006-01-02T15:04:05.000000", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02",
	"2006/01/02 15:04:05", "2006/01/02", "02/01/2006 15:04:05", "02/01/2006 15:04", "02/01/2006", "01/02/2006 15:04:05", "01/02/2006",
	"02.01.2006 15:04:05", "02.01.2006 15:04", "02.01.2006", "20060102T150405Z", "20060102150405", "20060102",
	"2006-01-02T15:04:05.999999999Z07:00", // without zeros at the end
	time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC, "January 2, 2006", "Jan 2, 2006", "2 January 2006", "02 Jan 2006",
}

// layoutNames are the settings that stand for layouts.
var layoutNames = map[string]string{
	"2006-01-02T15:04:05Z07:00": "rfc3339", "2006-01-02T15:04:05.000Z07:00": "rfc3339_millis", "2006-01-02T15:04:05.000000Z07:00": "rfc3339_micros",
	time.DateTime: "sql",
}

// layoutOf returns the setting by which dates look like this, "" if there is none.
func layoutOf(dates []string) string {
	for _, layout := range layouts {
		if !all(dates, func(date string) bool { return writes(layout, date) }) {
			continue
		}
		if name := layoutNames[layout]; name != "" {
			if strings.HasSuffix(layout, "Z07:00") && !slices.ContainsFunc(dates, func(date string) bool { return strings.HasSuffix(date, "Z") }) {
				continue // an offset where UTC has Z
			}
			return name
		}
		if other := dayFirst.Replace(layout); other != layout && all(dates, func(date string) bool { return writes(other, date) }) {
			return "" // 03/04/2026 may be in March or in April
		}
		return layout
	}
	return ""
}

// dayFirst changes the places of day and month.
var dayFirst = strings.NewReplacer("02/01", "01/02", "01/02", "02/01")

// writes reports whether a date is written in a layout.
func writes(layout, date string) bool {
	t, err := time.Parse(layout, date)
	return err == nil && t.Format(layout) == date
}

// fewTexts are too few to tell what kind of texts a field has.
const fewTexts = 5

// textKind returns what kind of texts these are, "" for any, and for few of them.
func textKind(texts []string) string {
	layout := layoutOf(texts)
	switch {
	case len(texts) < fewTexts:
		return ""
	case all(texts, uuid().MatchString):
		return "uuid"
	case layout != "" && !strings.Contains(layout, "Mon") && !all(texts, isInteger):
		return layout
	case all(texts, email().MatchString):
		return "email"
	case all(texts, isURL):
		return "url"
	}
	return ""
}

var email = pattern(`^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$`)

func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// hostName matches what could be the name of a host, and an address of e-mail or the
// web.
var hostName = pattern(`[A-Za-z0-9-]\.[A-Za-z]{2,}|@|://`)

// isPlain reports whether a text holds no address, number or id, and nothing that was
// asked, so that it can be written as it is.
func isPlain(text string) bool {
	if strings.Contains(text, nothingHere) || len(text) > 120 || strings.ContainsAny(text, "0123456789\n\r\t") || hostName().MatchString(text) {
		return false
	}
	const longestWord = 24
	return !slices.ContainsFunc(strings.Fields(text), func(word string) bool { return len(word) > longestWord })
}
