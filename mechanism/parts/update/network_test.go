package update

import (
	"testing"

	"pgregory.net/rapid"

	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
)

// Whatever is lost, repeated or overtaken on the way: every datagram that is taken is understood, and once the network has
// recovered the receiver has just what it is to have, and nothing more is sent. What it has in between has been so.
func TestAnyNetwork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPair()
		p.most = rapid.IntRange(200, 400).Draw(t, "datagram")
		fail := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		id := func() world.ID { return world.ID(rapid.IntRange(1, ids).Draw(t, "id")) }
		steps := map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				o := ball(id(), rapid.Int64Range(0, 1<<30).Draw(t, "x"), rapid.Int64Range(0, 1<<20).Draw(t, "y"))
				o.User = world.User(rapid.SampledFrom([]int{0, 0, 3, 7}).Draw(t, "user"))
				if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
					o.Kind, o.Pos = 1, fixed.Vec{}
					o.Attr[0] = rapid.Int64Range(0, 1<<40).Draw(t, "text")
				}
				p.put(o, rapid.Uint32Range(0, 100).Draw(t, "action"))
			},
			"remove": func(t *rapid.T) { p.remove(id()) },
			"enter": func(t *rapid.T) {
				id := id()
				_, in := p.handles[id]
				if _, is := p.objects[id]; is && !in {
					p.enter(id)
				}
			},
			"leave": func(t *rapid.T) {
				id := id()
				if _, in := p.handles[id]; in {
					p.leave(id)
				}
			},
			"watch":  func(t *rapid.T) { p.sender.Watch([]world.ID{id(), id(), id()}) },
			"gather": func(t *rapid.T) { p.gather() },
			"scatter": func(t *rapid.T) {
				if rapid.Bool().Draw(t, "really") {
					p.scatter()
				}
			},
			"send":   func(t *rapid.T) { p.send() },
			"report": func(t *rapid.T) { p.report() },
			"deliver": func(t *rapid.T) {
				if len(p.down) == 0 {
					return
				}
				i := rapid.IntRange(0, len(p.down)-1).Draw(t, "which")
				if rapid.IntRange(0, 3).Draw(t, "lost") > 0 {
					fail(p.receive(p.down[i]))
				}
				if rapid.IntRange(0, 4).Draw(t, "again") > 0 {
					p.down = append(p.down[:i:i], p.down[i+1:]...)
				}
			},
			"confirm": func(t *rapid.T) {
				if len(p.up) == 0 {
					return
				}
				i := rapid.IntRange(0, len(p.up)-1).Draw(t, "which")
				fail(p.confirm(p.up[i]))
				if rapid.Bool().Draw(t, "keep") {
					p.up = append(p.up[:i:i], p.up[i+1:]...)
				}
			},
		}
		t.Repeat(steps)
		// Those that no longer exist are taken out, as interest would; then all is delivered.
		for id := world.ID(1); id <= ids; id++ {
			if _, in := p.handles[id]; in && p.objects[id] == nil {
				p.leave(id)
			}
		}
		for range 40 {
			p.send()
			fail(p.flush())
		}
		fail(p.check())
		if n := p.send(); n != 0 {
			t.Fatalf("%d items are sent though nothing has changed", n)
		}
	})
}

// The same over a long time with everything moving, so that receipts and datagrams are as far apart as they can get: on a
// network that holds things back for up to a minute's worth of updates and loses many, in either direction.
func TestLongRoughNetwork(t *testing.T) {
	for _, c := range []struct {
		name             string
		held             uint64 // how many rounds a message is held back, at most
		lostDown, lostUp uint64 // percent
		crowded, watched bool
	}{
		{name: "overtaking", held: 6},
		{name: "far overtaking", held: 60, lostDown: 10, lostUp: 10},
		{name: "receipts lost", held: 3, lostUp: 95},
		{name: "updates lost", held: 3, lostDown: 60, lostUp: 20},
		{name: "crowd", held: 20, lostDown: 20, lostUp: 50, crowded: true},
		{name: "watched crowd", held: 20, lostDown: 20, lostUp: 50, crowded: true, watched: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := random.New(1, c.name)
			p := newPair()
			if c.crowded {
				p.gather()
			}
			for id := world.ID(1); id <= ids; id++ {
				p.put(ball(id, int64(id)<<24, 0), 0)
				p.enter(id)
			}
			down, up := map[int][][]byte{}, map[int][][]byte{}
			post := func(mail map[int][][]byte, round int, messages [][]byte, lost uint64) {
				for _, m := range messages {
					if r.Below(100) >= lost {
						at := round + 1 + int(r.Below(c.held))
						mail[at] = append(mail[at], m)
					}
				}
			}
			shown := 0
			for round := range 3000 {
				for id := world.ID(1); id <= ids; id++ {
					if o := p.objects[id]; o != nil && r.Below(3) > 0 {
						p.put(ball(id, int64(o.Pos.X)+int64(r.Below(1<<20)), int64(r.Below(1<<28))), o.action+1)
					}
				}
				churn(p, &r)
				if c.watched {
					p.sender.Watch([]world.ID{1 + world.ID(r.Below(ids)), 1 + world.ID(r.Below(ids)), 1 + world.ID(r.Below(ids))})
				}
				p.send()
				post(down, round, p.down, c.lostDown)
				for _, m := range down[round] {
					if err := p.receive(m); err != nil {
						t.Fatalf("round %d: %v", round, err)
					}
					shown++
				}
				p.report()
				post(up, round, p.up, c.lostUp)
				for _, m := range up[round] {
					if err := p.confirm(m); err != nil {
						t.Fatalf("round %d: %v", round, err)
					}
				}
				p.down, p.up = p.down[:0], p.up[:0]
				delete(down, round)
				delete(up, round)
			}
			if shown < 100 {
				t.Errorf("only %d datagrams came through", shown)
			}
			for range 40 {
				p.send()
				if err := p.flush(); err != nil {
					t.Fatal(err)
				}
			}
			if err := p.check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// churn now and then removes something, brings it back, or has it enter and leave.
func churn(p *pair, r *random.Stream) {
	id := world.ID(1 + r.Below(ids))
	_, in := p.handles[id]
	switch r.Below(20) {
	case 0:
		p.remove(id)
		if in {
			p.leave(id)
		}
	case 1:
		if p.objects[id] == nil {
			p.put(ball(id, 0, 0), 0)
		}
	case 2, 3:
		if in {
			p.leave(id)
		} else if p.objects[id] != nil {
			p.enter(id)
		}
	}
}
