package fake

import (
	"context"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

// A door leads to a server: to the engine of one in this process, or to the control plane of
// one elsewhere. Reset, Clear and Requests are about all tokens if none is given.
type door interface {
	CheckBubble() error
	SetUser(token string, u fixtures.User) error
	RemoveUser(token string) error
	Enqueue(token string, replies []fixtures.Reply) error
	Release(token string) (requests int, err error)
	Reset(tokens ...string) error
	Clear(tokens ...string) error
	Requests(tokens ...string) ([]journal.Request, error)
	Count(token string) (engine.Counts, error)
	Unplayed() ([]report.Unplayed, error)
	Await(ctx context.Context, token string, least engine.Counts) error
}

// inside is the door to a server in this process. Its other methods are those of the engine.
type inside struct{ *engine.Engine }

func (i inside) RemoveUser(token string) error             { return i.Engine.RemoveUser(token, false) }
func (i inside) Release(token string) (int, error)         { return i.Engine.Release(token), nil }
func (i inside) Count(token string) (engine.Counts, error) { return i.Engine.Count(token), nil }
func (i inside) Unplayed() ([]report.Unplayed, error)      { return i.Engine.Unplayed(), nil }

func (i inside) Reset(tokens ...string) error {
	i.Engine.Reset(tokens...)
	return nil
}

func (i inside) Clear(tokens ...string) error {
	i.Engine.Clear(tokens...)
	return nil
}

// Requests returns copies, with their advice.
func (i inside) Requests(tokens ...string) ([]journal.Request, error) {
	entries := i.Engine.Requests(tokens...)
	adviser := advice.New(i.InForce(), i.BaseURL())
	requests := make([]journal.Request, len(entries))
	for n, e := range entries {
		e.Advice = adviser.On(&e)
		e.Header, e.Answer.Header = e.Header.Clone(), e.Answer.Header.Clone()
		requests[n] = e.Request
	}
	return requests, nil
}
