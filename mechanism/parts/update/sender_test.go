package update

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
)

// must stops a test at an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// settle delivers what is due until nothing is.
func (p *pair) settle(t *testing.T) {
	t.Helper()
	for range 20 {
		p.send()
		must(t, p.flush())
	}
	must(t, p.check())
}

func TestUnchangedIsNotSent(t *testing.T) {
	p := newPair()
	p.put(ball(1, 100<<24, 0), 1)
	p.put(ball(2, 200<<24, 0), 0)
	p.enter(1)
	p.enter(2)
	if n := p.send(); n != 2 {
		t.Fatalf("%d objects sent at first, want 2", n)
	}
	if n := p.send(); n != 0 {
		t.Errorf("%d sent again before they can have arrived", n)
	}
	must(t, p.flush())
	p.put(ball(2, 201<<24, 0), 0)
	if n := p.send(); n != 1 {
		t.Errorf("%d sent when one has changed", n)
	}
	must(t, p.flush())

	// A change that rounding hides is none to others. An action that changes nothing is none either.
	p.put(ball(2, 201<<24+1, 0), 5)
	if n := p.send(); n != 0 {
		t.Errorf("%d sent when a change was too small to be seen", n)
	}
}

func TestLostIsSentAgain(t *testing.T) {
	p := newPair()
	p.put(ball(1, 100<<24, 0), 0)
	p.enter(1)
	p.send()
	p.down = nil // lost
	p.put(ball(2, 0, 0), 0)
	p.enter(2)
	p.send()
	must(t, p.flush()) // whose receipt tells that the first has not come
	if n := p.send(); n != 1 {
		t.Fatalf("%d sent, want what was lost", n)
	}
	must(t, p.flush())
	must(t, p.check())

	// Where nothing comes after it, time tells.
	p.put(ball(1, 101<<24, 0), 0)
	p.send()
	p.down = nil
	sent := 0
	for range 11 {
		sent += p.send()
	}
	if sent != 1 {
		t.Errorf("sent again %d times within its patience and once more, want once", sent)
	}
}

func TestReceiverIsToldOfLeaving(t *testing.T) {
	p := newPair()
	p.put(ball(1, 0, 0), 0)
	p.enter(1)
	p.settle(t)
	p.leave(1)
	if n := p.send(); n != 1 || len(p.down[0]) > 4 {
		t.Fatalf("%d items in %d bytes to say that it left", n, len(p.down[0]))
	}
	p.down = nil // lost, and said again
	p.settle(t)
	if len(p.view) != 0 {
		t.Errorf("the receiver still has %v", p.view)
	}

	// What was never sent need not be taken back.
	p.enter(1)
	p.leave(1)
	if n := p.send(); n != 0 {
		t.Errorf("%d items for what never was", n)
	}
}

func TestRemovedLeavesBeforeAnybodySaysSo(t *testing.T) {
	p := newPair()
	p.put(ball(1, 0, 0), 0)
	p.enter(1)
	p.settle(t)
	p.remove(1)
	p.settle(t)
	p.put(ball(1, 5<<24, 0), 0) // and back again
	p.settle(t)
	if len(p.view) != 1 {
		t.Errorf("the receiver has %v", p.view)
	}
}

func TestHandlesAreUsedAgain(t *testing.T) {
	p := newPair()
	for round := range 50 {
		id := world.ID(round + 1)
		p.put(ball(id, 0, 0), 0)
		p.enter(id)
		p.settle(t)
		p.leave(id)
		p.settle(t)
	}
	if n := len(p.sender.entries); n > 2 {
		t.Errorf("%d handles for one object at a time", n)
	}
}

// Nobody can have a sender pile up memory by not answering: things that come and go meanwhile need no handles.
func TestSilentReceiverCostsLittle(t *testing.T) {
	p := newPair()
	for round := range 5000 {
		id := world.ID(round + 1)
		p.put(ball(id, 0, 0), 0)
		p.enter(id)
		p.send()
		p.leave(id)
		p.remove(id)
	}
	if len(p.down) > window {
		t.Errorf("%d datagrams sent without an answer, want %d at most", len(p.down), window)
	}
	if n := len(p.sender.entries); n > 2*window {
		t.Errorf("%d handles", n)
	}
	if n := p.sender.Bytes(); n > 20_000 {
		t.Errorf("%d bytes", n)
	}
}

func TestOwnAreExactAndRepeatedUntilKnown(t *testing.T) {
	p := newPair()
	o := ball(1, 100<<24+12345, -7)
	o.Vel = fixed.Vec{X: 77777}
	o.User = viewer
	p.put(o, 3)
	p.enter(1)
	for range 3 {
		if n := p.send(); n != 1 {
			t.Fatalf("%d sent, want the own object until it is known to have arrived", n)
		}
	}
	must(t, p.flush())
	if p.view[1] != o {
		t.Errorf("arrived as %+v, want %+v", p.view[1], o)
	}
	if n := p.send(); n != 0 {
		t.Errorf("%d sent after that", n)
	}
	o.Pos.X++ // too little for others to see
	p.put(o, 4)
	p.settle(t)
	if p.view[1] != o {
		t.Errorf("arrived as %+v, want %+v", p.view[1], o)
	}
}

func TestDifferencesAreSmall(t *testing.T) {
	p := newPair()
	p.put(ball(1, 500<<24, 500<<24), 70000)
	p.enter(1)
	p.send()
	whole := len(p.down[0])
	must(t, p.flush())
	p.put(ball(1, 501<<24, 500<<24), 70001)
	p.send()
	if delta := len(p.down[0]); delta > 7 || delta >= whole-6 {
		t.Errorf("%d bytes for a step, %d for the whole", delta, whole)
	}
}

// The receiver may not take for reported what the sender never heard of, as the package comment proves. Here it is as close to
// that as can be: a datagram comes as late as is allowed, and all is lost that could have told of it before the last
// receipt that can.
func TestLatestReportStillTells(t *testing.T) {
	p := newPair()
	p.patience = world.Minute
	p.put(ball(1, 1<<24, 0), 0)
	p.put(ball(2, 0, 0), 0)
	p.enter(1)
	p.enter(2)
	p.settle(t)

	y := int64(0)
	fill := func() { // as many datagrams as may be sent, all delivered
		for !p.sender.Blocked() {
			y += 1 << 24
			p.put(ball(2, 0, y), 0)
			p.send()
			for _, m := range p.down {
				must(t, p.receive(m))
			}
			p.down = nil
		}
	}
	p.put(ball(1, 2<<24, 0), 0)
	p.send()
	held := p.down[0]
	p.down = nil
	fill()
	p.report() // says that it has not come
	must(t, p.receive(held))
	must(t, p.confirm(p.up[0]))
	p.up = nil
	p.report() // says that it has, and is lost
	p.up = nil
	p.send() // repeats it, and is lost
	p.down = nil
	fill()
	p.put(ball(1, 4<<24, 0), 0)
	p.settle(t)
}
