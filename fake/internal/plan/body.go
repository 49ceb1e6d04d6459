package plan

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// A Body is the body of an answer. Nobody changes it.
type Body struct {
	Bytes []byte

	// Start is the part of the body that the journal holds: at most the first 4 KiB. It ends
	// between two characters, if the bytes at its end are UTF-8. The start of a long body is a
	// copy, because otherwise the journal would keep the whole body in memory.
	Start []byte
}

// startBytes bounds the part of a body that the journal holds, in bytes.
const startBytes = 4 << 10

// NewBody returns a body of these bytes. Nobody may change the bytes afterwards.
func NewBody(bytes []byte) Body {
	if len(bytes) <= startBytes {
		return Body{Bytes: bytes, Start: bytes}
	}
	end := startBytes
	for end > startBytes-utf8.UTFMax && !utf8.RuneStart(bytes[end]) {
		end--
	}
	return Body{Bytes: bytes, Start: slices.Clone(bytes[:end])}
}

// campaignBytes is enough for most generated campaigns, in bytes. campaignsBody reserves it for
// each campaign, because growing a large slice step by step costs more.
const campaignBytes = 175

// campaignsBody returns {"campaigns":[…]} with the campaigns that the token of a user gets. The
// user has been checked.
func campaignsBody(service *fixtures.Service, token string, u fixtures.User) Body {
	body := []byte(`{"campaigns":[`)
	if u.Generate != nil {
		body = slices.Grow(body, campaignBytes*u.Generate.Count)
	}
	isFirst := true
	for campaign := range service.Campaigns(token, u) {
		if !isFirst {
			body = append(body, ',')
		}
		isFirst = false
		body = appendCampaign(body, campaign)
	}
	body = append(body, "]}"...)
	return NewBody(body)
}

func appendCampaign(dst []byte, campaign fixtures.Campaign) []byte {
	dst = append(dst, '{')
	isFirst := true
	for name, value := range campaign.Fields() {
		if !isFirst {
			dst = append(dst, ',')
		}
		isFirst = false
		dst = text.AppendString(dst, name)
		dst = append(dst, ':')
		dst, _ = text.AppendJSON(dst, value) // cannot fail, because the value has been checked
	}
	return append(dst, '}')
}

// givenBody encodes a body that a setting or a reply has. A text is sent as it is, and anything
// else as JSON.
func givenBody(body any) Body {
	plain, isString := body.(string)
	if isString {
		return NewBody([]byte(plain))
	}
	encoded, _ := text.AppendJSON(nil, body) // cannot fail, because the body has been checked
	return NewBody(encoded)
}

// errorBody returns the body of an error: the given body, or else the default body of errors. In
// JSON, it replaces the placeholders by the status and the detail.
func errorBody(service *fixtures.Service, given any, status int, detail string) Body {
	body := given
	if body == nil {
		body = service.Responses.Default.Body
	}
	if isText(body) {
		return givenBody(body)
	}
	return fillPlaceholders(givenBody(body).Bytes, status, detail)
}

// fillPlaceholders replaces {status}, {title} and {detail} in the texts of a JSON template. A text
// that is only "{status}" becomes a number.
func fillPlaceholders(template []byte, status int, detail string) Body {
	code := strconv.Itoa(status)
	title := http.StatusText(status)
	if title == "" {
		title = "Status " + code
	}
	placeholders := strings.NewReplacer(
		"{status}", code,
		"{title}", insideJSON(title),
		"{detail}", insideJSON(detail),
	)
	fill := func(quoted string) string {
		if quoted == `"{status}"` {
			return code
		}
		return placeholders.Replace(quoted)
	}
	filled := quotedText().ReplaceAllStringFunc(string(template), fill)
	return NewBody([]byte(filled))
}

// quotedText matches a text of JSON with its quotation marks.
var quotedText = text.Pattern(`"(?:[^"\\]|\\.)*"`)

// details has the texts for {detail}, by the status that a reply sets.
var details = map[int]string{
	http.StatusUnauthorized:        "The bearer token is not valid.",
	http.StatusForbidden:           "The bearer token does not allow this.",
	http.StatusNotFound:            "There is nothing here.",
	http.StatusTooManyRequests:     "Too many requests were sent. Try again later.",
	http.StatusInternalServerError: "The service has failed.",
	http.StatusBadGateway:          "A server behind the service has failed.",
	http.StatusServiceUnavailable:  "The service is not available at the moment.",
	http.StatusGatewayTimeout:      "A server behind the service has not answered in time.",
}

// detailOf returns the text for {detail} in an error that a reply sends with this status.
func detailOf(status int) string {
	detail, isKnown := details[status]
	if !isKnown {
		return fmt.Sprintf("The service answers this request with status %d.", status)
	}
	return detail
}

// insideJSON returns a text with the escapes of JSON, but without its quotation marks.
func insideJSON(s string) string {
	quoted := text.AppendString(nil, s)
	return string(quoted[1 : len(quoted)-1])
}

// isProblem reports whether a body is the problem document that errors have by default.
func isProblem(body any) bool {
	document, isJSON := body.(json.RawMessage)
	if !isJSON {
		return false
	}
	standard, _ := assumed().Responses.Default.Body.(json.RawMessage)
	return string(document) == string(standard)
}
