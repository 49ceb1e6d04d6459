package fake

// updates are the latest changes of a server, for the clients that watch it. An update
// of a request holds only its number; the request itself is looked up in the journal.
// A client that reads too slowly does not make the list grow: it is told that it has
// missed updates. state.mu must be held.
type updates struct {
	version int           // of the latest update
	recent  []update      // a ring that grows to maxUpdates; update n is in slot (n-1) % maxUpdates
	readers int           // clients that watch
	next    chan struct{} // closed by the next update; nil if no client waits
}

// maxUpdates is how many updates there are.
const maxUpdates = 1024

// An update is a change of a request if it has the number of one, and otherwise one of
// something else.
type update struct {
	request int
	change
}

// A change is an update of something that is not a request.
type change struct {
	What  string  `json:"what"`            // user, replies, requests, reset or reload
	Token *string `json:"token,omitempty"` // nil for all tokens
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
	u.add(update{change: change{What: what, Token: token}})
}

// wait returns a channel that the next update closes.
func (u *updates) wait() <-chan struct{} {
	if u.next == nil {
		u.next = make(chan struct{})
	}
	return u.next
}

// since yields the updates after a version, the oldest first. It returns false if some
// of them are gone.
func (u *updates) since(version int, yield func(update)) bool {
	first := max(version, u.version-maxUpdates)
	for at := first; at < u.version; at++ {
		yield(u.recent[at%maxUpdates])
	}
	return first == version
}
