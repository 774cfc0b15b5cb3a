package aos

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// wealth is how much gold there is, by whom, as their servers have it.
func wealth(w *witness) (sum int64, each map[world.ID]int64) {
	each = map[world.ID]int64{}
	for _, p := range w.rig.Session.Places {
		if n, ok := w.rig.Node(p.ID).(*server); ok {
			for o := range n.replica.state().All() {
				if n.replica.owns(o) {
					sum += o.Attr[gold]
					each[o.ID] = o.Attr[gold]
				}
			}
		}
	}
	return sum, each
}

// TestTradesAreWhole lets people on many servers trade on a network that loses messages: no gold is lost or made, and whatever
// they are told to do they do, even while they change servers.
func TestTradesAreWhole(t *testing.T) {
	for _, commit := range []bool{true, false} {
		for seed := range uint64(20) {
			t.Run(fmt.Sprintf("commit=%v/seed=%d", commit, seed), func(t *testing.T) { tradeFor(t, commit, seed) })
		}
	}
}

func tradeFor(t *testing.T, commit bool, seed uint64) {
	config := param.Default[Config]()
	config.Commit = commit
	config.Columns, config.Rows = 4, 1
	rig, err := mechanismtest.NewRig(&config, newTraders(8, 2000*fixed.One), seed)
	if err != nil {
		t.Fatal(err)
	}
	w := watch(t, rig)
	rig.Network = rough(seed, 60*world.Millisecond, 5)
	rig.Start()
	rig.Play(400)
	rig.Network = mechanismtest.Constant(10 * world.Millisecond)
	rig.Advance(20 * world.Second)
	for u := world.User(1); u <= 8; u++ {
		rig.Act(u, world.Action{Verb: verbWalk}) // to stop
	}
	rig.Advance(2 * world.Second)
	w.complete()
	sum, each := wealth(w)
	if sum != 8000 {
		t.Errorf("%d gold is left of 8000: %v", sum, each)
	}
	changed := 0
	for _, g := range each {
		if g != 1000 {
			changed++
		}
	}
	if commit && changed < 6 {
		t.Errorf("hardly anybody has traded: %v", each)
	}
	for _, p := range rig.Session.Places {
		n, ok := rig.Node(p.ID).(*server)
		if !ok {
			continue
		}
		if n.commits.active() {
			t.Errorf("area %d has %d deals and %d promises left", n.area, len(n.commits.ledger.deals), len(n.commits.ledger.promises))
		}
		for o := range n.replica.state().All() {
			if n.replica.owns(o) && o.Vel != (fixed.Vec{}) {
				t.Errorf("trader %d goes on", o.ID)
			}
		}
	}
}

// letter is a message about a deal.
type letter struct {
	from, to int
	text     []byte
}

// market is two servers whose messages about deals are in the hands of the test.
type market struct {
	t       *testing.T
	rig     *mechanismtest.Rig
	servers [2]*server
	letters []letter
	out     mechanism.Outbox
}

func newMarket(t *testing.T) *market {
	config := param.Default[Config]()
	config.Columns, config.Rows = 2, 1
	rig, err := mechanismtest.NewRig(&config, newTraders(2, 2000*fixed.One), 1)
	if err != nil {
		t.Fatal(err)
	}
	m := &market{t: t, rig: rig}
	rig.Network = mechanismtest.Constant(world.Millisecond)
	for i := range m.servers {
		m.servers[i] = rig.Node(config.servers().Of(i)).(*server)
		m.intercept(i)
	}
	rig.Start()
	return m
}

// intercept has a server's messages about deals come here.
func (m *market) intercept(i int) {
	m.servers[i].commits.say = func(_ world.Time, to int, msg []byte, _ *mechanism.Outbox) {
		m.letters = append(m.letters, letter{i, to, append([]byte(nil), msg...)})
	}
}

// kill has a server forget everything about deals that its record does not hold. What was on its way to it is lost, and what
// came from it too if it is mute: then it had written its record but sent nothing yet.
func (m *market) kill(i int, mute bool) {
	n := m.servers[i]
	schema := n.session.World.Schema()
	r := wire.NewReader(n.commits.ledger.append(nil, schema))
	l := readLedger(&r, schema, i)
	if r.Done() != nil {
		m.t.Fatal("a record cannot be read")
	}
	n.commits = newCommits(n)
	n.commits.ledger = *l
	m.intercept(i)
	kept := m.letters[:0]
	for _, x := range m.letters {
		if x.to != i && !(mute && x.from == i) {
			kept = append(kept, x)
		}
	}
	m.letters = kept
}

// deliver hands over the first message.
func (m *market) deliver() {
	x := m.letters[0]
	m.letters = m.letters[1:]
	r := wire.NewReader(x.text)
	kind := r.Byte()
	if !m.servers[x.to].commits.hear(m.rig.Now(), kind, x.from, &r, &m.out) {
		m.t.Fatalf("%x makes no sense", x.text)
	}
	m.out.Reset()
}

// TestKilledInEveryPhase has a trade between two servers, and one of them forget all but its record after each of the trade's
// messages was sent and after each was taken. Whatever comes of the trade, no gold is lost or made, and nothing stays held.
func TestKilledInEveryPhase(t *testing.T) {
	outcomes := map[int64]int{}
	for victim := range 2 {
		for phase := range 12 {
			mute := phase%2 == 1
			phase := phase / 2
			t.Run(fmt.Sprintf("server %d after %d mute=%v", victim, phase, mute), func(t *testing.T) {
				m := newMarket(t)
				m.rig.Advance(world.Second)
				m.rig.Act(1, world.Action{Verb: verbGive, Target: 2, Args: [world.MaxArgs]int64{300}})
				killed := false
				for step, taken := 0, 0; step < 400; step++ {
					m.rig.Advance(50 * world.Millisecond)
					for len(m.letters) > 0 {
						if !killed && taken == phase {
							killed = true
							m.kill(victim, mute)
							continue
						}
						m.deliver()
						taken++
						if !killed && taken == phase {
							killed = true
							m.kill(victim, mute)
						}
					}
				}
				w := &witness{t: t, rig: m.rig}
				sum, each := wealth(w)
				if sum != 2000 || each[1] != 700 && each[1] != 1000 {
					t.Errorf("the gold is %v", each)
				}
				outcomes[each[1]]++
				for _, n := range m.servers {
					if n.commits.active() {
						t.Errorf("area %d still has %d deals and %d promises", n.area, len(n.commits.ledger.deals), len(n.commits.ledger.promises))
					}
				}
			})
		}
	}
	if outcomes[700] == 0 || outcomes[1000] == 0 {
		t.Errorf("the trade came about %d times and failed %d times: not all phases were met", outcomes[700], outcomes[1000])
	}
}
