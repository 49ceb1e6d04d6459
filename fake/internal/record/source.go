package record

import (
	"bytes"
	"encoding/json"
	"io"

	"example.com/campaignfake/fake/internal/ask"
)

// A source is an answer of which a user is made.
type source struct {
	status   int    // 0 if it was not saved
	body     []byte // without a byte order mark
	isJSON   bool
	value    any  // of the JSON, or the body as text; it is without the token
	hadToken bool // the body repeats the token

	contentType  string // "" if it was not saved; it is without the token
	typeHadToken bool   // the header Content-Type repeats the token

	token string // of the service, "" if it is not known
}

func newSource(answer ask.ServiceAnswer, body []byte, token string) source {
	decoded, isJSON := decode(body)
	value, hadToken := hide(token, decoded)
	contentType, typeHadToken := hideInText(token, answer.Header.Get("Content-Type"))
	return source{
		status:       answer.Status,
		body:         body,
		isJSON:       isJSON,
		value:        value,
		hadToken:     hadToken,
		contentType:  contentType,
		typeHadToken: typeHadToken,
		token:        token,
	}
}

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

// repeatsKey reports whether an object in the body, which is JSON, has a key twice. A file of
// fixtures cannot say that, and whoever parses the body gets the last value.
func (s source) repeatsKey() bool {
	decoder := json.NewDecoder(bytes.NewReader(s.body))
	decoder.UseNumber()
	return readsKeyAgain(decoder)
}

// readsKeyAgain reads the next value, up to a key that an object has twice, and reports whether
// there is one.
func readsKeyAgain(decoder *json.Decoder) bool {
	token, _ := decoder.Token() // there is no error, since decode has read the same bytes
	bracket, isBracket := token.(json.Delim)
	if !isBracket {
		return false
	}
	keys := make(map[json.Token]bool)
	for decoder.More() {
		if bracket == '{' {
			key, _ := decoder.Token()
			if keys[key] {
				return true
			}
			keys[key] = true
		}
		if readsKeyAgain(decoder) {
			return true
		}
	}
	decoder.Token() // the bracket that closes
	return false
}
