package fake

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"example.com/campaignfake/fixtures"
)

// A preference is one thing that a request asks for, as RFC 7240 has it.
type preference struct{ name, value string }

// preferred answers a request that has a Prefer header. It returns false if it
// asks for nothing that is known here, which is to be ignored.
func (s *Server) preferred(x *exchange, header []string) bool {
	if x.setup.service.Prefer == "off" {
		x.remark = "; Prefer was ignored, since service.prefer is off"
		return false
	}
	preferences, err := parsePrefer(header)
	if err != nil {
		s.notPreferred(x, "The Prefer header "+err.Error())
		return true
	}
	var asked Reply
	var applied []string
	for _, p := range preferences {
		if err := p.ask(&asked); err != nil {
			s.notPreferred(x, fmt.Sprintf("Prefer: %s cannot be honoured: %v", shorten(p.String()), err))
			return true
		}
		if p.isKnown() {
			applied = append(applied, p.String())
		} else {
			x.remark += fmt.Sprintf("; Prefer: %s was ignored, being none of code, delay and fault", shorten(p.name))
		}
	}
	x.remark = shorten(x.remark)
	if applied == nil {
		return false
	}
	if err := checkedReply(asked); err != nil {
		s.notPreferred(x, fmt.Sprintf("Prefer: %s cannot be honoured: %v", strings.Join(applied, ", "), err))
		return true
	}
	r, _ := x.setup.reply(asked) // without campaigns there is nothing to fail
	x.because("the Prefer header asked for %s", r.text)
	x.Header().Set("Preference-Applied", strings.Join(applied, ", "))
	x.Header().Add("Vary", "Prefer")
	delay := x.user.delay
	if r.given.Delay != nil {
		delay = r.given.Delay
	}
	s.mu.Lock()
	x.account.asked++
	number := x.account.asked
	s.mu.Unlock()
	s.play(x, r, s.held(x, delay, "preferring request", number))
	return true
}

// notPreferred answers a request that asks for what cannot be.
func (s *Server) notPreferred(x *exchange, detail string) {
	x.reason, x.remark = "refused: "+detail, ""
	if s.strict != nil {
		s.strict.Errorf("campaignfake: a Prefer header was refused:\n\t%s\n%s", describe(x.request), detail)
	}
	if !strings.HasSuffix(detail, "?") {
		detail += "."
	}
	refusal := newAnswer(fixtures.Response{Status: http.StatusBadRequest}, "application/problem+json")
	refusal.send(x, detail)
}

// checkedReply returns the first thing that is wrong with a reply.
func checkedReply(r Reply) error {
	var mistakes *fixtures.Mistakes
	if errors.As(r.Check(), &mistakes) {
		return errors.New(mistakes.List[0].String())
	}
	return nil
}

// String returns the preference as it is sent.
func (p preference) String() string {
	rest := preferParser{p.value}
	if rest.token(); p.value == "" || rest.rest != "" {
		return p.name + "=" + strconv.Quote(p.value)
	}
	return p.name + "=" + p.value
}

func (p preference) isKnown() bool {
	return p.name == "code" || p.name == "delay" || p.name == "fault"
}

// ask puts what is preferred into a reply.
func (p preference) ask(r *Reply) error {
	if p.isKnown() && p.value == "" {
		example := map[string]string{"code": "503", "delay": "2s", "fault": "reset"}[p.name]
		return fmt.Errorf("it has no value; send %s=%s", p.name, example)
	}
	switch p.name {
	case "code":
		status, err := strconv.Atoi(p.value)
		if err != nil || len(p.value) != 3 || p.value[0] < '1' {
			return errors.New("it is no status; send three digits, as code=503")
		}
		r.Status = status
	case "delay":
		r.Delay = new(Delay)
		return r.Delay.UnmarshalText([]byte(p.value))
	case "fault":
		r.Fault = p.value
	}
	return nil
}

// parsePrefer reads Prefer headers. Of a preference that comes several times the
// first counts; parameters of preferences are read, and left out.
func parsePrefer(header []string) ([]preference, error) {
	var list []preference
	seen := make(map[string]bool)
	p := preferParser{rest: strings.Join(header, ",")}
	for {
		p.space()
		if p.rest == "" {
			return list, nil
		}
		if p.take(',') { // an empty element
			continue
		}
		found, err := p.preference()
		if err != nil {
			return nil, err
		}
		for p.space(); p.take(';'); p.space() {
			if p.space(); p.rest == "" || p.rest[0] == ';' || p.rest[0] == ',' {
				continue
			}
			parameter, err := p.preference()
			if err != nil {
				return nil, err
			}
			if parameter.isKnown() {
				return nil, fmt.Errorf("has %s behind a semicolon, which makes it a parameter of %s; put a comma between them", parameter.name, shorten(found.name))
			}
		}
		if !seen[found.name] {
			seen[found.name] = true
			list = append(list, found)
		}
		if p.rest != "" && p.rest[0] != ',' {
			return nil, fmt.Errorf("cannot be read at %s; write preferences with commas between them, as code=503, delay=2s", strconv.Quote(shorten(p.rest)))
		}
	}
}

// A preferParser reads from the start of what is left.
type preferParser struct{ rest string }

func (p *preferParser) space() { p.rest = strings.TrimLeft(p.rest, " \t") }

func (p *preferParser) take(sign byte) bool {
	if p.rest == "" || p.rest[0] != sign {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *preferParser) preference() (found preference, err error) {
	found.name = strings.ToLower(p.token())
	if found.name == "" {
		return found, fmt.Errorf("cannot be read at %s; write a name and a value, as code=503", strconv.Quote(shorten(p.rest)))
	}
	p.space()
	if !p.take('=') {
		return found, nil
	}
	p.space()
	if !p.take('"') {
		found.value = p.token()
		return found, nil
	}
	var value strings.Builder
	for p.rest != "" {
		c := p.rest[0]
		p.rest = p.rest[1:]
		switch {
		case c == '"':
			found.value = value.String()
			return found, nil
		case c == '\\' && p.rest != "":
			c = p.rest[0]
			p.rest = p.rest[1:]
		}
		value.WriteByte(c)
	}
	return found, fmt.Errorf("has a quote that is not closed, in the value of %s", shorten(found.name))
}

// token reads as many characters of a token, as RFC 9110 has it, as there are.
func (p *preferParser) token() string {
	end := 0
	for end < len(p.rest) && isTokenByte(p.rest[end]) {
		end++
	}
	token := p.rest[:end]
	p.rest = p.rest[end:]
	return token
}

func isTokenByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}
