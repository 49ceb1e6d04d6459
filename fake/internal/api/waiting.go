package api

import "example.com/campaignfake/fixtures"

// A WaitingReply is a reply that waits to be played.
type WaitingReply struct {
	Reply    fixtures.Reply `json:"reply"`
	Played   int            `json:"played"`   // how often it has been played
	Summary  string         `json:"summary"`  // describes the reply in words
	Enqueued bool           `json:"enqueued"` // it was given by Enqueue, not with the user
}
