package serve

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/state"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// honourPrefer prepares the reply that the Prefer header asks for. It refuses preferences
// that cannot be honoured, and ignores unknown ones.
func honourPrefer(x *exchange) bool {
	p := &x.Asked
	switch {
	case x.Request.Header["Prefer"] == nil:
		return false
	case x.Snapshot.Service.Prefer == fixtures.PreferOff:
		x.remark += "; Prefer was ignored, since service.prefer is off"
		return false
	case p.Wrong != nil:
		refusePrefer(x, p.Wrong)
		return true
	}
	for _, name := range p.Ignored {
		x.remark += fmt.Sprintf("; Prefer: %s was ignored, being none of code, delay and fault", words.Shorten(name))
	}
	x.remark = words.Shorten(x.remark)
	if !x.Turn.Preferred {
		return false
	}
	x.reply, _ = x.Snapshot.NewReply(*p.Reply) // cannot fail without campaigns
	x.because("Prefer: %s", x.reply.Given)
	x.Header().Set("Preference-Applied", strings.Join(p.Applied, ", "))
	x.Header().Add("Vary", "Prefer")
	return false
}

// refusePrefer answers a request whose preferences cannot be honoured.
func refusePrefer(x *exchange, err error) {
	detail := "Prefer: " + err.Error()
	x.Reason, x.remark = "refused: "+detail, ""
	x.handler.TestOf(x.Token).Fail("campaignfake: a Prefer header was refused:\n\t%s\n%s", advice.Describe(x.Request), detail)
	if !strings.HasSuffix(detail, "?") {
		detail += "."
	}
	x.refuse(x.Snapshot.NewError(http.StatusBadRequest, nil), detail)
}

// parsePrefer parses Prefer headers. If a preference is repeated, the first one counts.
func parsePrefer(header []string) *state.Preference {
	p, asked := new(state.Preference), new(fixtures.Reply)
	seen := make(map[string]bool)
	for _, preference := range preferences().FindAllString(strings.Join(header, ","), -1) {
		name, value, _ := strings.Cut(preference, "=")
		name, value = strings.ToLower(strings.TrimSpace(name)), unquote(strings.TrimSpace(value))
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		switch known, err := ask(asked, name, value); {
		case !known:
			p.Ignored = append(p.Ignored, name)
		case err != nil:
			return &state.Preference{Wrong: fmt.Errorf("%s cannot be honoured: %w", words.Shorten(name+"="+value), err)}
		default:
			p.Applied = append(p.Applied, name+"="+quote(value))
		}
	}
	if mistakes := (*fixtures.Mistakes)(nil); errors.As(asked.Check(), &mistakes) {
		return &state.Preference{Wrong: fmt.Errorf("%s cannot be honoured: %s", strings.Join(p.Applied, ", "), mistakes.List[0])}
	}
	if p.Applied != nil {
		p.Reply = asked
	}
	return p
}

// Preferences are separated by commas, except in quotation marks. A value is a token or a
// quoted string, in which a backslash stands before special characters.
var (
	preferences  = words.Pattern(`(?:"(?:[^"\\]|\\.)*"|[^,])+`)
	quotedString = words.Pattern(`^"((?:[^"\\]|\\.)*)"$`)
	quotedPair   = words.Pattern(`\\(.)`)
	plainToken   = words.Pattern(`^[\w.-]*$`)
)

// unquote returns the content of a quoted string. It returns every other value as it is.
func unquote(value string) string {
	if quoted := quotedString().FindStringSubmatch(value); quoted != nil {
		return quotedPair().ReplaceAllString(quoted[1], "$1")
	}
	return value
}

// quote returns a valid value as a header can have it, in quotation marks if necessary.
func quote(value string) string {
	if plainToken().MatchString(value) {
		return value
	}
	return `"` + value + `"`
}

// ask sets the field of a reply that a preference asks for. It returns false if the name of
// the preference is unknown.
func ask(r *fixtures.Reply, name, value string) (known bool, err error) {
	example := map[string]string{"code": "503", "delay": "2s", "fault": "reset"}[name]
	switch {
	case example == "":
		return false, nil
	case value == "":
		return true, fmt.Errorf("it has no value; send %s=%s", name, example)
	case strings.Contains(value, ";"):
		return true, errors.New("it has a semicolon; put commas between preferences, as code=503, delay=2s")
	case strings.Contains(value, `"`):
		return true, fmt.Errorf("it has a stray quotation mark; send %s=%s, and a comma before the next preference", name, example)
	}
	switch name {
	case "code":
		r.Status, err = strconv.Atoi(value)
		if err != nil || len(value) != 3 || value[0] < '1' {
			err = errors.New("it is not a status; send three digits, as code=503")
		}
	case "delay":
		r.Delay, err = parseDelay(value)
	case "fault":
		r.Fault = fixtures.Fault(value)
	}
	return true, err
}

// parseDelay parses a delay. In a header, the forms with a comma or a space need quotation
// marks, which the error has to offer.
func parseDelay(value string) (*fixtures.Delay, error) {
	d := new(fixtures.Delay)
	err := d.UnmarshalText([]byte(value))
	if err != nil {
		text := err.Error()
		for _, form := range []fixtures.Delay{{Median: 80 * time.Millisecond, P99: 2 * time.Second}, {UntilReleased: true}} {
			text = strings.ReplaceAll(text, form.String(), quote(form.String()))
		}
		err = errors.New(text)
	}
	return d, err
}
