//go:build !unix

package main

// isReplaced returns false: on this system it is not known whether a mounted file has
// been replaced.
func isReplaced(string) bool { return false }
