package trouble

import (
	"testing"

	"throng/world"
	"throng/world/fixed"
)

const ms = world.Millisecond

func TestNoTrouble(t *testing.T) {
	var l Emulator
	if l.Send(0, Out, Tag{}, []byte("x")) || l.Due() != world.Never {
		t.Error("an emulator without trouble took a datagram")
	}
	if err := l.Set(Setting{Shape: "pareto"}); err != nil || l.Send(0, In, Tag{}, nil) {
		t.Errorf("a shape alone is trouble (%v)", err)
	}
}

func TestDelay(t *testing.T) {
	var l Emulator
	if err := l.Set(Setting{Delay: 100 * ms}); err != nil {
		t.Fatal(err)
	}
	payload := []byte("first")
	l.Send(0, Out, Tag{Peer: 1}, payload)
	copy(payload, "xxxxx")
	l.Send(10*ms, In, Tag{Peer: 2}, []byte("second"))
	if p := l.Next(99 * ms); p != nil {
		t.Fatalf("%+v came too soon", p)
	}
	if l.Due() != 100*ms {
		t.Errorf("due at %v", l.Due())
	}
	p := l.Next(100 * ms)
	if p == nil || p.Direction != Out || p.Tag.Peer != 1 || string(p.Payload) != "first" {
		t.Fatalf("%+v came first", p)
	}
	if p = l.Next(109 * ms); p != nil {
		t.Fatalf("%+v came too soon", p)
	}
	if p = l.Next(110 * ms); p == nil || p.Direction != In || string(p.Payload) != "second" {
		t.Fatalf("%+v came second", p)
	}
	if l.Due() != world.Never {
		t.Error("something is left")
	}
}

// What is under way when trouble ends still arrives when it should.
func TestChanging(t *testing.T) {
	var l Emulator
	l.Set(Setting{Delay: 100 * ms})
	l.Send(0, Out, Tag{}, nil)
	l.Set(Setting{})
	if l.Send(10*ms, Out, Tag{}, nil) || l.Next(50*ms) != nil || l.Next(100*ms) == nil {
		t.Error("the end of trouble changed what was under way")
	}
}

func TestLossAndJitter(t *testing.T) {
	const n = 4000
	for _, shape := range []string{"exponential", "pareto", "spike"} {
		var l Emulator
		if err := l.Set(Setting{Delay: 50 * ms, Jitter: 20 * ms, Shape: shape, Loss: fixed.One / 4}); err != nil {
			t.Fatal(shape, err)
		}
		for i := range n {
			l.Send(world.Time(i)*world.Second, In, Tag{}, nil)
		}
		arrived, sum := 0, world.Time(0)
		for l.Due() != world.Never {
			at := l.Due()
			l.Next(at)
			arrived++
			sum += at % world.Second // delays are far below a second but for the rarest
		}
		if lost := l.Lost[In]; lost < n/5 || lost > n*3/10 || arrived+int(lost) != n {
			t.Errorf("%s: lost %d of %d, %d arrived", shape, lost, n, arrived)
		}
		if mean := sum / world.Time(arrived); mean < 60*ms || mean > 80*ms {
			t.Errorf("%s: a mean of %v instead of 70ms", shape, mean)
		}
	}
}

func TestUnknownShape(t *testing.T) {
	var l Emulator
	if err := l.Set(Setting{Jitter: ms, Shape: "square"}); err == nil {
		t.Error("there is no such model")
	}
}

func TestSteadyTroubleDoesNotAllocate(t *testing.T) {
	var l Emulator
	l.Set(Setting{Delay: 100 * ms, Jitter: 20 * ms, Shape: "exponential"})
	now, payload := world.Time(0), make([]byte, 100)
	turn := func() {
		now += ms
		l.Send(now, Out, Tag{}, payload)
		for l.Next(now) != nil {
		}
	}
	for range 5000 {
		turn()
	}
	if allocs := testing.AllocsPerRun(1000, turn); allocs > 0 {
		t.Errorf("%v allocations for a datagram", allocs)
	}
}
