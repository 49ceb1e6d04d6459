package control

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/words"
)

// await waits until f.await requests have arrived, and f.awaitAnswers requests have been answered.
// It refuses the call if that takes longer than f.within. It does not wait if both numbers are 0.
func (c *call) await(f requestFilter) error {
	if f.await == 0 && f.awaitAnswers == 0 {
		return nil
	}
	if f.scope.IsAll() {
		return refuse(http.StatusBadRequest, "The parameters await and await_answers "+
			"need the parameter token or run, whose requests they count.")
	}
	timeout := fmt.Errorf("%s are over", f.within)
	ctx, cancel := context.WithTimeoutCause(c.r.Context(), f.within, timeout)
	defer cancel()
	least := engine.Counts{Arrived: f.await, Answered: f.awaitAnswers}
	err := c.engine.Await(ctx, f.scope, least)
	if err == nil {
		return nil
	}
	isOver := errors.Is(ctx.Err(), context.DeadlineExceeded)
	if c.r.Context().Err() != nil || !isOver {
		panic(http.ErrAbortHandler) // the client has gone away, or the server ends
	}
	return refuse(http.StatusGatewayTimeout,
		"%s GET /_fake/requests lists those that have arrived. "+
			"To wait longer, send within=60s. The base URL is %s.",
		words.Sentence(err.Error()), c.baseURL())
}
