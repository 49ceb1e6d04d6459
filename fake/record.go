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
	Notes []string // what there is to know about it, a sentence each; none if there is nothing
}

// Record asks a service once for the campaigns of its token, and returns a user who gets the same
// JSON from the fake. Its campaigns are those of the answer: nulls and missing fields are kept, and
// further fields are in Extra. If there are more than fixtures.MaxCount, or than a file can hold,
// they are as many of the first ones as fit, and a note names the limit. An answer of another shape
// becomes the Body of a reply that is played always.
//
// Record uses the BaseURL, Token and Transport of the target. It takes at most 10 seconds, reads
// at most 8 MiB, and follows no redirect. It fails if the service refuses, or sends what no fixture
// can carry. Nothing that it returns has the token in it, unless that is shorter than 8
// characters: TOKEN stands for one that the answer repeats. Several goroutines can call it at once.
func Record(ctx context.Context, t Target) (*Recording, error) {
	service, err := t.endpoint()
	if err != nil {
		return nil, err
	}
	request := service.Request("record", http.MethodGet, protocol.CampaignsPath)
	request.Header.Set("Authorization", "Bearer "+t.Token)
	answer := service.Send(ctx, request)
	err = answer.CheckList()
	if err != nil {
		return nil, err
	}
	return recordingOf(answer, t.Token)
}

// RecordAnswer returns, in the same way, the user of an answer whose body was saved. The token of
// the service is "" if it is not known; then nothing stands for it. RecordAnswer fails if no
// fixture can carry the body, or if that has more than 8 MiB.
func RecordAnswer(body []byte, token string) (*Recording, error) {
	if len(body) > ask.MostBytes {
		return nil, fmt.Errorf("the answer has more than %d MiB", ask.MostBytes>>20)
	}
	return recordingOf(ask.ServiceAnswer{Body: body}, token)
}

func recordingOf(answer ask.ServiceAnswer, token string) (*Recording, error) {
	recorded, err := record.Of(answer, token, fixtures.MaxCount)
	if err != nil {
		return nil, err
	}
	recording := Recording(*recorded)
	return &recording, nil
}
