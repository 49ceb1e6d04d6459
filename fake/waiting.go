package fake

import (
	"encoding/json"
	"fmt"

	"example.com/campaignfake/fixtures"
)

// A WaitingReply is a reply that waits to be played.
type WaitingReply struct {
	Reply    Reply  `json:"reply"`
	Played   int    `json:"played"`   // how often it has been played
	Summary  string `json:"summary"`  // describes the reply in words
	Enqueued bool   `json:"enqueued"` // it was given by Enqueue, not with the user
}

// UnmarshalJSON reads what the control plane says of a reply.
func (w *WaitingReply) UnmarshalJSON(text []byte) error {
	var read struct {
		Reply    json.RawMessage
		Played   int
		Summary  string
		Enqueued bool
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	replies, err := fixtures.Service{}.ReadReplies("the answer", read.Reply)
	if err == nil && len(replies) != 1 {
		err = fmt.Errorf("the answer has %d replies in place of one", len(replies))
	}
	if err != nil {
		return err
	}
	*w = WaitingReply{replies[0], read.Played, read.Summary, read.Enqueued}
	return nil
}
