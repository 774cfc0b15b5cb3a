package zonal

import (
	"testing"

	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// Two peers hang on a third, which passes on what it gets until it begins to cheat. Those who audit it leave it for good, and are fed by somebody
// else; those who are honest are never left.
func TestCheatingParentsAreLeft(t *testing.T) {
	type cheat struct {
		delay world.Time
		drops bool
	}
	for name, cheat := range map[string]cheat{"honest": {}, "drops": {drops: true}, "delays": {delay: 900 * world.Millisecond}} {
		t.Run(name, func(t *testing.T) {
			r := lively(t, 9, func(c *Config) { c.Root, c.Degree, c.Audit = 2, 2, world.Second })
			r.Start()
			play(r, 6*world.Second)
			var bad mechanism.NodeID
			var victims []*peer
			for id := first; id < first+9; id++ {
				if n := at(r, id); len(n.children) > 0 && bad == 0 {
					bad = id
				}
			}
			for _, c := range at(r, bad).children {
				victims = append(victims, at(r, c.to))
			}
			distrusted := events(r, mechanism.Distrusted)
			r.Network = func(m mechanism.Message) (world.Time, bool) {
				if m.From == bad && passesOn(m) {
					return 15*world.Millisecond + cheat.delay, cheat.drops
				}
				return 15 * world.Millisecond, false
			}
			play(r, 10*world.Second)
			if name == "honest" {
				if len(*distrusted) > 0 {
					t.Errorf("%d honest parents were left", len(*distrusted))
				}
				return
			}
			for _, v := range victims {
				if v.seat.parent.to == bad || !v.seat.attached() || !v.audit.shuns(bad) {
					t.Errorf("node %d hangs on node %d, and shuns %v", v.id, v.seat.parent.to, v.audit.shunned)
				}
			}
		})
	}
}

// passesOn reports whether a datagram has letters in it that were passed on. Signs of life, and the writer's own letters, are no cheat's
// concern.
func passesOn(m mechanism.Message) bool {
	if len(m.Payload) == 0 || m.Payload[0] != kindPieces {
		return false
	}
	r := wire.NewReader(m.Payload[1:])
	for r.Len() > 0 {
		if piece := r.Bytes(); len(piece) > 0 && piece[0] > 0 && piece[0] < signPlan {
			return true
		}
	}
	return false
}

// A letter that reads otherwise than it was written convicts the parent at once.
func TestAlteredLettersConvict(t *testing.T) {
	r := lively(t, 3, func(c *Config) { c.Root, c.Degree, c.Audit = 1, 1, world.Second })
	down := chain(t, r, 3)
	victim := down[2]
	distrusted := events(r, mechanism.Distrusted)
	for range 100 {
		r.Play(1)
		if all, ok := victim.mail.marks.get(down[0].id); ok {
			for i := range all {
				all[i].sum = 0 // as if each had been altered on its way
			}
		}
		if len(*distrusted) > 0 {
			break
		}
	}
	if len(*distrusted) == 0 || (*distrusted)[0].Value != int64(down[1].id) {
		t.Errorf("%v", *distrusted)
	}
}

// Where everybody passes things on wrongly, whichever way, those who audit their parents leave them, and the hybrid node no longer proposes who
// was left by several.
func TestCrooksAreFoundOut(t *testing.T) {
	for _, how := range []string{"drop", "delay", "alter"} {
		t.Run(how, func(t *testing.T) {
			r := lively(t, 9, func(c *Config) { c.Root, c.Degree, c.Audit, c.Cheats, c.Cheat = 2, 2, world.Second, fixed.One, how })
			r.Start()
			distrusted := events(r, mechanism.Distrusted)
			play(r, 12*world.Second)
			left := map[int64]bool{}
			for _, e := range *distrusted {
				left[e.Value] = true
			}
			if len(left) < 2 {
				t.Fatalf("%d were left", len(left))
			}
			root, refused := r.Node(1).(*hybrid), 0
			for id := range left {
				if a, _ := root.accused.get(mechanism.NodeID(id)); a.more {
					refused++
					if root.lively(mechanism.NodeID(id)) {
						t.Errorf("node %d is proposed although several have left it", id)
					}
				}
			}
			if refused == 0 {
				t.Error("nobody was left by two")
			}
		})
	}
}

// Nobody accuses in a world without audits, twice in one's own name, or without being in the tree.
func TestAccusationsNeedTwo(t *testing.T) {
	r := lively(t, 4, func(c *Config) { c.Audit = world.Second })
	r.Start()
	play(r, 2*world.Second)
	root, bad := r.Node(1).(*hybrid), first
	root.receiveAccuse(first+1, bad)
	root.receiveAccuse(first+1, bad)
	root.receiveAccuse(first+100, bad)
	if a, _ := root.accused.get(bad); a.more || a.by != first+1 {
		t.Errorf("%+v", a)
	}
	root.receiveAccuse(first+2, bad)
	if a, _ := root.accused.get(bad); !a.more {
		t.Error("two accusers are not enough")
	}
}

// A peer that tells of what others answer for, or says that it is gone, is not believed: only they, and hybrid nodes, are.
func TestOnlyWhoAnswersIsBelieved(t *testing.T) {
	r := lively(t, 3, nil)
	r.Start()
	play(r, 3*world.Second)
	n := at(r, first)
	var theirs world.Object
	for o := range n.state.All() {
		if o.User == 2 {
			theirs = *o
		}
	}
	for i, by := range []world.User{1, 3, 2, anybody} {
		o := theirs
		o.Pos.X += fixed.One
		if got, believed := n.take(r.Now()+world.Second*world.Time(1+i), 0, &o, by, world.Second), by == 2 || by == anybody; got != believed {
			t.Errorf("user %d is believed: %v", by, got)
		}
	}
	n.lose(r.Now()+20*world.Second, 0, theirs.ID, 3, world.Second)
	if n.state.Get(theirs.ID) == nil {
		t.Error("a stranger has removed it")
	}
	n.lose(r.Now()+20*world.Second, 0, theirs.ID, 2, world.Second)
	if n.state.Get(theirs.ID) != nil {
		t.Error("its owner has not removed it")
	}
}
