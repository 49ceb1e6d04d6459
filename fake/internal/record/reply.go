package record

import (
	"encoding/json"
	"mime"
	"net/http"

	"example.com/campaignfake/fixtures"
)

// jsonReply returns the reply that sends the JSON of an answer to every request. It keeps the order
// of the keys, unless it has to replace the token in the JSON.
func (s source) jsonReply() fixtures.Reply {
	reply := s.newReply()
	reply.Body = json.RawMessage(s.body)
	if s.hadToken {
		reply.Body = s.value
	}
	mediaType, _, err := mime.ParseMediaType(s.contentType)
	hasOwnType := err == nil && mediaType != "application/json"
	if hasOwnType {
		reply.Headers = http.Header{"Content-Type": {s.contentType}}
	}
	return reply
}

// textReply returns the reply that sends an answer as text. If the answer has no valid
// Content-Type, a text that is JSON gets the type application/json.
func (s source) textReply() fixtures.Reply {
	reply := s.newReply()
	reply.Body = s.token.Replace(string(s.body))
	_, _, err := mime.ParseMediaType(s.contentType)
	switch {
	case err == nil:
		reply.Headers = http.Header{"Content-Type": {s.contentType}}
	case s.isJSON:
		reply.Headers = http.Header{"Content-Type": {"application/json"}}
	}
	return reply
}

// newReply returns a reply that is played always, with the status of the answer if it is not 200.
func (s source) newReply() fixtures.Reply {
	reply := fixtures.Reply{Times: fixtures.Always}
	if s.status != http.StatusOK {
		reply.Status = s.status
	}
	return reply
}
