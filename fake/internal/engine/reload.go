package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// Reload reads the fixtures again, and puts them in force if nothing is wrong in them.
func (e *Engine) Reload() error {
	e.Reading.Lock()
	defer e.Reading.Unlock()
	if e.State.Closed() {
		return ErrClosed
	}
	c := plan.Configure(e.Config.Options)
	next, err := plan.NewSnapshot(c)
	if err != nil {
		next = nil
	}
	kept := e.State.Replace(next, ReloadResult{At: time.Now(), Err: err})
	e.KeepAlives()
	if err != nil {
		e.logMistakes(err)
	} else {
		e.logReload(next, kept)
	}
	return err
}

// maxNamed is how many tokens the log of a reload names.
const maxNamed = 10

// logReload logs a reload, and the tokens that have kept another user than the fixtures have
// for them now.
func (e *Engine) logReload(next *plan.Snapshot, kept []string) {
	about := []slog.Attr{slog.Int("users", len(next.Users))}
	if len(kept) > 0 {
		var named []string
		for _, token := range kept[:min(len(kept), maxNamed)] {
			named = append(named, words.Shorten(token))
		}
		if more := len(kept) - len(named); more > 0 {
			named = append(named, fmt.Sprintf("and %d more", more))
		}
		about = append(about, slog.Any("not_in_force", named),
			slog.String("hint", "they were set or removed while the server ran; POST /_fake/reset?token=… brings the user of the fixtures back"))
	}
	e.Config.Logger.LogAttrs(context.Background(), slog.LevelInfo, "the fixtures were reloaded", about...)
}

// logMistakes logs a reload that has changed nothing, each mistake on its own line.
func (e *Engine) logMistakes(err error) {
	const kept = "the fixtures could not be reloaded, and the last good ones are served"
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) {
		e.Config.Logger.Error(kept, slog.String("error", err.Error()))
		return
	}
	for _, m := range mistakes.List {
		e.Config.Logger.Error(kept, slog.Any("error", m)) // an object in JSON
	}
}
