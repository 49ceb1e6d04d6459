package record

import (
	"encoding/json"
	"mime"
	"net/http"

	"example.com/campaignfake/fixtures"
)

// reply returns the reply that sends an answer to every request.
func (s source) reply() fixtures.Reply {
	text, isText := s.value.(string)
	switch {
	case !s.isJSON:
		return s.replyWith(text, s.typeHeader())
	case isText: // a body that is text is sent as it is, and so it needs the quotes of JSON
		quoted, _ := json.Marshal(text) // any text can be written as JSON
		return s.replyWith(string(quoted), s.typeHeader())
	case s.hasOwnType():
		return s.replyWith(s.jsonBody(), s.typeHeader())
	}
	return s.replyWith(s.jsonBody(), nil)
}

// textReply returns the reply that sends the JSON of an answer as text.
func (s source) textReply() fixtures.Reply {
	body, _ := hideInText(s.token, string(s.body))
	return s.replyWith(body, s.typeHeader())
}

func (s source) replyWith(body any, headers http.Header) fixtures.Reply {
	reply := fixtures.Reply{Times: fixtures.Always, Headers: headers, Body: body}
	if s.status != http.StatusOK {
		reply.Status = s.status
	}
	return reply
}

// jsonBody returns the body of a reply that sends JSON. It keeps the order of keys, unless the
// token in it is replaced, or a key is there twice.
func (s source) jsonBody() any {
	if s.hadToken || s.repeatsKey() {
		return s.value
	}
	return json.RawMessage(s.body)
}

// hasOwnType reports whether an answer says that its type is not application/json.
func (s source) hasOwnType() bool {
	mediaType, _, err := mime.ParseMediaType(s.contentType)
	return err == nil && mediaType != "application/json"
}

// typeHeader returns the header for the type of the answer. If the answer does not say its type,
// it is the type of JSON, or nil for text whose type is not known.
func (s source) typeHeader() http.Header {
	_, _, err := mime.ParseMediaType(s.contentType)
	switch {
	case err == nil:
		return http.Header{"Content-Type": {s.contentType}}
	case s.isJSON:
		return http.Header{"Content-Type": {"application/json"}}
	}
	return nil
}
