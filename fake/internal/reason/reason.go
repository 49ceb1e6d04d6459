// Package reason has a type of Finding for each thing that can be wrong with a request to the API:
//
//	route.go        a path or a method that the service does not have
//	credentials.go  what stands in place of a bearer token
//	token.go        a token that no user has
//
// Package serve puts the phrase of a finding into the reason of the request, which the journal, the
// log and the page show. Package advice says what to change.
package reason

// A Finding is what is wrong with a request, as a phrase. The journal keeps findings, so a finding
// must not hold much memory: it has no pointer to a user or to settings, and it shortens a path.
type Finding interface {
	String() string
}

// A Refusal is a finding that makes the server refuse the request. Its Detail explains to the
// client why, in whole sentences.
type Refusal interface {
	Finding
	Detail() string
}

// IsWrongToken reports whether a finding says that the token is a mistake: nearly the token of a
// user, or a placeholder.
func IsWrongToken(found Finding) bool {
	switch found.(type) {
	case Placeholder, NearToken:
		return true
	}
	return false
}
