package compare

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/campaignfake/fixtures"
)

// idPatterns are the expressions for the settings that have a name.
var idPatterns = map[string]*regexp.Regexp{
	"uuid":     regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`),
	"sequence": regexp.MustCompile(`^[1-9][0-9]{0,14}$`),
}

var (
	digit    = regexp.MustCompile(`[0-9]`)
	prefixed = regexp.MustCompile(`^[A-Za-z]{0,8}[-_.:/]?[0-9]{1,18}$`) // a longer prefix may be the name of a customer
	fraction = regexp.MustCompile(`\.[0-9]+`)
)

// ids is the format of the ids: the one in force, if they fit it. One that no setting can
// say is a note, since clients should not look into ids.
func ids(s *Sight) conclusion {
	list := s.texts("id")
	if len(list) == 0 {
		return conclusion{}
	}
	formats := []string{s.InForce.IDs, "uuid", "sequence"}
	if prefixed.MatchString(list[0]) {
		formats = append(formats, digit.ReplaceAllString(list[0], "#"))
	}
	for _, format := range formats {
		if all(list, idPattern(format).MatchString) {
			return conclusion{text: format, write: &fixtures.Service{IDs: format}}
		}
	}
	return conclusion{text: "a format that no setting has", isNote: true}
}

// idPattern returns the expression for the ids of a setting.
func idPattern(setting string) *regexp.Regexp {
	if known := idPatterns[setting]; known != nil {
		return known
	}
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(setting), "#", "[0-9]") + "$")
}

// timestamps is the format of the dates: the one in force, if they fit it.
func timestamps(s *Sight) conclusion {
	dates := s.texts("created_at", "updated_at")
	if len(dates) == 0 {
		return conclusion{}
	}
	for _, format := range append([]string{s.InForce.Timestamps}, dateFormats()...) {
		if fitDates(format, dates) {
			return conclusion{text: format, write: &fixtures.Service{Timestamps: format}}
		}
	}
	return conclusion{text: "no single format that is known, as in " + s.shown(dates[0])}
}

// layoutOf returns the layout of a setting, or as many # signs as its dates have digits.
func layoutOf(format string) string {
	switch format {
	case "unix":
		return "##########"
	case "unix_millis":
		return "#############"
	}
	return fixtures.TimestampLayout(format)
}

// dateFormats returns the formats that are known, those that have a name first.
func dateFormats() []string {
	formats := fixtures.TimestampNames()
	for _, day := range []string{"2006-01-02T", "2006-01-02 "} {
		for _, second := range []string{"15:04:05", "15:04:05.000", "15:04:05.000000", "15:04:05.0000000", "15:04:05.000000000", "15:04"} {
			for _, zone := range []string{"Z07:00", "-07:00", "-0700", "", " UTC", " -0700"} {
				formats = append(formats, day+second+zone)
			}
		}
	}
	return append(formats, http.TimeFormat, time.RFC1123Z, time.RFC1123, time.RFC850, time.ANSIC, time.UnixDate, time.DateOnly,
		"2006/01/02 15:04:05", "2006/01/02", "02.01.2006 15:04:05", "02.01.2006 15:04", "02.01.2006", "02/01/2006 15:04:05",
		"02/01/2006 15:04", "02/01/2006", "01/02/2006 15:04:05", "01/02/2006 15:04", "01/02/2006", "01/02/2006 03:04 PM",
		"1/2/2006, 3:04:05 PM", "Jan 2, 2006", "January 2, 2006", "2 January 2006", "20060102T150405Z", "20060102150405", "20060102")
}

// fitDates reports whether all dates have a format. Some languages cut zeros off the
// fraction of a second: it is enough that one date has all digits.
func fitDates(format string, dates []string) bool {
	layout := layoutOf(format)
	if strings.HasPrefix(layout, "#") {
		return all(dates, idPattern(layout).MatchString)
	}
	width := len(fraction.FindString(layout))
	isWhole := func(date string) bool { return hasLayout(layout, date) }
	return slices.ContainsFunc(dates, isWhole) && all(dates, func(date string) bool {
		isShorter := len(fraction.FindString(date)) < width
		return isWhole(date) || isShorter && hasLayout(fraction.ReplaceAllString(layout, ""), fraction.ReplaceAllString(date, ""))
	})
}

// hasLayout reports whether a date is read by a layout, and written in the same way. A
// layout that writes Z for UTC is not that of a service that writes another zone.
func hasLayout(layout, date string) bool {
	at, err := time.Parse(layout, date)
	return err == nil && at.Format(layout) == date && (!strings.Contains(layout, "Z07") || strings.HasSuffix(date, "Z"))
}

func all(texts []string, is func(string) bool) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return !is(text) })
}
