package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/campaignfake/fixtures"
)

// load reads the fixtures and, if needed, the gallery. Files override the text of --fixtures, and
// the text overrides the gallery. Flags override the settings of the service in all three, and
// these settings override the defaults.
func (s *serving) load() (*fixtures.Set, error) {
	// The stamp is taken first: if the files change while load reads them, their stamp changes, and
	// watch reads them again.
	s.stamp = fixtures.Stamp(s.Fixtures...)

	set, mistakes := fixtures.Load(s.Fixtures...)
	given := new(fixtures.Set)
	if s.Text != "" {
		text, mistakesOfText := fixtures.LoadText(s.nameOfText(), s.Text)
		given = text
		mistakes = fixtures.Join(mistakes, mistakesOfText)
	}
	if mistakes != nil {
		return nil, fixtures.Join(mistakes, s.settings().CheckPart())
	}
	set = given.Overlay(set)
	if s.Gallery {
		set = besideGallery(set)
	}
	s.set = overDefaults(set).Overlay(s.settings())
	return s.set, nil
}

// settings returns the settings that flags and variables give.
func (s *serving) settings() *fixtures.Set {
	return &fixtures.Set{
		Service: fixtures.Service{
			BasePath:      s.BasePath,
			CORS:          s.CORS,
			UnknownTokens: s.UnknownTokens,
			Delay:         s.Delay,
			Seed:          s.Seed,
		},
		Places: s.call.places,
	}
}

// leftOut returns the files and folders that people may take for fixtures, but that are not read:
// in a folder of fixtures, its folders and its JSON files. It leaves out hidden names, which
// programs use, and paths that the command line names, which are read.
func leftOut(fixtures []string) (names []string) {
	for _, folder := range fixtures {
		entries, _ := os.ReadDir(folder) // nil if the path is a file, or cannot be read
		for _, entry := range entries {
			name := filepath.Join(folder, entry.Name())
			isMeant := entry.IsDir() || filepath.Ext(name) == ".json"
			isHidden := strings.HasPrefix(entry.Name(), ".")
			if isMeant && !isHidden && !slices.Contains(fixtures, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func warningOfLeftOut(name string) string {
	return name + " is left out: of a folder, the files that end in .yaml or .yml are read; " +
		"name it beside the folder if it has fixtures"
}

// nameOfText returns what the text of fixtures is called: the flag or the variable that gave it.
func (s *serving) nameOfText() string {
	return s.call.placeOf("fixtures").String()
}

// overDefaults lays a set over the command's own default: unknown tokens get generated campaigns.
// The default has no place, so that it does not count as configured.
func overDefaults(set *fixtures.Set) *fixtures.Set {
	defaults := &fixtures.Set{
		Service: fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate},
	}
	return defaults.Overlay(set)
}

// watch reloads the fixtures when they have changed, and then have not changed for one interval:
// somebody may write several files, or one file in parts. It polls the files, because the file
// system does not notify of changes in the mounts of a container. It returns when ctx is done.
func (s *serving) watch(ctx context.Context, interval time.Duration) {
	before := s.stamp
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(interval):
		}
		now := fixtures.Stamp(s.Fixtures...)
		isSettled := now == before
		if isSettled && now != s.stamp {
			s.server.Reload() // Reload calls load, which takes the new stamp, and logs its error
		}
		before = now
	}
}
