// Package wire handles connections, and what is sent over them:
//
//	request.go    reads the body of a request that no handler reads, so that the answer arrives
//	body.go       finds the middle of a body, where a fault cuts it
//	reset.go      resets a connection
//	transport.go  closes the bodies of answers that a client has left open
//	memory.go     connects client and server in memory
//	bubble.go     says whether all this happens in a testing/synctest bubble
//
// It imports no other package of this module, and knows no campaigns, no users, and no server.
package wire
