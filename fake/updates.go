package fake

// updates tell those who watch the server what has changed. An update is a number
// and what it concerns; what a request has become is looked up in the journal when
// somebody asks. Only the latest are kept, so that nobody who reads slowly keeps
// anything alive: such a reader is told that it has missed some.
type updates struct {
	version int           // of the latest update
	recent  []update      // a ring that grows to keptUpdates; update n is in slot n-1, modulo that
	readers int           // who watch
	next    chan struct{} // closed by the next update; nil while nobody waits
}

const (
	// keptUpdates is how many updates are kept, and maxReaders how many clients
	// may watch at once.
	keptUpdates = 1024
	maxReaders  = 32
)

// An update is one change: of a request, if it has a number.
type update struct {
	request int
	change
}

// A change is one that is not of a request.
type change struct {
	What  string  `json:"what"`            // user, replies, requests, reset or reload
	Token *string `json:"token,omitempty"` // nil if it concerns all
}

func (u *updates) add(one update) {
	if len(u.recent) < keptUpdates {
		u.recent = append(u.recent, one)
	} else {
		u.recent[u.version%keptUpdates] = one
	}
	u.version++
	u.wake()
}

// wake has those look who wait for an update.
func (u *updates) wake() {
	if u.next != nil {
		close(u.next)
		u.next = nil
	}
}

// request notes that a request has arrived or changed.
func (u *updates) request(number int) { u.add(update{request: number}) }

// changed notes what has changed of a token, or of all if it is nil.
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

// since yields the updates after a version, the oldest first. It returns false if
// earlier ones are not kept.
func (u *updates) since(version int, yield func(update)) bool {
	kept := max(version, u.version-keptUpdates)
	for at := kept; at < u.version; at++ {
		yield(u.recent[at%keptUpdates])
	}
	return kept == version
}
