package cluster

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// layout has a server and six users.
func layout() []mechanism.Place {
	places := []mechanism.Place{{ID: 1, Role: "server"}}
	for u := range world.User(6) {
		places = append(places, mechanism.Place{ID: mechanism.NodeID(u + 2), User: u + 1, Role: "client"})
	}
	return places
}

func founded(n int) *directory {
	f := founding{description: []byte("{}"), key: []byte("key"), grace: world.Second, wanted: n}
	for i := range n {
		f.processes = append(f.processes, process{number: uint32(i + 1), instance: uint64(i + 100), address: fmt.Sprint("a", i)})
	}
	return newDirectory(f, layout())
}

// check says what of a directory cannot be.
func (d *directory) check() error {
	for _, p := range d.places {
		if h := d.holds[p.ID]; p.User != 0 && (h == nil || h.user != p.User) {
			return fmt.Errorf("nobody has the place of user %d", p.User)
		}
	}
	for id, h := range d.holds {
		if h.node != id {
			return fmt.Errorf("node %d is told to be %d", id, h.node)
		}
		if h.process != 0 && d.processes[h.process] == nil {
			return fmt.Errorf("node %d is with process %d, which is gone", id, h.process)
		}
		if h.process == 0 && h.seat == (seatID{}) && len(d.processes) > 0 && d.idlest() != 0 {
			return fmt.Errorf("nobody plays for node %d, though nobody may come back to it", id)
		}
		if h.seat != (seatID{}) && d.seats[h.seat] != id {
			return fmt.Errorf("the seat of node %d is not found", id)
		}
	}
	return nil
}

// drawCommand draws something that processes may say, sensible or not.
func drawCommand(t *rapid.T, d *directory) []byte {
	number := func() uint64 { return rapid.Uint64Range(0, uint64(d.last)+1).Draw(t, "process") }
	seat := func() seatID { return seatID{byte(rapid.IntRange(0, 4).Draw(t, "seat"))} }
	node := func() uint64 { return rapid.Uint64Range(1, 9).Draw(t, "node") }
	switch rapid.IntRange(commandJoin, commandExpire).Draw(t, "command") {
	case commandJoin:
		return appendProcess([]byte{commandJoin}, &process{instance: rapid.Uint64Range(1, 1000).Draw(t, "instance")})
	case commandBegun:
		return wire.AppendUint([]byte{commandBegun}, number())
	case commandBack:
		return appendProcess([]byte{commandBack}, &process{number: uint32(max(1, number())), instance: rapid.Uint64Range(1, 1000).Draw(t, "instance")})
	case commandGone:
		return append(wire.AppendUint([]byte{commandGone}, number()), byte(rapid.IntRange(0, 1).Draw(t, "left")))
	case commandDrain:
		return wire.AppendUint([]byte{commandDrain}, number())
	case commandTake:
		n := node()
		user := world.User(n - 1)
		if n == 1 || n > 7 {
			user = world.User(n)
		}
		s := seat()
		s[1] = 1 // nobody takes a place without one
		return appendHold([]byte{commandTake}, &hold{node: mechanism.NodeID(n), user: user, epoch: 3, process: uint32(number()), seat: s})
	case commandLeave:
		s := seat()
		s[1] = 1
		return append(wire.AppendUint(wire.AppendUint([]byte{commandLeave}, number()), node()), s[:]...)
	default:
		s := seat()
		s[1] = 1
		return append([]byte{commandExpire}, s[:]...)
	}
}

// Whatever processes say, in whatever order, every place has somebody who sees to it; what moves is told, with higher epochs; and a
// copy that is made of a snapshot goes on as the original does.
func TestDirectoryKeepsEveryPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := founded(rapid.IntRange(1, 4).Draw(t, "founders"))
		for i := range rapid.IntRange(1, 40).Draw(t, "commands") {
			command := drawCommand(t, d)
			text := d.append(nil)
			r := wire.NewReader(text)
			twin, err := readDirectory(&r, layout())
			if err != nil || r.Done() != nil {
				t.Fatalf("a snapshot cannot be read: %v", err)
			}
			before := map[mechanism.NodeID]hold{}
			for id, h := range d.holds {
				before[id] = *h
			}
			reply, moves, err := d.apply(command, world.Time(i))
			again, twinMoves, twinErr := twin.apply(command, world.Time(i))
			if !bytes.Equal(reply, again) || fmt.Sprint(moves, err) != fmt.Sprint(twinMoves, twinErr) || !bytes.Equal(d.append(nil), twin.append(nil)) {
				t.Fatalf("a copy differs after %v", command)
			}
			if err := d.check(); err != nil {
				t.Fatalf("after %v: %v", command, err)
			}
			told := map[mechanism.NodeID]bool{}
			for _, m := range moves {
				told[m.duty.Node] = true
				if was := before[m.duty.Node]; !m.claimed && m.duty.Epoch <= was.epoch {
					t.Fatalf("node %d goes on with epoch %d after %d", m.duty.Node, m.duty.Epoch, was.epoch)
				}
			}
			for id, was := range before {
				if h := d.holds[id]; h != nil && h.process != was.process && h.process != 0 && !told[id] {
					t.Fatalf("nobody is told that node %d has moved from %d to %d", id, was.process, h.process)
				}
			}
		}
	})
}

func TestSharesAreFair(t *testing.T) {
	d := founded(2)
	count := func(number uint32) int { return len(d.artificial(number)) }
	if count(1) != 3 || count(2) != 3 {
		t.Errorf("founders have %d and %d", count(1), count(2))
	}
	number := d.join(process{instance: 7})
	if count(3) != 0 {
		t.Errorf("one that does not run yet has %d", count(3))
	}
	if d.gone(99, false, 5); d.idlest() == number {
		t.Error("one that does not run yet would be given what others leave")
	}
	moves := d.begun(number)
	if number != 3 || len(moves) != 2 || count(1) != 2 || count(2) != 2 || count(3) != 2 {
		t.Errorf("process %d: %d moves, then %d, %d and %d", number, len(moves), count(1), count(2), count(3))
	}
	if again := d.join(process{instance: 7}); again != 3 || d.begun(3) != nil {
		t.Errorf("who asks again becomes process %d", again)
	}
	if d.gone(1, false, 5); count(2) != 3 || count(3) != 3 {
		t.Errorf("after a death %d and %d", count(2), count(3))
	}
}

// A person goes on in the same place with the same epoch through another process, whether the first has died or not; one who
// does not come back in time makes room.
func TestSeatsGoFromProcessToProcess(t *testing.T) {
	d := founded(3)
	seat := seatID{1}
	want := hold{node: 4, user: 3, epoch: 2, process: 2, seat: seat, name: "Ada"}
	take := func(process uint32) ([]move, error) { w := want; w.process = process; return d.take(w) }
	if _, err := take(1); err == nil {
		t.Error("a process has taken a place that another one plays for")
	}
	if _, err := take(2); err != nil {
		t.Fatal(err)
	}
	moves, err := take(3)
	if err != nil || len(moves) != 1 || moves[0].from != 2 || moves[0].to != 3 || !moves[0].claimed || moves[0].duty.Epoch != 2 {
		t.Errorf("come back through another process: %v, %v", moves, err)
	}
	d.leave(2, 4, seat) // what the first still says counts no more
	if moves := d.gone(3, false, 10); len(moves) != 2 || d.holds[4].process != 0 {
		t.Errorf("after the death of the process: %v, %+v", moves, d.holds[4])
	}
	if len(d.expired(9)) != 0 || len(d.expired(10)) != 1 {
		t.Error("the seat is kept for another time than it should be")
	}
	if moves, err := take(1); err != nil || d.holds[4].process != 1 || len(moves) != 1 {
		t.Errorf("back in time: %v", err)
	}
	d.gone(1, false, 20)
	if moves := d.expire(seat); len(moves) != 1 || moves[0].to != 2 || moves[0].claimed || moves[0].duty.Epoch <= 2 {
		t.Errorf("not back in time: %v", moves)
	}
	if _, err := take(2); err == nil && d.holds[4].epoch != 2 {
		t.Error("an epoch is higher than what was asked for")
	}
}

func TestUsersNumbersAreNobodyElses(t *testing.T) {
	d := founded(2)
	first, last, err := d.span(1)
	next, _, err2 := d.span(2)
	if err != nil || err2 != nil || first != 7 || next != last+1 {
		t.Errorf("%d to %d, then from %d: %v, %v", first, last, next, err, err2)
	}
	if _, err := d.take(hold{node: 20, user: first + 4, process: 1, seat: seatID{1}}); err != nil {
		t.Fatal(err)
	}
	if after, _, _ := d.span(1); after != first+5 {
		t.Errorf("a process that comes back would admit user %d again", after)
	}
	if _, _, err := d.span(1 << 20); err == nil {
		t.Error("there are more users than numbers")
	}
}
