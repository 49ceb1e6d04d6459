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
// the text overrides the gallery. Flags override the settings in files, text and gallery. Settings
// that none of them gives have their defaults.
func (s *serving) load() (*fixtures.Set, error) {
	// load takes the stamp before it reads the files. A file may change while load reads. Then the
	// next stamp differs from this stamp, and watch reloads the files.
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

// settings returns the settings that flags and environment variables give.
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

// leftOut returns paths that fixtures.Load skips, although people may expect it to read them: the
// folders and the JSON files in each folder among paths. It does not return hidden files and
// folders, which programs make for themselves. It does not return elements of paths either, since
// Load reads them.
func leftOut(paths []string) (names []string) {
	for _, folder := range paths {
		entries, _ := os.ReadDir(folder) // nil if folder is a file, or cannot be read
		for _, entry := range entries {
			name := filepath.Join(folder, entry.Name())
			isMeant := entry.IsDir() || filepath.Ext(name) == ".json"
			isHidden := strings.HasPrefix(entry.Name(), ".")
			if isMeant && !isHidden && !slices.Contains(paths, name) {
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

// nameOfText returns the name by which messages call the text of --fixtures: the flag, or the
// environment variable that gave the text.
func (s *serving) nameOfText() string {
	return s.call.placeOf("fixtures").String()
}

// overDefaults adds unknown_tokens: generate, the default of the command, if the set has no
// unknown_tokens. The default gets no Place, so that the list of settings shows it as assumed, not
// as configured.
func overDefaults(set *fixtures.Set) *fixtures.Set {
	defaults := &fixtures.Set{
		Service: fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate},
	}
	return defaults.Overlay(set)
}

// watch reloads the fixtures after a change, until ctx is done. It waits until the files have not
// changed for a whole interval, since a program may write several files, or a file in parts. It
// polls the files, because file systems do not report changes in the mounts of a container.
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
			s.server.Reload() // Reload calls load, which sets s.stamp; Reload also logs an error
		}
		before = now
	}
}
