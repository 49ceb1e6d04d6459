package words

import "runtime/debug"

// stamped is a version that the linker sets. Builds without a Git history need it, such as the
// build of the image: -X example.com/campaignfake/fake/internal/words.stamped=v1.2.3.
var stamped string

// Version returns the version of this module. It is the version that the linker has set, or else
// the version in the build information, which may be (devel) for a working tree. It is "" if there
// is neither.
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
