package wire

import "unicode/utf8"

// Cut returns the length to which a body is truncated: half of it, so that it ends between two
// characters. A body that is not empty always loses something.
func Cut(body []byte) int {
	at := len(body) / 2
	for at > 0 && !utf8.RuneStart(body[at]) {
		at--
	}
	return at
}
