// Package wire handles connections, and what is sent over them:
//
//	request.go    the body of a request that nobody wants is read, so that the answer arrives
//	body.go       where the body of an answer is cut
//	reset.go      a connection is reset
//	transport.go  bodies of answers that a client leaves open are closed at the end
//	memory.go     client and server are connected in memory
//	bubble.go     whether all this happens in a testing/synctest bubble
//
// It stands below all others: it does not know campaigns, users, or the server that uses it.
package wire
