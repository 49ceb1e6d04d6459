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
	near := nearPath{path: path}
	decoded, err := url.PathUnescape(near.path)
	if err == nil {
		near.undo("parts of it are percent-encoded", decoded)
	}
	near.undo("it has a doubled slash", slashes().ReplaceAllString(near.path, "/"))
	near.undo("it ends in a slash", strings.TrimSuffix(near.path, "/"))
	if strings.EqualFold(near.path, want) {
		near.undo("its letters are in another case", want)
	}
	switch near.path {
	case protocol.CampaignsPath:
		near.undo("the base path "+basePath+" is missing", want)
	case basePath + want:
		near.undo("the base path "+basePath+" is there twice", want)
	}
	if near.path != want {
		return nil
	}
	return near.differences
}

// A nearPath is a path without the differences that were undone.
type nearPath struct {
	path        string
	differences []string
}

// undo replaces the path by one without a difference. If it stays the same, it had no such
// difference.
func (n *nearPath) undo(difference, without string) {
	if without == n.path {
		return
	}
	n.path = without
	n.differences = append(n.differences, difference)
}
