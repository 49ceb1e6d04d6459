package wire

import "unicode/utf8"

// Cut returns the length of the first half of a body. The half ends between two characters. It is
// shorter than the body, unless the body is empty.
func Cut(body []byte) int {
	at := len(body) / 2
	for at > 0 && !utf8.RuneStart(body[at]) {
		at--
	}
	return at
}
