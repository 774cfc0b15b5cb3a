package optimistic

import (
	"bytes"
	"reflect"
	"testing"

	"pgregory.net/rapid"
	"throng/world"
	"throng/world/wire"
)

// drawNews draws anything that can be told of an action.
func drawNews(t *rapid.T) news {
	x := news{
		tick: world.Tick(rapid.Int64Range(0, tickMax).Draw(t, "tick")),
		old:  rapid.Bool().Draw(t, "old"),
		action: world.Action{
			User:   world.User(rapid.Uint32().Draw(t, "user")),
			Seq:    rapid.Uint32().Draw(t, "seq"),
			Verb:   world.VerbID(rapid.Byte().Draw(t, "verb")),
			Target: world.ID(rapid.Uint64().Draw(t, "target")),
		},
	}
	for i := range x.action.Args {
		x.action.Args[i] = rapid.Int64().Draw(t, "arg")
	}
	if x.old {
		x.epoch = rapid.Uint32().Draw(t, "epoch")
	}
	return x
}

func drawRuns(t *rapid.T, label string) []run {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) run {
		from := rapid.Uint32().Draw(t, "from")
		return run{rapid.Uint32().Draw(t, "epoch"), from, rapid.Uint32Min(from).Draw(t, "to")}
	}), 0, runsMax).Draw(t, label)
}

func TestWireRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawNews(t)
		if got, err := readNews(x.append(nil)); err != nil || got != x {
			t.Fatalf("%+v came back as %+v (%v)", x, got, err)
		}
		c := comparison{
			answer: rapid.Bool().Draw(t, "answer"),
			epoch:  rapid.Uint32().Draw(t, "sender"),
			yours:  rapid.Uint32().Draw(t, "receiver"),
			first:  world.Tick(rapid.Int64Range(0, tickMax).Draw(t, "first")),
			mine:   drawRuns(t, "mine"),
			theirs: drawRuns(t, "theirs"),
		}
		r := wire.NewReader(c.append(nil))
		if got, err := readComparison(r.Byte(), &r); err != nil || !reflect.DeepEqual(got, c) {
			t.Fatalf("%+v came back as %+v (%v)", c, got, err)
		}
	})
}

// FuzzWire reads anything. What can be read must say the same when written again.
func FuzzWire(f *testing.F) {
	a := write(7)
	a.User, a.Seq, a.Target = 1, 300, 1<<40
	f.Add(appendNews(1000, &a))
	f.Add((&news{tick: 3, action: a, epoch: 2, old: true}).append(nil))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, message []byte) {
		x, err := readNews(message)
		if err != nil {
			return
		}
		again := x.append(nil)
		if len(again) > len(message) || len(again) == len(message) && !bytes.Equal(again, message) {
			t.Fatalf("%x reads as %+v, which is written %x", message, x, again)
		}
		if y, err := readNews(again); err != nil || y != x {
			t.Fatalf("%+v came back as %+v (%v)", x, y, err)
		}
	})
}
