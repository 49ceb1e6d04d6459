package control

// A memory bounds how much memory the calls take together. Each part of a call has its own bound:
//
//   - Many bodies are read at once. All together have room for maxBodies bytes (body.go).
//   - One body is parsed at a time, or one answer is made that may be large: either takes many
//     times its size. The lock for this is engine.ParseLock, since a reload takes its turn, too.
//   - Of the answers that are large, largeAtOnce are sent at once (large.go).
//
// A body keeps its room until it was parsed. An answer that has to wait for a place is thrown away,
// and made once more. Whoever has the lock waits neither for room nor for a place, so that calls
// cannot wait for each other for ever.
type memory struct {
	bodies bodyRoom
	places chan struct{} // has a value for each large answer that is being sent
}

func newMemory() memory {
	return memory{places: make(chan struct{}, largeAtOnce)}
}
