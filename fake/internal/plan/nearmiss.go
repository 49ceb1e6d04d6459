package plan

import (
	"net/url"
	"strings"

	"example.com/campaignfake/fixtures/protocol"
	"example.com/campaignfake/fixtures/text"
)

// slashes matches two or more slashes in a row.
var slashes = text.Pattern(`//+`)

// NearMiss compares a path with that of the campaigns. It undoes one difference after the other. If
// that leads to the path of the campaigns, it returns the differences as phrases: the client has
// probably meant that path. Otherwise it returns nil. The path is escaped, as it was sent.
func NearMiss(path, basePath string) (differences []string) {
	want := basePath + protocol.CampaignsPath
	undo := func(difference, changed string) {
		if changed != path {
			path = changed
			differences = append(differences, difference)
		}
	}
	decoded, err := url.PathUnescape(path)
	if err == nil {
		undo("parts of it are percent-encoded", decoded)
	}
	undo("it has a doubled slash", slashes().ReplaceAllString(path, "/"))
	undo("it ends in a slash", strings.TrimSuffix(path, "/"))
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
