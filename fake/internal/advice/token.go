package advice

import "strings"

// NearToken returns the known token that a client probably meant, or "". It recognizes
// quotation marks, letters in another case, and one character that is missing, extra,
// wrong, or swapped with its neighbour. A digit is never taken for another, because tokens
// are often numbered. Of a token that is like no user, it looks at what stands before the tilde.
func NearToken(token string, known []string) string {
	near := nearToken(token, known)
	if base, own, found := strings.Cut(token, "~"); near == "" && found {
		if near = nearToken(base, known); near != "" {
			near += "~" + own
		}
	}
	return near
}

func nearToken(token string, known []string) string {
	const shortest = 4
	token = strings.Trim(token, `"'`)
	for _, user := range known {
		shorter, longer := min(len(user), len(token)), max(len(user), len(token))
		if longer > shorter+1 || shorter < shortest-1 {
			continue
		}
		a, b := strings.ToLower(user), strings.ToLower(token)
		for a != "" && b != "" && a[0] == b[0] {
			a, b = a[1:], b[1:]
		}
		for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
			a, b = a[:len(a)-1], b[:len(b)-1]
		}
		swapped := len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
		if (len(a) <= 1 && len(b) <= 1 || swapped) && !strings.ContainsAny(a+b, "0123456789") && (len(user) >= shortest || a+b == "") {
			return user
		}
	}
	return ""
}
