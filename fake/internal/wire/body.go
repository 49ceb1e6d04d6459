package wire

import "unicode/utf8"

// Cut returns the length to which a body is truncated: about half of it, so that it ends
// between two characters of a JSON string that is a value. If there is no such string, it
// is exactly half. A body that is not empty always loses something.
func Cut(body []byte) int {
	half := len(body) / 2
	last := -1 // the middle of the last value before the half
	for i := 0; i < len(body); i++ {
		if body[i] != '"' {
			continue
		}
		start := i + 1
		i = stringEnd(body, start)
		if i >= len(body) {
			break
		}
		if start < 2 || body[start-2] != ':' || i-start < 2 {
			continue // a key, or too short to be cut
		}
		at := start + (i-start)/2
		if start < half && half < i {
			at = half
		}
		for at > start && !utf8.RuneStart(body[at]) {
			at--
		}
		if i > half {
			return at
		}
		last = at
	}
	if last > 0 {
		return last
	}
	return half
}

// stringEnd returns the index of the quote that ends a JSON string whose first character
// is at i. If the string does not end, the result is the length of the body or more.
func stringEnd(body []byte, i int) int {
	for ; i < len(body) && body[i] != '"'; i++ {
		if body[i] == '\\' {
			i++
		}
	}
	return i
}
