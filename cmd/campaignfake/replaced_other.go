//go:build !unix

package main

// isReplaced reports whether another file has taken the place of one that is
// mounted. It is not known here.
func isReplaced(string) bool { return false }
