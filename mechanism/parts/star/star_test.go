package star

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// open is a world that takes in users.
type open struct{ world.World }

func (open) Enter(*world.Window, world.User) {}

func (open) Leave(*world.Window, world.User) {}

func TestPlaces(t *testing.T) {
	w := mechanismtest.Marbles(2)
	places := Layout{}.Places(w)
	if len(places) != 3 || places[0] != (mechanism.Place{ID: Server, Role: "server"}) {
		t.Fatalf("%+v", places)
	}
	for _, p := range places[1:] {
		if p != (Layout{}).Admit(p.User) || NodeOf(p.User) != p.ID || UserOf(w, p.ID) != p.User || p.User == 0 {
			t.Errorf("%+v", p)
		}
	}
}

func TestUserOf(t *testing.T) {
	closed, entered := mechanismtest.Marbles(2), open{mechanismtest.Marbles(2)}
	for _, x := range []struct {
		w    world.World
		id   mechanism.NodeID
		want world.User
	}{
		{closed, 0, 0}, {closed, Server, 0}, {closed, 3, 2}, {closed, 4, 0}, {closed, 1<<32 - 1, 0},
		{entered, 0, 0}, {entered, Server, 0}, {entered, 4, 3}, {entered, NodeOf(Users(entered)), Users(entered)}, {entered, NodeOf(Users(entered) + 1), 0},
	} {
		if got := UserOf(x.w, x.id); got != x.want {
			t.Errorf("node %d is of user %d instead of %d", x.id, got, x.want)
		}
	}
}
