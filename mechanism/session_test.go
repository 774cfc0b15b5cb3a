package mechanism_test

import (
	"errors"
	"reflect"
	"testing"

	"throng/mechanism"
	"throng/world"
)

// maker is a mechanism that builds what a test says.
type maker struct {
	node mechanism.Node
	err  error
}

func (m maker) Places(world.World) []mechanism.Place { return nil }
func (m maker) NewNode(*mechanism.Session, mechanism.Place) (mechanism.Node, error) {
	return m.node, m.err
}

func TestBuild(t *testing.T) {
	n, c := setup()
	user, server := mechanism.Place{ID: 3, Role: "client", User: 2}, mechanism.Place{ID: 1, Role: "server"}
	if got, err := mechanism.Build(maker{node: n}, c.Session, user); err != nil || got.Node != n || got.Place != user || got.Session != c.Session {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := mechanism.Build(maker{node: plain{n}}, c.Session, server); err != nil {
		t.Errorf("a server need not be a client: %v", err)
	}
	if _, err := mechanism.Build(maker{node: plain{n}}, c.Session, user); err == nil || err.Error() != "node 3 (client) is user 2's, but no client" {
		t.Errorf("got %v", err)
	}
	glue := errors.New("no glue")
	if _, err := mechanism.Build(maker{err: glue}, c.Session, server); !errors.Is(err, glue) || err.Error() != "node 1 (server): no glue" {
		t.Errorf("got %v", err)
	}
}

func TestSessionOfOneWhoJoins(t *testing.T) {
	s := &mechanism.Session{Places: []mechanism.Place{{ID: 1}, {ID: 4}}}
	known := s.Join(mechanism.Place{ID: 4}, 2)
	if !known.Late || known.Epoch != 2 || len(known.Places) != 2 {
		t.Errorf("%+v", known)
	}
	added := s.Join(mechanism.Place{ID: 3}, 0)
	if want := []mechanism.Place{{ID: 1}, {ID: 3}, {ID: 4}}; !reflect.DeepEqual(added.Places, want) {
		t.Errorf("places %v, want %v", added.Places, want)
	}
	if s.Late || len(s.Places) != 2 {
		t.Errorf("the session itself was changed: %+v", s)
	}
}
