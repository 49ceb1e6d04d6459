package observe

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/campaignfake/fake/internal/words"
)

// A kind is what texts or numbers look like. A strict one means that a client may depend on it.
type kind struct {
	name   string
	fits   func(text string) bool
	strict bool
	fake   string // template of gofakeit
	sample any    // one text or number of the kind, made up

	isDate  bool
	setting string // of timestamps that makes such dates, "" for none
}

// pattern returns a function that reports whether a text matches a regular expression.
func pattern(text string) func(string) bool {
	compiled := words.Pattern(text)
	return func(text string) bool { return compiled().MatchString(text) }
}

var (
	isUUID     = pattern(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	isEmail    = pattern(`^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$`)
	isColour   = pattern(`^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`)
	isDigits   = pattern(`^[0-9]+$`)
	isDecimal  = pattern(`^-?[0-9]+(\.[0-9]+)?$`)
	isZone     = pattern(`^(Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Za-z_/-]+$`)
	isTime     = pattern(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)
	isClock    = pattern(`^([01][0-9]|2[0-3])(:[0-5][0-9]){2}$`)
	isMoment   = pattern(`^([01][0-9]|2[0-3])(:[0-5][0-9]){2}\.[0-9]{3}$`)
	isTicks    = pattern(`^/Date\(-?[0-9]+([+-][0-9]{4})?\)/$`)
	isSpan     = pattern(`^[0-9]+(\.[0-9]+)?s$`)
	isNoDate   = pattern(`^0000-00-00`)
	isPeriod   = pattern(`^P(([0-9]+[YMWD])+(T([0-9]+[HMS])+)?|T([0-9]+[HMS])+)$`)
	isIPv4     = pattern(`^[0-9]{1,3}(\.[0-9]{1,3}){3}$`)
	isPath     = pattern(`^/\S*$`)
	isResource = pattern(`^[^\s/]+(/[^\s/]+){2,}$`)
	isSlug     = pattern(`^[a-z0-9]+([-_][a-z0-9]+)+$`)
	isCode     = pattern(`^\S+$`)
	isFlag     = pattern(`^[01]$`)
	isHex      = pattern(`^[0-9a-f]+$`)
	isWord     = pattern(`^\pL[\pL_-]{0,23}$`)
)

func isAny(string) bool { return true }

func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// currencies are the codes of ISO 4217.
var currencies = strings.Fields(`AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BYR BZD CAD CDF CHF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD
EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT
MOP MRO MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLL SOS SRD SSP STD STN SVC SYP SZL THB TJS TMT TND TOP TRY
TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL`)

func isCurrency(text string) bool { return slices.Contains(currencies, text) }

// isWordAndCurrency reports whether a text is a code of money that is a word, too. Where all
// texts are such words, they are no money.
func isWordAndCurrency(text string) bool { return text == "ALL" || text == "TOP" }

// smallCurrencies are those codes that services write in small letters, and no words.
var smallCurrencies = strings.Fields("aud brl cad chf cny czk dkk eur gbp hkd inr jpy krw mxn nok nzd pln sek sgd usd")

func isSmallCurrency(text string) bool { return slices.Contains(smallCurrencies, text) }

// textKinds in the order in which they are tried, from the special to the general.
// Dates are tried before them.
var textKinds = []kind{
	{name: "uuid", fits: isUUID, strict: true, fake: "{uuid}", sample: "6f1c2a54-8a3e-4c55-9d57-2b1f0c9e7a10"},
	{name: "email", fits: isEmail, strict: true, fake: "????##@example.com", sample: "someone@example.com"},
	{name: "url", fits: isURL, strict: true, fake: "https://example.com/{uuid}", sample: "https://example.com/"},
	{name: "colour", fits: isColour, fake: "{hexcolor}", sample: "#336699"},
	{name: "word", fits: isWordAndCurrency, fake: "{nouncommon}", sample: "word"},
	{name: "currency", fits: isCurrency, fake: "{randomstring:[EUR,USD,GBP]}", sample: "EUR"},
	{name: "small currency", fits: isSmallCurrency, fake: "{randomstring:[eur,usd,gbp]}", sample: "eur"},
	{name: "time zone", fits: isZone, fake: "{randomstring:[Europe/Berlin,America/New_York,Asia/Tokyo]}", sample: "Europe/Berlin"},
	{name: "time", fits: isTime, fake: "1{number:0,9}:{number:10,59}", sample: "09:30"},
	{name: "time with seconds", fits: isClock, fake: "1{number:0,9}:{number:10,59}:{number:10,59}", sample: "09:30:00"},
	{name: "time with milliseconds", fits: isMoment, fake: "1{number:0,9}:{number:10,59}:{number:10,59}.{number:100,999}", sample: "09:30:00.123"},
	{name: "date in an expression", fits: isTicks, strict: true, fake: "/Date(17{number:10000000,99999999}{number:100,999})/", sample: "/Date(1767225600000)/"},
	{name: "span", fits: isSpan, fake: "{number:1,9999}s", sample: "60s"},
	{name: "duration", fits: isPeriod, fake: "PT{number:1,59}M", sample: "PT30M"},
	{name: "IPv4", fits: isIPv4, fake: "192.0.2.{number:1,254}", sample: "192.0.2.1"},
	{name: "path", fits: isPath, fake: "/{nouncommon}/{number:1,999}", sample: "/"},
	{name: "digits", fits: isDigits, fake: "{number:1000,9999}", sample: "1000"},
	{name: "decimal", fits: isDecimal, strict: true, fake: "{number:1,999}.{number:10,99}", sample: "10.25"},
	{name: "word", fits: isWord, fake: "{nouncommon}", sample: "word"},
	{name: "slug", fits: isSlug, fake: "{nouncommon}-{nouncommon}-{number:1,99}", sample: "a-slug-1"},
	{name: "code", fits: isCode, sample: "A1"},
}

// textKind returns what kind of texts these are, which may stand where dates are. Empty ones
// do not count. A kind without a name stands for no text at all.
func textKind(texts []string, amongDates bool) kind {
	if texts = withoutEmpty(texts); len(texts) == 0 {
		return kind{sample: ""}
	}
	if dates, ok := datesOf(texts); ok && (amongDates || !all(texts, isDigits)) {
		return dates
	}
	if unit := numberKind(texts, amongDates); unit.isDate {
		unit.sample = fmt.Sprint(unit.sample)
		return unit
	}
	for _, k := range textKinds {
		if all(texts, k.fits) {
			switch {
			case k.name == "digits" || k.name == "decimal":
				k.fake = digitsLike(texts)
			case k.name == "code":
				k.fake = codeLike(texts)
			}
			return k
		}
	}
	return kind{name: "text", fits: isAny, fake: sentences(texts), sample: "A text"}
}

// withoutEmpty returns the texts that are not empty. 0000-00-00 counts as empty, because some
// databases write it for no date.
func withoutEmpty(texts []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" || isNoDate(text) })
}

// units are the kinds of numbers that are dates.
var units = []kind{
	{name: "seconds", fits: isSeconds, strict: true, fake: "17{number:10000000,99999999}", sample: 1767225600, isDate: true, setting: "unix"},
	{name: "milliseconds", fits: isMilliseconds, strict: true, fake: "17{number:10000000,99999999}{number:100,999}", sample: int64(1767225600000), isDate: true, setting: "unix_millis"},
}

// numberKind returns what kind of numbers these are, which may stand where dates are.
func numberKind(numbers []string, amongDates bool) kind {
	for _, unit := range units {
		if len(numbers) > 0 && amongDates && all(numbers, unit.fits) {
			if fits := unit.fits; all(numbers, isInteger) {
				unit.fits = func(number string) bool { return isInteger(number) && fits(number) }
			} else {
				unit.fake += ".{number:1,9}"
			}
			return unit
		}
	}
	if len(numbers) > 0 && all(numbers, isInteger) {
		return kind{fits: isInteger, strict: true, fake: digitsLike(numbers), sample: 0}
	}
	return kind{fits: isAny, fake: digitsLike(numbers), sample: 0}
}

// Numbers that are dates lie between the years 2000 and 2100. They may have a fraction.
const firstSecond, lastSecond = 946684800, 4102444800

func isSeconds(number string) bool {
	whole, _, _ := strings.Cut(number, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	return err == nil && isDecimal(number) && firstSecond <= seconds && seconds < lastSecond
}

func isMilliseconds(number string) bool {
	whole, _, _ := strings.Cut(number, ".")
	return len(whole) > 3 && isSeconds(whole[:len(whole)-3]) && isDecimal(number)
}

var looksLikeDate = pattern(`(?i)(_at|_on|at|date|time|timestamp|created|updated|modified|since|until|start|end|expir[a-z]*|_ts|^ts|^t)$`)

// isDateKey reports whether a key looks like that of a date.
func isDateKey(key string) bool {
	return looksLikeDate(key) || strings.HasSuffix(means(key), "_at")
}

// codeLike returns a template of texts without spaces that are as long as the first one.
func codeLike(texts []string) string {
	isHex := all(texts, isHex)
	return strings.Map(func(r rune) rune {
		switch {
		case isHex || '0' <= r && r <= '9':
			return '#'
		case unicode.IsLetter(r):
			return '?'
		case strings.ContainsRune("-_.:/%+=", r):
			return r
		}
		return '-'
	}, texts[0][:min(len(texts[0]), 64)])
}

const maxDigits = 18

// digitsLike returns a template of numbers that are about as long. Those below 1, as shares,
// stay below it, and flags stay flags.
func digitsLike(numbers []string) string {
	if flags := distinct(numbers); len(flags) > 0 && all(flags, isFlag) {
		return "{number:" + flags[0] + "," + flags[len(flags)-1] + "}"
	}
	const first = "{number:1,9}"
	shortest, longest, decimals, negative, whole, small := maxDigits, 1, 0, false, true, true
	for _, number := range numbers {
		negative = negative || number[0] == '-'
		whole = whole && isInteger(number)
		before, after, _ := strings.Cut(strings.TrimPrefix(number, "-"), ".")
		if strings.Contains(number, "e-") || strings.Contains(number, "E-") {
			before = "0"
		}
		small = small && (before == "0" || strings.Trim(after, "0") == "" && before == "1")
		shortest, longest = min(shortest, len(before)), max(longest, len(before))
		decimals = max(decimals, len(after))
	}
	most := min(longest, maxDigits)
	template := first + strings.Repeat("#", most-1)
	if shortest < most && most <= 9 {
		template = fmt.Sprintf("{number:%s,%s}", "1"+strings.Repeat("0", max(shortest, 1)-1), strings.Repeat("9", most))
	}
	switch {
	case small && !whole && !negative:
		template = "0"
	case negative:
		bound := strings.Repeat("9", min(most, 9))
		template = "{number:-" + bound + "," + bound + "}"
	}
	if !whole {
		template += "." + strings.Repeat("#", max(0, min(decimals, 6)-1)) + first
	}
	return template
}

// sentences returns a template of texts that are about as long.
func sentences(texts []string) string {
	longest := 0
	for _, text := range texts {
		longest = max(longest, utf8.RuneCountInString(text))
	}
	return strings.TrimSpace(strings.Repeat("{sentence} ", min(5, 1+longest/80)))
}

func all(texts []string, is func(string) bool) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return !is(text) })
}

// distinct returns texts, sorted, each once.
func distinct(texts []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(texts)))
}
