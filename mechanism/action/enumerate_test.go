package action

import (
	"fmt"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// smallCase is a case so small that everything that can happen in it is tried: its users' actions are all taken at the start,
// and every datagram may arrive before or after every other.
type smallCase struct {
	name    string
	users   world.User
	actions []world.Action // with their users
	crash   bool           // the first user's client may crash at any moment
}

func mixes(u world.User, reads, writes int64) world.Action {
	return world.Action{User: u, Verb: mix, Args: [world.MaxArgs]int64{reads, writes, int64(u)}}
}

var smallCases = []smallCase{
	{"two write the same", 2, []world.Action{mixes(1, 0b11, 0b01), mixes(2, 0b11, 0b01)}, false},
	{"a chain of three", 3, []world.Action{mixes(1, 0b001, 0b001), mixes(2, 0b011, 0b010), mixes(3, 0b110, 0b100)}, false},
	{"one acts twice", 2, []world.Action{mixes(1, 0b11, 0b01), mixes(1, 0b11, 0b10), mixes(2, 0b11, 0b11)}, false},
	{"one reads what another writes next", 2, []world.Action{mixes(1, 0b11, 0b10), mixes(2, 0b01, 0b01), mixes(2, 0b10, 0b10)}, false},
	{"one crashes", 2, []world.Action{mixes(1, 0b11, 0b01), mixes(2, 0b11, 0b11)}, true},
	{"one crashes that another depends on twice", 2, []world.Action{mixes(2, 0b01, 0b01), mixes(1, 0b11, 0b11), mixes(2, 0b10, 0b10)}, true},
}

// path is one way through a case: what was chosen among how many, one after the other.
type path struct {
	chosen, among []int
	depth         int
}

// choose picks one of n ways to go on: as before on the way there, and the first where nothing was chosen yet.
func (p *path) choose(n int) int {
	if p.depth == len(p.chosen) {
		p.chosen, p.among = append(p.chosen, 0), append(p.among, n)
	}
	p.depth++
	return p.chosen[p.depth-1]
}

// next turns to a way that was not gone yet, and reports whether there is one.
func (p *path) next() bool {
	p.depth = 0
	for n := len(p.chosen) - 1; n >= 0; n-- {
		if p.chosen[n]+1 < p.among[n] {
			p.chosen[n]++
			p.chosen, p.among = p.chosen[:n+1], p.among[:n+1]
			return true
		}
	}
	return false
}

// follow runs a case along a path.
func (x *smallCase) follow(config Config, p *path) error {
	w := newTangle(x.users, 3)
	w.still = true
	c := &court{Config: &config}
	r, err := mechanismtest.NewRig(c, w, 1)
	if err != nil {
		return err
	}
	r.Start()
	for len(r.Flights()) > 0 {
		r.Drop(0) // nobody looks
	}
	for _, a := range x.actions {
		r.Act(a.User, a)
	}
	victim, alive, early := c.Admit(1).ID, true, 1
	if x.crash || x.users > 2 {
		early = 0 // else there are too many ways
	}
	for {
		options := passReceipts(r)
		n := len(options)
		push := serverOf(r).protocol.next()
		hurried := push != world.Never && (early > 0 || n == 0) // it may go before all else has arrived
		if hurried {
			n++
		}
		if n == 0 {
			break
		}
		if x.crash && alive {
			n++
		}
		switch k := p.choose(n); {
		case k < len(options):
			r.Deliver(options[k])
		case k == len(options) && hurried:
			r.Advance(max(push-r.Now(), 0))
			early--
		default:
			c.gone(victim)
			r.Leave(victim)
			alive = false
		}
	}
	return x.check(r, c, alive)
}

// passReceipts delivers what only acknowledges, which changes nothing but what is repeated, and lists what else is in flight.
func passReceipts(r *mechanismtest.Rig) (others []int) {
	for i := 0; i < len(r.Flights()); {
		if r.Flights()[i].Class == mechanism.Receipt {
			r.Deliver(i)
			continue
		}
		others = append(others, i)
		i++
	}
	return others
}

// check says what is wrong at the end. A crash has to be found out first, and then completed by others.
func (x *smallCase) check(r *mechanismtest.Rig, c *court, alive bool) error {
	if !alive {
		r.Network = mechanismtest.Constant(ms)
		r.Advance(3 * c.Patience)
	}
	o := &serverOf(r).order
	for u := world.User(1); u <= x.users; u++ {
		if n, ok := r.Node(c.Admit(u).ID).(*client); ok && n != nil && len(n.pending.entries) > 0 {
			return fmt.Errorf("user %d waits for %d entries", u, len(n.pending.entries))
		}
	}
	if o.installed+1 != o.next {
		return fmt.Errorf("%d of %d entries are installed", o.installed, o.next-1)
	}
	return c.order.Verdict()
}

// TestAllOrders tries all orders in which datagrams can arrive in small cases.
func TestAllOrders(t *testing.T) {
	const most = 50_000
	for _, x := range smallCases {
		if testing.Short() && len(x.actions) > 2 {
			continue
		}
		for _, protocol := range protocols {
			for _, completion := range []string{Owner, All} {
				t.Run(fmt.Sprintf("%s/%s/%s", x.name, protocol, completion), func(t *testing.T) {
					config := param.Default[Config]()
					config.Protocol, config.Completion, config.Threshold = protocol, completion, 1000*fixed.One
					config.Look, config.Patience, config.Link.Timeout = 500*ms, world.Second, world.Minute // nothing is repeated
					var p path
					runs := 0
					for more := true; more; more = p.next() {
						if err := x.follow(config, &p); err != nil {
							t.Fatalf("way %v: %v", p.chosen, err)
						}
						if runs++; runs > most {
							t.Fatalf("more than %d ways", most)
						}
					}
					t.Logf("%d ways", runs)
				})
			}
		}
	}
}
