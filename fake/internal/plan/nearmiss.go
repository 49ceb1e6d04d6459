package plan

import (
	"net/url"
	"strings"

	"example.com/campaignfake/fixtures/protocol"
	"example.com/campaignfake/fixtures/text"
)

// slashes match a doubled slash, or more of them.
var slashes = text.Pattern(`//+`)

// NearMiss returns how a path differs from that of the campaigns, in phrases, if that was probably
// meant: what has to be undone, step by step, to make the one of the other. It returns nil if that
// is not reached. The path is escaped, as it was sent.
func NearMiss(path, basePath string) (differences []string) {
	want := basePath + protocol.CampaignsPath
	undo := func(difference, changed string) {
		if changed != path {
			path = changed
			differences = append(differences, difference)
		}
	}
	if decoded, err := url.PathUnescape(path); err == nil {
		undo("parts of it are percent-encoded", decoded)
	}
	undo("it has a doubled slash", slashes().ReplaceAllString(path, "/"))
	undo("it ends in a slash", strings.TrimRight(path, "/"))
	if strings.EqualFold(path, want) {
		undo("its letters are in another case", want)
	}
	switch path {
	case protocol.CampaignsPath:
		undo("the base path "+basePath+" is missing", want)
	case basePath + want:
		undo("the base path "+basePath+" is there twice", want)
	}
	if path != want {
		return nil
	}
	return differences
}
