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
	Notes []string // what else there is to know, a sentence each; may be empty
}

// Record asks a service once for the campaigns of its token, and returns a user who gets the same
// JSON from the fake. It has the campaigns of the answer: nulls and missing fields are kept, and
// further fields are in Extra. Of more campaigns than fixtures.MaxCount, the user has the first
// ones, and a note says so. An answer of another shape becomes the Body of a reply that is played
// always.
//
// Record takes at most 10 seconds, and reads at most 8 MiB. It fails if the service refuses, or
// sends what no fixture, or no single file, can carry. Where the answer repeats a token of at least
// 8 characters, TOKEN stands in its place. Several goroutines can call Record at once.
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

// RecordAnswer returns, in the same way, the user of an answer whose body was saved. The token of
// the service is "" if it is not known; then no text is replaced. RecordAnswer fails if no fixture,
// or no single file, can carry the body, or if the body has more than 8 MiB.
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
