package compare

import (
	"net/http"
	"regexp"
	"strings"
	"time"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

var (
	uuid     = text.Pattern(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	sequence = text.Pattern(`^[1-9][0-9]{0,14}$`)
	digit    = text.Pattern(`[0-9]`)
	fraction = text.Pattern(`\.[0-9]+`) // of a second

	// numbered matches ids that are digits behind a prefix. It is short: a longer one may be the
	// name of a customer.
	numbered = text.Pattern(`^[A-Za-z]{0,8}[-_.:/]?[0-9]{1,18}$`)
)

// concludeIDs says which format the ids have: the one in force, if they fit it. One that no
// setting can say is a note, since clients should not look into ids.
func concludeIDs(o *observation) conclusion {
	ids := o.texts("id")
	if len(ids) == 0 {
		return conclusion{}
	}
	formats := []string{o.inForce.IDs, "uuid", "sequence"}
	if numbered().MatchString(ids[0]) {
		formats = append(formats, digit().ReplaceAllString(ids[0], "#"))
	}
	for _, format := range formats {
		if allMatch(idPattern(format), ids) {
			return conclusion{
				text:        format,
				hasSettings: true,
				settings:    fixtures.Service{IDs: format},
			}
		}
	}
	return conclusion{text: "a format that no setting has", isNote: true}
}

// idPattern returns the expression for the ids of a setting.
func idPattern(setting string) *regexp.Regexp {
	switch setting {
	case "uuid":
		return uuid()
	case "sequence":
		return sequence()
	}
	digits := strings.ReplaceAll(regexp.QuoteMeta(setting), "#", "[0-9]")
	return regexp.MustCompile("^" + digits + "$")
}

func allMatch(pattern *regexp.Regexp, texts []string) bool {
	for _, one := range texts {
		if !pattern.MatchString(one) {
			return false
		}
	}
	return true
}

// concludeTimestamps says which format the dates have: the one in force, if they fit it.
func concludeTimestamps(o *observation) conclusion {
	dates := o.texts("created_at", "updated_at")
	if len(dates) == 0 {
		return conclusion{}
	}
	formats := append([]string{o.inForce.Timestamps}, dateFormats()...)
	for _, format := range formats {
		if fitDates(format, dates) {
			return conclusion{
				text:        format,
				hasSettings: true,
				settings:    fixtures.Service{Timestamps: format},
			}
		}
	}
	return conclusion{text: "no single format that is known, as in " + o.shown(dates[0])}
}

// layoutOf returns the layout of a format, or as many # signs as its dates have digits.
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
	days := []string{"2006-01-02T", "2006-01-02 "}
	times := []string{
		"15:04:05", "15:04:05.000", "15:04:05.000000", "15:04:05.0000000", "15:04:05.000000000",
		"15:04:05.999999999", // as many digits as it takes
		"15:04",
	}
	zones := []string{"Z07:00", "-07:00", "-0700", "", " UTC", " -0700"}
	for _, day := range days {
		for _, time := range times {
			for _, zone := range zones {
				formats = append(formats, day+time+zone)
			}
		}
	}
	return append(formats,
		http.TimeFormat, time.RFC1123Z, time.RFC1123, time.RFC850, time.ANSIC, time.UnixDate,
		time.DateOnly, "2006/01/02 15:04:05", "2006/01/02",
		"02.01.2006 15:04:05", "02.01.2006 15:04", "02.01.2006",
		"02/01/2006 15:04:05", "02/01/2006 15:04", "02/01/2006",
		"01/02/2006 15:04:05", "01/02/2006 15:04", "01/02/2006", "01/02/2006 03:04 PM",
		"1/2/2006, 3:04:05 PM", "Jan 2, 2006", "January 2, 2006", "2 January 2006",
		"20060102T150405Z", "20060102150405", "20060102",
	)
}

// fitDates reports whether all dates have a format. Some languages cut zeros off the
// fraction of a second, and those that write Z for UTC write another zone as it is: it is enough
// that one date shows the whole format.
func fitDates(format string, dates []string) bool {
	layout := layoutOf(format)
	if strings.HasPrefix(layout, "#") {
		return allMatch(idPattern(layout), dates)
	}
	digits := len(fraction().FindString(layout))
	shortLayout := fraction().ReplaceAllString(layout, "")
	writesZ := strings.Contains(layout, "Z07")
	hasAllDigits, hasZ := false, false
	for _, date := range dates {
		isShort := len(fraction().FindString(date)) < digits
		switch {
		case hasLayout(layout, date):
			hasAllDigits = true
		case !isShort || !hasLayout(shortLayout, fraction().ReplaceAllString(date, "")):
			return false
		}
		if strings.HasSuffix(date, "Z") {
			hasZ = true
		}
	}
	return hasAllDigits && (hasZ || !writesZ)
}

// hasLayout reports whether a date is read by a layout, and written in the same way.
func hasLayout(layout, date string) bool {
	at, err := time.Parse(layout, date)
	return err == nil && at.Format(layout) == date
}
