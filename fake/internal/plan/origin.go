package plan

// An Origin is who gave a user, or a reply that was enqueued, over which door.
type Origin struct {
	Required bool  // given in Go: a strict test fails if a reply is not played
	Size     int64 // bytes of the body in which it came over HTTP, else 0
}

// ByTest reports whether a test gave it, in Go or over HTTP, and not a file.
func (o Origin) ByTest() bool { return o.Required || o.Size > 0 }
