package fake

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"example.com/campaignfake/fixtures"
)

// honourPrefer chooses the answer that a request asks for in its Prefer header (RFC
// 7240), as in Prefer: code=503, delay=2s. It refuses preferences that cannot be
// honoured, and ignores those that it does not know.
func honourPrefer(x *exchange) bool {
	header := x.r.Header["Prefer"]
	if header == nil {
		return false
	}
	if x.snapshot.service.Prefer == "off" {
		x.remark += "; Prefer was ignored, since service.prefer is off"
		return false
	}
	asked, applied, ignored, err := parsePrefer(header)
	if err != nil {
		refusePrefer(x, err)
		return true
	}
	for _, name := range ignored {
		x.remark += fmt.Sprintf("; Prefer: %s was ignored, being none of code, delay and fault", shorten(name))
	}
	x.remark = shorten(x.remark)
	if applied == nil {
		return false
	}
	x.preferred = true
	x.reply, _ = x.snapshot.newReply(asked) // cannot fail without campaigns
	x.turn.number = x.server.state.takePreferred(x)
	x.because("Prefer: %s", x.reply.given)
	x.Header().Set("Preference-Applied", strings.Join(applied, ", "))
	x.Header().Add("Vary", "Prefer")
	return false
}

// refusePrefer answers a request whose preferences cannot be honoured.
func refusePrefer(x *exchange, err error) {
	detail := "Prefer: " + err.Error()
	x.reason, x.remark = "refused: "+detail, ""
	x.server.test.fail("campaignfake: a Prefer header was refused:\n\t%s\n%s", describe(x.r), detail)
	if !strings.HasSuffix(detail, "?") {
		detail += "."
	}
	x.refuse(newAnswer(Response{Status: http.StatusBadRequest}, "application/problem+json"), detail)
}

// parsePrefer parses Prefer headers: names and values, separated by commas. It returns
// the reply that they ask for, the preferences that it applied, and the names of those
// that it ignored. If a preference is repeated, the first one counts.
func parsePrefer(header []string) (asked Reply, applied, ignored []string, err error) {
	seen := make(map[string]bool)
	for preference := range strings.SplitSeq(strings.Join(header, ","), ",") {
		name, value, _ := strings.Cut(preference, "=")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		text := name + "=" + value
		switch known, err := ask(&asked, name, value); {
		case !known:
			ignored = append(ignored, name)
		case err != nil:
			return asked, nil, nil, fmt.Errorf("%s cannot be honoured: %w", shorten(text), err)
		default:
			applied = append(applied, text)
		}
	}
	if mistakes := (*fixtures.Mistakes)(nil); errors.As(asked.Check(), &mistakes) {
		return asked, nil, nil, fmt.Errorf("%s cannot be honoured: %s", strings.Join(applied, ", "), mistakes.List[0])
	}
	return asked, applied, ignored, nil
}

// ask sets the field of a reply that a preference asks for. It reports whether the
// name is known.
func ask(r *Reply, name, value string) (known bool, err error) {
	example := map[string]string{"code": "503", "delay": "2s", "fault": "reset"}[name]
	switch {
	case example == "":
		return false, nil
	case value == "":
		return true, fmt.Errorf("it has no value; send %s=%s", name, example)
	case strings.Contains(value, ";"):
		return true, errors.New("it has a semicolon; put commas between preferences, as code=503, delay=2s")
	}
	switch name {
	case "code":
		r.Status, err = strconv.Atoi(value)
		if err != nil || len(value) != 3 || value[0] < '1' {
			err = errors.New("it is not a status; send three digits, as code=503")
		}
	case "delay":
		r.Delay = new(Delay)
		err = r.Delay.UnmarshalText([]byte(value))
	case "fault":
		r.Fault = Fault(value)
	}
	return true, err
}
