package plan

import (
	"net/url"
	"strings"

	"example.com/campaignfake/fixtures/protocol"
	"example.com/campaignfake/fixtures/text"
)

// slashes matches two or more slashes in a row.
var slashes = text.Pattern(`//+`)

// NearMiss compares a path with the path of the campaigns. It undoes one known difference after the
// other. If the result is the path of the campaigns, the client has probably meant it, and NearMiss
// returns the differences as phrases, such as "it ends in a slash". Otherwise it returns nil. The
// argument path is escaped, as the client sent it.
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

// A nearPath is the path of a request, which NearMiss corrects step by step. The field differences
// lists what was corrected, in phrases.
type nearPath struct {
	path        string
	differences []string
}

// undo sets n.path to the argument `corrected`, which is the path without one difference. If this
// changes the path, undo adds the argument `difference` to n.differences.
func (n *nearPath) undo(difference, corrected string) {
	if corrected == n.path {
		return
	}
	n.path = corrected
	n.differences = append(n.differences, difference)
}
