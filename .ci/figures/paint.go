package main

import (
	"errors"
	"time"
)

// firstPaint measures from a click on a link to the page until the browser paints
// something of it.
func firstPaint() measurement {
	return measurement{
		figures: []figure{{name: "first paint of the page", reference: "a page of one letter", unit: "ms"}},
		own: func(t *tree) ([]float64, error) {
			fixtures, err := t.campaigns(10)
			if err != nil {
				return nil, err
			}
			return painted("/_fake/")(t.serve(asImage, "--quiet", fixtures))
		},
		reference: func(t *tree) ([]float64, error) {
			fixtures, err := t.campaigns(10)
			if err != nil {
				return nil, err
			}
			return painted("/")(t.bare(asImage, "token", fixtures))
		},
	}
}

// painted opens a page of a server in a tab that knows nothing of earlier ones, and
// returns the milliseconds until its first paint.
func painted(path string) func(*server, error) ([]float64, error) {
	return func(s *server, err error) ([]float64, error) {
		if err != nil {
			return nil, err
		}
		defer s.stop()
		b, err := openBrowser()
		if err != nil {
			return nil, err
		}
		var context struct{ BrowserContextID string }
		if err := b.call("", "Target.createBrowserContext", nil, &context); err != nil {
			return nil, err
		}
		defer b.call("", "Target.disposeBrowserContext", map[string]any{"browserContextId": context.BrowserContextID}, nil)
		var target struct{ TargetID string }
		if err := b.call("", "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": context.BrowserContextID}, &target); err != nil {
			return nil, err
		}
		var session struct{ SessionID string }
		if err := b.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session); err != nil {
			return nil, err
		}
		if err := b.call(session.SessionID, "Page.navigate", map[string]any{"url": s.root + path}, nil); err != nil {
			return nil, err
		}
		for range 1000 {
			var found struct{ Result struct{ Value float64 } }
			expression := `location.protocol === "http:" && performance.getEntriesByName("first-paint")[0]?.startTime || 0`
			if err := b.call(session.SessionID, "Runtime.evaluate", map[string]any{"expression": expression}, &found); err != nil {
				return nil, err
			}
			if found.Result.Value > 0 {
				return []float64{found.Result.Value}, nil
			}
			time.Sleep(10 * time.Millisecond)
		}
		return nil, errors.New("chromium paints nothing in ten seconds")
	}
}
