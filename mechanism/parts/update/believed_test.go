package update

import (
	"testing"

	"throng/world"
)

// drifting is what receivers make of one ball.
type drifting struct{ ball world.Object }

func (d *drifting) Believed(id world.ID) *world.Object {
	if id != d.ball.ID {
		return nil
	}
	return &d.ball
}

// Receivers let a ball roll on. One who comes to see it later, or who has missed a datagram, is told where it has come to; the
// others are told nothing.
func TestNewViewersBeginWhereOthersAre(t *testing.T) {
	early, late := newPair(), newPair()
	late.table, late.sender = early.table, NewSender(early.table, nil, viewer)
	belief := &drifting{ball(1, 100<<24, 0)}
	early.table.Believed = belief
	early.put(belief.ball, 0)
	early.enter(1)
	if n := early.send(); n != 1 {
		t.Fatalf("%d sent at first", n)
	}
	must(t, early.flush())

	belief.ball.Pos.X = 300 << 24
	late.past[belief.ball] = true
	late.enter(1)
	if n := late.send(); n != 1 {
		t.Fatalf("%d sent to who sees it now", n)
	}
	must(t, late.flush())
	if at := late.view[1].Pos.X; at != 300<<24 {
		t.Errorf("who comes later is told that it is at %v", at)
	}
	if n := early.send(); n != 0 || early.view[1].Pos.X != 100<<24 {
		t.Errorf("%d sent to who let it roll on", n)
	}

	early.put(ball(1, 310<<24, 1<<24), 0)
	belief.ball = ball(1, 310<<24, 1<<24)
	early.send()
	early.down = nil // lost
	belief.ball.Pos.X = 350 << 24
	early.past[belief.ball] = true
	early.objects[1].Object = belief.ball
	early.settle(t)
	if at := early.view[1].Pos.X; at != 350<<24 {
		t.Errorf("who missed it is told later that it is at %v", at)
	}
}

// An owner is told until it has what was put, not whatever others have been told since.
func TestOwnersHaveWhatWasPut(t *testing.T) {
	p := newPair()
	own := ball(1, 100<<24, 0)
	own.User = viewer
	belief := &drifting{own}
	p.table.Believed = belief
	p.put(own, 0)
	p.enter(1)
	p.send()
	must(t, p.flush())
	other := NewSender(p.table, nil, viewer+1)
	belief.ball.Pos.X = 200 << 24
	other.Begin(0)
	other.Enter(1)
	other.Append(nil, 200)
	for range 3 {
		if n := p.send(); n != 0 {
			t.Fatalf("%d sent to an owner who has it", n)
		}
		must(t, p.flush())
	}
}
