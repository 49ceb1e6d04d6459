package record

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"

	"example.com/campaignfake/fixtures"
)

// decode returns the value of a body that is JSON, in which numbers keep their digits, or else the
// body as text.
func decode(body []byte) (value any, isJSON bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	err := decoder.Decode(&value)
	if err != nil {
		return string(body), false
	}
	_, err = decoder.Token()
	if err != io.EOF { // something else follows
		return string(body), false
	}
	return value, true
}

// replyOf returns the reply that sends an answer to every request. JSON keeps the order of its
// keys, unless something in it is hidden, or a key is there twice.
func replyOf(a Answer, body []byte, hidden any, isJSON, isHidden bool) fixtures.Reply {
	reply := fixtures.Reply{Times: fixtures.Always}
	if a.Status != 0 && a.Status != http.StatusOK {
		reply.Status = a.Status
	}
	text, isText := hidden.(string)
	if !isJSON || isText { // a text alone is sent as it is, and so it needs the quotes of JSON
		reply.Body = text
		if isJSON {
			quoted, _ := json.Marshal(text) // which writes any text
			reply.Body = string(quoted)
		}
		reply.Headers = contentType(a, isJSON)
		return reply
	}
	reply.Body = hidden
	if !isHidden && !hasKeyTwice(body) {
		reply.Body = json.RawMessage(body)
	}
	if hasOwnType(a) {
		reply.Headers = contentType(a, true)
	}
	return reply
}

// asText returns a reply whose body is the JSON of an answer as text.
func asText(reply fixtures.Reply, a Answer, body []byte) fixtures.Reply {
	reply.Body, _ = hide(a.Token, string(body))
	reply.Headers = contentType(a, true)
	return reply
}

// hasOwnType reports whether an answer has another type than the one of JSON.
func hasOwnType(a Answer) bool {
	kind, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	return err == nil && kind != "application/json"
}

// contentType returns the header that says the type of a body which is text: that of the answer, or
// if there is none, what it is known to be.
func contentType(a Answer, isJSON bool) http.Header {
	kind := a.Header.Get("Content-Type")
	_, _, err := mime.ParseMediaType(kind)
	switch {
	case err == nil:
	case isJSON:
		kind = "application/json"
	default:
		return nil
	}
	return http.Header{"Content-Type": {kind}}
}

// hasKeyTwice reports whether an object in a body of JSON has a key twice. No file of fixtures may,
// and whoever parses the body gets the last one.
func hasKeyTwice(body []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(body))
	var outer []map[string]bool // the keys of the objects around, nil for a list
	isKey := false
	for {
		token, err := decoder.Token()
		if err != nil {
			return false // the end
		}
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{':
				outer = append(outer, make(map[string]bool))
			case '[':
				outer = append(outer, nil)
			default:
				outer = outer[:len(outer)-1]
			}
			isKey = len(outer) > 0 && outer[len(outer)-1] != nil
			continue
		case string:
			if isKey {
				keys := outer[len(outer)-1]
				if keys[token] {
					return true
				}
				keys[token] = true
				isKey = false
				continue
			}
		}
		isKey = len(outer) > 0 && outer[len(outer)-1] != nil
	}
}
