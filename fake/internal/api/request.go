// Package api has the JSON of the control plane, which the server writes and the client
// reads.
package api

import (
	"encoding/json"
	"math"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/words"
)

// A Request is an entry of the journal. Package fake describes the fields.
type Request struct {
	Number    int          `json:"number"`
	Brief     bool         `json:"brief"` // without headers and bodies
	At        time.Time    `json:"at"`
	Token     string       `json:"token"`
	Method    string       `json:"method"`
	Host      string       `json:"host"`
	URL       string       `json:"url"`
	Header    http.Header  `json:"header"`
	Status    int          `json:"status"`
	Reason    string       `json:"reason"`
	Duration  Milliseconds `json:"duration_ms"`
	Answer    *Answer      `json:"answer"` // null if there is none
	Unmatched bool         `json:"unmatched"`
	Complete  bool         `json:"complete"`
	Broken    bool         `json:"broken"`
	Advice    Advice       `json:"advice,omitzero"`
	Preflight int          `json:"preflight,omitzero"`
	Near      string       `json:"-"` // a user's token of which an unknown one is probably a misspelling
	Former    bool         `json:"-"` // its token has started anew since
	Followed  bool         `json:"-"` // of a preflight: a request that it asked for has arrived
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

// Milliseconds is a duration whose JSON is a number of milliseconds.
type Milliseconds time.Duration

// MarshalJSON returns the number of milliseconds.
func (m Milliseconds) MarshalJSON() ([]byte, error) {
	return json.Marshal(words.InMilliseconds(time.Duration(m)))
}

// UnmarshalJSON reads a number of milliseconds.
func (m *Milliseconds) UnmarshalJSON(text []byte) error {
	var number float64
	err := json.Unmarshal(text, &number)
	*m = Milliseconds(math.Round(number * float64(time.Millisecond)))
	return err
}
