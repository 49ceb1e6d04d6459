package fake

import "strings"

// nearToken returns the token of a user of which another token is probably a misspelling,
// or "": it is in quotation marks, letters are in another case, or one character is
// missing, extra, swapped with its neighbour, or another one. Digits are not misspelt:
// tokens are often numbered.
func nearToken(token string, known []string) string {
	const shortest = 4
	token = strings.Trim(token, `"'`)
	for _, user := range known {
		shorter, longer := min(len(user), len(token)), max(len(user), len(token))
		if longer > shorter+1 || shorter < shortest-1 {
			continue
		}
		a, b := user, token
		for a != "" && b != "" && lower(a[0]) == lower(b[0]) {
			a, b = a[1:], b[1:]
		}
		for a != "" && b != "" && lower(a[len(a)-1]) == lower(b[len(b)-1]) {
			a, b = a[:len(a)-1], b[:len(b)-1]
		}
		swapped := len(a) == 2 && len(b) == 2 && lower(a[0]) == lower(b[1]) && lower(a[1]) == lower(b[0])
		if (len(a) <= 1 && len(b) <= 1 || swapped) && !strings.ContainsAny(a+b, "0123456789") && (len(user) >= shortest || a+b == "") {
			return user
		}
	}
	return ""
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
