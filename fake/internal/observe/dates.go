package observe

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/words"
)

// layouts are those in which services write dates, without fractions of seconds.
var layouts = []string{
	time.RFC3339, "2006-01-02T15:04:05-07:00", "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	time.DateTime, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05-07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 MST", "2006-01-02 15:04", time.DateOnly,
	"2006/01/02 15:04:05", "2006/01/02", "02/01/2006 15:04:05", "02/01/2006 15:04", "02/01/2006", "01/02/2006 15:04:05", "01/02/2006",
	"02.01.2006 15:04:05", "02.01.2006 15:04", "02.01.2006", "20060102T150405Z", "20060102150405", "20060102",
	"01/02/2006 03:04:05 PM", "01/02/2006 03:04 PM", "01/02/2006 3:04:05 PM", "01/02/2006 3:04 PM", "1/2/2006 3:04:05 PM", "1/2/2006 3:04 PM", "2006-01-02 03:04:05 PM", "2006-01-02 03:04 PM", "Jan 2, 2006 3:04 PM",
	"Mon, 02 Jan 2006 15:04:05 GMT", time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC, time.RubyDate, time.UnixDate, "January 2, 2006", "Jan 2, 2006", "2 January 2006", "02 Jan 2006",
	"2006-01-02T15:04:05Z-0700", "2006-01-02 15:04:05 -0700 MST", "Mon Jan 02 2006 15:04:05 GMT-0700 (Coordinated Universal Time)", "1/2/2006, 3:04:05 PM", "2006-01", "2006年01月02日",
}

// layoutNames are the settings that stand for layouts.
var layoutNames = map[string]string{
	time.RFC3339: "rfc3339", "2006-01-02T15:04:05.000Z07:00": "rfc3339_millis", "2006-01-02T15:04:05.000000Z07:00": "rfc3339_micros", time.DateTime: "sql",
}

// datesOf returns the kind of dates, and false if they are none, or not all alike. If day and
// month cannot be distinguished, others may be written in either way.
func datesOf(texts []string) (k kind, ok bool) {
	if first, _ := cutFraction(texts[0]); len(layoutsOf(first)) == 0 {
		return kind{}, false
	}
	whole, fractions := make([]string, len(texts)), make([]int, len(texts))
	for i, text := range texts {
		whole[i], fractions[i] = cutFraction(text)
	}
	slices.Sort(fractions)
	fractions = slices.Compact(fractions)
	fitting := layoutsOf(whole...)
	if len(fitting) == 0 {
		return kind{}, false
	}
	layout := fitting[0]
	isUTC := strings.HasSuffix(layout, "Z07:00") && all(whole, endsWithZ)
	full := strings.Replace(layout, ":05", ":05"+fractionOf(fractions), 1)
	k = kind{name: full, strict: true, fake: dateParts.Replace(full), sample: madeUp.Format(full), isDate: true, setting: cmp.Or(layoutNames[full], full)}
	k.fits = func(date string) bool { // whose fraction may lack if it is zero, and a long one its last zeros
		whole, digits := cutFraction(date)
		isAlike := len(fractions) > 1 || digits == fractions[0] || digits == 0 && fractions[0] == 6 || digits < fractions[0] && fractions[0] > 6
		return isAlike && writes(layout, whole) && (!isUTC || endsWithZ(date))
	}
	if strings.Contains(layout, "Mon") {
		k.fake = onMonday.Replace(k.fake)
	}
	if other := dayFirst.Replace(layout); other != layout && slices.Contains(fitting, other) {
		k.name, k.fits, k.strict, k.setting = layout+"|"+other, isAny, false, ""
	}
	return k, true
}

// layoutsOf returns the layouts in which all dates are written. One that writes Z for UTC is
// none of dates that all have an offset: the next layout fits.
func layoutsOf(dates ...string) []string {
	return slices.DeleteFunc(slices.Clone(layouts), func(layout string) bool {
		lacksZ := strings.HasSuffix(layout, "Z07:00") && !slices.ContainsFunc(dates, endsWithZ)
		return lacksZ || !all(dates, func(date string) bool { return writes(layout, date) })
	})
}

func endsWithZ(date string) bool { return strings.HasSuffix(date, "Z") }

// fractionOf returns what a layout has for fractions of so many digits. Those of several
// lengths have lost their zeros at the end, except those of Python, which are left out if
// they are zero.
func fractionOf(digits []int) string {
	switch {
	case slices.Equal(digits, []int{0, 6}):
		return ".000000"
	case len(digits) > 1:
		return ".999999999"
	case digits[0] > 0:
		return "." + strings.Repeat("0", digits[0])
	}
	return ""
}

// withSeconds matches a time with a fraction of its seconds.
var withSeconds = words.Pattern(`^(.*\d:\d\d:\d\d)\.(\d{1,9})(.*)$`)

// cutFraction takes the fraction of seconds out of a date, and returns how many digits
// it had.
func cutFraction(date string) (whole string, digits int) {
	if !strings.Contains(date, ".") {
		return date, 0
	}
	if parts := withSeconds().FindStringSubmatch(date); parts != nil {
		return parts[1] + parts[3], len(parts[2])
	}
	return date, 0
}

// dayFirst changes the places of day and month.
var dayFirst = strings.NewReplacer("02/01", "01/02", "01/02", "02/01")

// writes reports whether a date is written in a layout. An offset is no name of a zone.
func writes(layout, date string) bool {
	t, err := time.Parse(layout, date)
	zone, _ := t.Zone()
	return err == nil && t.Format(layout) == date && !(strings.Contains(layout, "MST") && strings.ContainsAny(zone, "+-"))
}

// madeUp is a sample of a date.
var madeUp = time.Date(2026, 1, 15, 9, 30, 0, 123456789, time.UTC)

// dateParts are templates of gofakeit for what stands in layouts. The days exist in every
// month.
var dateParts = strings.NewReplacer(
	".01.", ".0{number:1,9}.", "2006", "202{number:0,5}", "01", "0{number:1,9}", "02", "1{number:0,9}", "15", "1{number:0,9}", "03", "0{number:1,9}", "3:", "{number:1,9}:", "1/2/", "{number:1,9}/1{number:0,9}/", "04", "{number:10,59}", "05", "{number:10,59}",
	".000000000", ".{number:100000000,999999999}", ".0000000", ".{number:1000000,9999999}", ".000000", ".{number:100000,999999}", ".00000", ".{number:10000,99999}", ".0000", ".{number:1000,9999}",
	".999999999", ".{number:1,9999}{number:1,9}", ".000", ".{number:100,999}", ".00", ".{number:10,99}", ".0", ".{number:1,9}",
	"Z07:00", "Z", "-07:00", "+02:00", "-0700", "+0000", "MST", "UTC",
	"January", "{monthstring}", "Jan", "Jan", "Monday", "Monday", "Mon", "Mon", "_2", "1{number:0,9}", "06", "2{number:0,5}", " 2,", " 1{number:0,9},", "2 ", "1{number:0,9} ",
)

// onMonday changes a template of dateParts that has a day of the week, so that its dates exist.
var onMonday = strings.NewReplacer("202{number:0,5}", "2024", "2{number:0,5}", "24", "1{number:0,9}", "15")
