package journal

import (
	"encoding/json"
	"math"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/words"
)

// A Request is what the journal tells others of a request: fake.Request describes its fields,
// and those of an Answer and of Advice. It declares the JSON of them all.
type Request struct {
	Number    int           `json:"number"`
	At        time.Time     `json:"at"`
	Token     string        `json:"token"`
	Method    string        `json:"method"`
	Host      string        `json:"host"`
	URL       string        `json:"url"`
	Header    http.Header   `json:"header"`
	Status    int           `json:"status"`
	Reason    string        `json:"reason"`
	Duration  time.Duration `json:"duration_ms"`
	Answer    Answer        `json:"answer"`
	Unmatched bool          `json:"unmatched"`
	Complete  bool          `json:"complete"`
	Broken    bool          `json:"broken"`
	Advice    Advice        `json:"advice,omitzero"`

	brief bool
}

// An Answer is the part of an answer that the journal holds.
type Answer struct {
	Header http.Header `json:"header"`
	Body   string      `json:"body"`
	Bytes  int         `json:"bytes"`
	Sent   int         `json:"sent"`
}

// Advice says what is wrong with a request that a client sent, and what to change.
type Advice struct {
	Title   string `json:"title"`
	Text    string `json:"text,omitempty"`
	Command string `json:"command,omitempty"`
	Fixture string `json:"fixture,omitempty"`
}

// fields are those of a Request, without its methods.
type fields Request

// shown is the JSON of a Request, whose duration is in milliseconds.
type shown struct {
	*fields
	Brief    bool    `json:"brief"` // without headers and bodies
	Duration float64 `json:"duration_ms"`
}

// MarshalJSON returns the request as the control plane lists it: with the duration in
// milliseconds, and if it is brief without headers and bodies.
func (r Request) MarshalJSON() ([]byte, error) {
	whole := shown{(*fields)(&r), r.brief, words.InMilliseconds(r.Duration)}
	if !r.brief {
		return json.Marshal(whole)
	}
	type none struct{} // of which nothing is shown, in place of the field with its name
	return json.Marshal(struct {
		shown
		Host   none `json:"host,omitzero"`
		Header none `json:"header,omitzero"`
		Answer none `json:"answer,omitzero"`
	}{shown: whole})
}

// UnmarshalJSON reads what MarshalJSON returns.
func (r *Request) UnmarshalJSON(text []byte) error {
	read := shown{fields: (*fields)(r)}
	err := json.Unmarshal(text, &read)
	r.Duration = time.Duration(math.Round(read.Duration * float64(time.Millisecond)))
	return err
}

// Brief returns the request with only the title of its advice, whose JSON has no headers and
// bodies.
func (r Request) Brief() Request {
	r.Method, r.URL, r.Advice = words.Shorten(r.Method), words.Shorten(r.URL), Advice{Title: r.Advice.Title}
	r.brief = true
	return r
}

// MarshalJSON returns null if there is no answer.
func (a Answer) MarshalJSON() ([]byte, error) {
	if a.Header == nil {
		return []byte("null"), nil
	}
	type fields Answer
	return json.Marshal(fields(a))
}
