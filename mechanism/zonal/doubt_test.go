package zonal

import (
	"slices"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// silences notes for how long each peer hears nothing of each user that stays.
type silences struct {
	from mechanism.NodeID // users of nodes up to this one are gone
	last map[[2]uint32]world.Time
	gaps map[[2]uint32]world.Time
}

func (s *silences) watch(r *mechanismtest.Rig) {
	s.last, s.gaps = map[[2]uint32]world.Time{}, map[[2]uint32]world.Time{}
	r.Observe = func(c *mechanismtest.Call) {
		for _, e := range c.Out.Events() {
			if e.Name != mechanism.Shown || c.Node <= s.from || mechanism.NodeID(e.User)+first-1 <= s.from {
				continue
			}
			pair := [2]uint32{uint32(c.Node), uint32(e.User)}
			if last, ok := s.last[pair]; ok {
				s.gaps[pair] = max(s.gaps[pair], r.Now()-last)
			}
			s.last[pair] = r.Now()
		}
	}
}

// all are the silences that end, and the ones that have not, at a time.
func (s *silences) all(now world.Time) (gaps []world.Time) {
	for pair, last := range s.last {
		gaps = append(gaps, max(s.gaps[pair], now-last))
	}
	slices.Sort(gaps)
	return gaps
}

// Half of a tree vanishes, or says goodbye: 99% of those who stay hear again of each of the others within a second, although the crashed
// are given up after two or three.
func TestHalfOfATreeIsGone(t *testing.T) {
	for name, leave := range map[string]func(*mechanismtest.Rig, mechanism.NodeID){
		"goodbye": (*mechanismtest.Rig).Bid,
		"crash":   (*mechanismtest.Rig).Leave,
	} {
		t.Run(name, func(t *testing.T) {
			const users = 60
			r := lively(t, users, func(c *Config) { c.Root, c.Degree = 3, 2 })
			r.Start()
			play(r, 8*world.Second)
			s := silences{from: first + users/2 - 1}
			s.watch(r)
			play(r, world.Second)
			for id := first; id <= s.from; id++ {
				leave(r, id)
			}
			play(r, 8*world.Second)
			gaps := s.all(r.Now())
			if len(gaps) != users/2*(users/2-1) {
				t.Fatalf("%d pairs have heard of each other", len(gaps))
			}
			if got := gaps[len(gaps)*99/100]; got > world.Second {
				t.Errorf("99%% hear of each other again after %v, the last after %v", got, gaps[len(gaps)-1])
			}
		})
	}
}

// A parent that is silent is doubted at once and given up later; when it speaks again the hybrid node is no longer asked to stand in for it.
func TestDoubt(t *testing.T) {
	r := lively(t, 3, func(c *Config) { c.Root, c.Degree = 1, 1 })
	down := chain(t, r, 3)
	orphan := down[1]
	deaf := true
	r.Network = func(m mechanism.Message) (world.Time, bool) {
		return 15 * world.Millisecond, deaf && (m.From == down[0].id && m.To == orphan.id || m.To == down[0].id && m.From == orphan.id)
	}
	play(r, 500*world.Millisecond)
	if !orphan.seat.attached() || !orphan.seat.doubted || len(orphan.views) != 1 {
		t.Errorf("after half a second: attached %v, doubted %v, %d views", orphan.seat.attached(), orphan.seat.doubted, len(orphan.views))
	}
	if heard := r.Now() - lastHeard(down[2], down[0]); heard > 300*world.Millisecond {
		t.Errorf("whoever hangs on it has heard nothing of the others for %v", heard)
	}
	if heard := r.Now() - lastHeard(down[0], down[2]); heard > 300*world.Millisecond {
		t.Errorf("the others have heard nothing of those who hang on it for %v", heard)
	}
	deaf = false
	play(r, 500*world.Millisecond)
	if orphan.seat.parent.to != down[0].id || orphan.seat.doubted || len(orphan.views) != 0 {
		t.Errorf("afterwards: parent %d, doubted %v, %d views", orphan.seat.parent.to, orphan.seat.doubted, len(orphan.views))
	}
}

// Who says goodbye in the name of one who has vanished knows nothing of that one's things. They are gone all the same.
func TestGoodbyesInTheNameOfOthers(t *testing.T) {
	r := lively(t, 4, nil)
	r.Start()
	play(r, 3*world.Second)
	gone := first + 1
	r.Leave(gone)
	play(r, 100*world.Millisecond)
	if err := r.Join(gone); err != nil {
		t.Fatal(err)
	}
	r.Bid(gone)
	play(r, 300*world.Millisecond)
	for _, id := range []mechanism.NodeID{first, first + 2, first + 3} {
		if world.Present(at(r, id).state, world.User(gone-first+1)) {
			t.Errorf("node %d still shows what was the user's", id)
		}
	}
}

// lastHeard is when a peer last heard of another.
func lastHeard(n, of *peer) world.Time {
	p, _ := n.mail.posts.get(of.id)
	return p.heard
}
