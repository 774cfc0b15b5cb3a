package zonal

import (
	"testing"

	"throng/mechanism"
	"throng/world"
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
