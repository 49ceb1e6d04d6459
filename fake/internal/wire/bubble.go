package wire

import (
	"errors"
	"time"
)

// InBubble reports whether it is called in a testing/synctest bubble. Only the clock shows a
// bubble: in a bubble it starts in the year 2000. So InBubble is wrong once twenty years have
// passed in a bubble.
func InBubble() bool {
	return time.Now().UTC().Year() < 2020
}

// CheckBubble returns an error if the caller is in a testing/synctest bubble and the server is not.
// It does the same if only the server is in a bubble. The argument ofServer says whether the server
// was made in a bubble. Without this error the runtime would end the process, because a goroutine
// outside of a bubble must not use the channels of the bubble.
func CheckBubble(ofServer bool) error {
	if InBubble() == ofServer {
		return nil
	}
	return errors.New("caller and server are not in the same testing/synctest bubble; " +
		"make the server inside the function that synctest.Test calls, " +
		"with the t that it passes, and use it there alone")
}
