package observe

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

var (
	uuid     = text.Pattern(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	sequence = text.Pattern(`^[1-9][0-9]{0,14}$`)
	digit    = text.Pattern(`[0-9]`)
	letter   = text.Pattern(`\pL`)
	signs    = text.Pattern(`#+`)

	fraction    = text.Pattern(`\.[0-9]+`) // the fraction of a second
	unixSeconds = text.Pattern(`^[0-9]{10}$`)
	unixMillis  = text.Pattern(`^[0-9]{13}$`)

	// numbered matches ids such as INV-2024-0012: up to 18 digits behind a prefix of at most eight
	// letters. A longer prefix may be the name of a customer.
	numbered = text.Pattern(`^[A-Za-z]{0,8}([-_.:/]?[0-9]{1,6}){1,3}$`)
)

// addIDs adds the format of the ids. It prefers the format in force, if the ids fit it. If no
// setting fits the ids, it adds only a note, since clients should not look into ids.
func (o *Observation) addIDs() {
	ids := o.texts("id")
	if len(ids) == 0 {
		return
	}
	formats := []string{o.subject.InForce.IDs, fixtures.IDsUUID, fixtures.IDsSequence}
	longest := slices.MaxFunc(ids, func(a, b string) int { return len(a) - len(b) })
	if numbered().MatchString(longest) {
		formats = append(formats, digit().ReplaceAllString(longest, "#"))
	}
	for _, format := range formats {
		if allMatch(idPattern(format), ids) {
			o.settings["ids"] = format
			return
		}
	}
	o.facts["ids"] = "of a form that no setting has"
}

// idPattern returns the regular expression that matches the ids of a setting. In a pattern such as
// cmp_####, the # signs together match one or more digits, not exactly four: numbered ids grow
// longer, and a fake may need more ids than were seen.
func idPattern(setting string) *regexp.Regexp {
	switch setting {
	case fixtures.IDsUUID:
		return uuid()
	case fixtures.IDsSequence:
		return sequence()
	}
	digits := signs().ReplaceAllString(regexp.QuoteMeta(setting), "[0-9]+")
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

// addTimestamps adds the format of the dates. It prefers the format in force, if the dates fit it.
func (o *Observation) addTimestamps() {
	dates := o.texts("created_at", "updated_at")
	if len(dates) == 0 {
		return
	}
	formats := append([]string{o.subject.InForce.Timestamps}, dateFormats()...)
	for _, format := range formats {
		if haveFormat(dates, format) {
			o.settings["timestamps"] = format
			return
		}
	}
	// A text that is no date may be a text of a customer, so the fact shows only its shape.
	shape := letter().ReplaceAllString(digit().ReplaceAllString(dates[0], "0"), "x")
	o.facts["timestamps"] = "in no one format that is known, the first as " + shape +
		"; write them as timestamps if a layout of Go fits"
}

// dateFormats returns the known formats of dates: first formats with a name, such as sql, then ISO
// 8601 with all kinds of fractions and zones, then formats of countries and libraries.
func dateFormats() []string {
	formats := fixtures.TimestampNames()
	days := []string{"2006-01-02T", "2006-01-02 "}
	clocks := []string{
		"15:04:05",
		"15:04:05.000",
		"15:04:05.000000",
		"15:04:05.0000000",
		"15:04:05.000000000",
		"15:04:05.999999999", // without zeros at the end of the fraction
		"15:04",
	}
	zones := []string{"Z07:00", "-07:00", "-0700", "", " UTC", " -0700"}
	for _, day := range days {
		for _, clock := range clocks {
			for _, zone := range zones {
				formats = append(formats, day+clock+zone)
			}
		}
	}
	return append(formats,
		http.TimeFormat, time.RFC1123Z, time.RFC1123, time.RFC850, time.ANSIC, time.UnixDate,
		time.DateOnly, "2006-01-02 15:04:05-07", "2006/01/02 15:04:05", "2006/01/02",
		"02.01.2006 15:04:05", "02.01.2006 15:04", "02.01.2006",
		"02/01/2006 15:04:05", "02/01/2006 15:04", "02/01/2006",
		"01/02/2006 15:04:05", "01/02/2006 15:04", "01/02/2006", "01/02/2006 03:04 PM",
		"1/2/2006, 3:04:05 PM", "Jan 2, 2006", "January 2, 2006", "2 January 2006",
		"20060102T150405Z", "20060102150405", "20060102",
	)
}

// haveFormat reports whether all dates have a format. The format is a name, such as unix, or a
// layout of package time.
func haveFormat(dates []string, format string) bool {
	switch format {
	case fixtures.TimestampsUnix:
		return allMatch(unixSeconds(), dates)
	case fixtures.TimestampsUnixMillis:
		return allMatch(unixMillis(), dates)
	}
	return haveLayout(dates, fixtures.TimestampLayout(format))
}

// haveLayout reports whether all dates have a layout. Some languages cut zeros off the end of a
// fraction of a second. So a date may have fewer digits than the layout, but one date must have all
// digits. If the layout has Z07, which writes UTC as Z, one date must end in Z. Without such a
// date, the service may write UTC as +00:00.
func haveLayout(dates []string, layout string) bool {
	showsFraction := false
	showsZ := false
	for _, date := range dates {
		switch {
		case hasLayout(date, layout):
			showsFraction = true
		case !hasShortFraction(date, layout):
			return false
		}
		if strings.HasSuffix(date, "Z") {
			showsZ = true
		}
	}
	needsZ := strings.Contains(layout, "Z07")
	return showsFraction && (showsZ || !needsZ)
}

// hasLayout reports whether a date has a layout: reading the date and writing it again gives the
// same text.
func hasLayout(date, layout string) bool {
	at, err := time.Parse(layout, date)
	return err == nil && at.Format(layout) == date
}

// hasShortFraction reports whether a date fits a layout, apart from the fraction of a second: the
// date must have fewer digits there than the layout.
func hasShortFraction(date, layout string) bool {
	digits := len(fraction().FindString(date))
	if digits >= len(fraction().FindString(layout)) {
		return false
	}
	return hasLayout(withoutFraction(date), withoutFraction(layout))
}

func withoutFraction(date string) string {
	return fraction().ReplaceAllString(date, "")
}
