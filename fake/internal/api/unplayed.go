package api

import "fmt"

// An Unplayed is a reply that a test gave a finite number of times, and that has not been
// played so often.
type Unplayed struct {
	Token   string `json:"token"`
	Summary string `json:"summary"` // describes the reply in words
	Played  int    `json:"played"`  // how often it has been played
	Times   int    `json:"times"`   // how often it was to be played

	Required bool `json:"-"` // a strict test fails
}

// String describes the reply on one line, without its token.
func (u Unplayed) String() string {
	text := u.Summary + ": never played"
	if u.Played > 0 {
		text = fmt.Sprintf("%s: played %d of %d times", u.Summary, u.Played, u.Times)
	}
	return text
}

// A Dropped is what a token loses when it starts anew.
type Dropped struct {
	Requests int        `json:"requests"` // in the journal
	Unplayed []Unplayed `json:"unplayed"`
}
