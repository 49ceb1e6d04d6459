package wire

import (
	"errors"
	"time"
)

// InBubble reports whether it is called in a testing/synctest bubble. It goes by the
// clock, which starts with the year 2000 there, because nothing else shows it. A bubble
// is no longer recognized when twenty years have passed in it.
func InBubble() bool {
	return time.Now().UTC().Year() < 2020
}

// CheckBubble returns an error if the caller is in a testing/synctest bubble and the server
// was not made in it, or the reverse. Without it the runtime would end the process, because
// a goroutine outside a bubble must not use its channels.
func CheckBubble(ofServer bool) error {
	if InBubble() == ofServer {
		return nil
	}
	return errors.New("caller and server are not in the same testing/synctest bubble; " +
		"make the server inside the function that synctest.Test calls, " +
		"with the t that it passes, and use it there alone")
}
