// Package wire handles connections: it breaks connections and
// bodies, reads request bodies that nobody wants, closes bodies of answers that a client
// leaves open, and connects client and server in memory.
//
// It stands below all others: it does not know campaigns, users, or the server that uses it.
package wire
