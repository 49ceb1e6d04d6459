// Package wire handles connections, and what is sent over them:
//
//	request.go    reads the body of a request that nobody wants, so that the answer arrives
//	body.go       says where the body of an answer is cut
//	reset.go      resets a connection
//	transport.go  closes the bodies of answers that a client has left open
//	memory.go     connects client and server in memory
//	bubble.go     says whether all this happens in a testing/synctest bubble
//
// It is below all other packages, and knows no campaigns, no users, and no server.
package wire
