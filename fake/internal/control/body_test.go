package control

import (
	"errors"
	"strings"
	"testing"
)

// Bodies get room until all of it is taken. One that is refused takes none, and what a body had is
// there again when it is dropped.
func TestRoomOfBodies(t *testing.T) {
	t.Parallel()
	room := new(bodyRoom)
	first := &heldBody{room: room}
	// The last piece is not full, since the end of a body would otherwise need another one.
	whole := strings.Repeat(" ", maxBodies-1)
	if err := first.readAll(strings.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	refused := &heldBody{room: room}
	for range 2 {
		if err := refused.readAll(strings.NewReader("{}")); !errors.Is(err, errNoRoom) {
			t.Errorf("without room a body is read: %v", err)
		}
	}
	refused.drop()
	first.drop()
	again := &heldBody{room: room}
	if err := again.readAll(strings.NewReader(whole)); err != nil {
		t.Errorf("when all is dropped, there is no room for a body of the same size: %v", err)
	}
}
