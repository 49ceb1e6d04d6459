package fake

import (
	"context"
	"fmt"
	"net/http"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fake/internal/record"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
)

// A Recording is what Record returns: a user who gets the answer that the service gave.
type Recording struct {
	User  fixtures.User
	Notes []string // remarks on the recording, each a sentence; may be empty
}

// Record sends one request for the campaigns of the token to a service, and returns a user who gets
// the same JSON from the fake. The user has the campaigns of the answer. A field that is null stays
// null, a missing field stays missing, and further fields are in Extra. If the answer has more than
// fixtures.MaxCount campaigns, the user has the first MaxCount, and a note says so. An answer of
// another shape becomes the Body of a reply, which is played for every request.
//
// Record takes at most 10 seconds, and reads at most 8 MiB. It fails if the service cannot be
// reached, answers with an error, or sends an answer that does not fit into one file of fixtures.
// If the answer repeats the token, Record writes TOKEN in its place, unless the token has fewer
// than 8 characters. Several goroutines can call Record at once.
func Record(ctx context.Context, t Target) (*Recording, error) {
	service, err := t.endpoint()
	if err != nil {
		return nil, err
	}
	request := service.Request(http.MethodGet, protocol.CampaignsPath, t.Token)
	answer := service.Send(ctx, request)
	err = answer.CheckList()
	if err != nil {
		return nil, err
	}
	return recordingOf(answer, t.Token)
}

// RecordAnswer does what Record does, for an answer whose body was saved. The argument token is the
// token that the request had, or "" if you do not know it; then RecordAnswer replaces no text. It
// fails if the body has more than 8 MiB, or does not fit into one file of fixtures.
func RecordAnswer(body []byte, token string) (*Recording, error) {
	if len(body) > ask.MostBytes {
		return nil, fmt.Errorf("the answer has more than %d MiB", ask.MostBytes>>20)
	}
	return recordingOf(ask.Answer{Body: body}, token)
}

func recordingOf(answer ask.Answer, token string) (*Recording, error) {
	recorded, err := record.Of(answer, token)
	if err != nil {
		return nil, err
	}
	recording := Recording(*recorded)
	return &recording, nil
}
