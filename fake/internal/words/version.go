package words

import (
	"runtime/debug"
)

// stamped is a version that the linker sets, for builds without a Git history, such as
// that of the image: -X example.com/campaignfake/fake/internal/words.stamped=v1.2.3.
var stamped string

// Version returns the version of this module: the one that the linker set, or else the
// one in the build information, which is (devel) for a working tree. It is "" if
// neither is known. It is what the command says of itself.
func Version() string {
	if stamped != "" {
		return stamped
	}
	const path = "example.com/campaignfake"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, module := range append(info.Deps, &info.Main) {
		if module.Path == path {
			return module.Version
		}
	}
	return ""
}
