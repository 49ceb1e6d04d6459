package state

import (
	"example.com/campaignfake/fake/internal/api"
)

// updates are the latest changes of a server, for the clients that watch it. An update of
// a request is only its number; the request itself is in the journal. The list does not
// grow for a client that reads too slowly: that client misses updates, and learns so. The
// lock of State must be held.
type updates struct {
	version int           // of the latest update
	recent  []update      // a ring that grows to maxUpdates; update n is in slot (n-1) % maxUpdates
	readers int           // clients that watch
	next    chan struct{} // closed by the next update; nil if no client waits
}

// maxUpdates is how many updates there are.
const maxUpdates = 1024

// An update is a change of a request, or of something else.
type update struct {
	request int // its number; 0 for a change of something else
	api.Change
}

func (u *updates) add(one update) {
	if len(u.recent) < maxUpdates {
		u.recent = append(u.recent, one)
	} else {
		u.recent[u.version%maxUpdates] = one
	}
	u.version++
	u.wake()
}

// wake wakes the clients that wait for an update.
func (u *updates) wake() {
	if u.next != nil {
		close(u.next)
		u.next = nil
	}
}

// request adds the update of a request that has arrived or changed.
func (u *updates) request(number int) { u.add(update{request: number}) }

// changed adds a change of a token, or of all tokens if it is nil.
func (u *updates) changed(what string, token *string) {
	u.add(update{Change: api.Change{What: what, Token: token}})
}

// wait returns a channel that the next update closes.
func (u *updates) wait() <-chan struct{} {
	if u.next == nil {
		u.next = make(chan struct{})
	}
	return u.next
}

// since returns the updates after a version, the oldest first, and whether all of them are
// still in the list.
func (u *updates) since(version int) (list []update, all bool) {
	first := max(version, u.version-maxUpdates)
	for at := first; at < u.version; at++ {
		list = append(list, u.recent[at%maxUpdates])
	}
	return list, first == version
}
