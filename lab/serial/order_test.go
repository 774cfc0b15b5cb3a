package serial

import (
	"strings"
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
	"throng/world/fixed"
)

// table is an order of marbles, with a witness for a server and one for a client.
type table struct {
	*Order
	world          world.World
	state          *world.State // the start
	server, client mechanism.Witness
}

func newTable() *table {
	w := mechanismtest.Marbles(2)
	s := world.NewState(w.Schema(), 1)
	w.Populate(s)
	o := New(w, s)
	return &table{Order: o, world: w, state: s, server: o.Witness(1), client: o.Witness(2)}
}

// push places a push of a marble by its user.
func (x *table) push(position uint64, u world.User) {
	d := mechanism.Entry{Action: world.Action{User: u, Seq: 1, Args: [world.MaxArgs]int64{int64(fixed.One)}}}
	d.Footprint.Write(world.ID(u))
	x.server.Placed(position, &d)
}

// pushed is the marble of a user who has pushed it so often.
func (x *table) pushed(u world.User, times int64) *world.Object {
	o := *x.state.Get(world.ID(u))
	o.Vel.X = fixed.FromInt(times)
	return &o
}

func TestWhatFollowsFromTheOrderStands(t *testing.T) {
	x := newTable()
	x.push(1, 1)
	x.push(2, 1)
	x.client.Held(2, 1, x.pushed(1, 2)) // before it is settled
	x.server.Settled(2)
	x.client.Held(0, 1, x.pushed(1, 0)) // and after
	x.client.Held(1, 1, x.pushed(1, 1))
	x.client.Held(1, 2, x.pushed(2, 0))
	x.client.Held(2, 99, nil)
	if err := x.Verdict(); err != nil || x.Checked() != 5 {
		t.Errorf("after %d comparisons: %v", x.Checked(), err)
	}
}

func TestContradictionsAreFound(t *testing.T) {
	for name, test := range map[string]struct {
		want string
		hold func(x *table)
	}{
		"a value too old":     {"another", func(x *table) { x.client.Held(2, 1, x.pushed(1, 1)) }},
		"a value too new":     {"another", func(x *table) { x.client.Held(1, 1, x.pushed(1, 2)) }},
		"one that is missing": {"exists there", func(x *table) { x.client.Held(1, 1, nil) }},
		"one that is not":     {"does not exist", func(x *table) { x.client.Held(1, 77, &world.Object{ID: 77}) }},
		"a place to come":     {"nothing stands", func(x *table) { x.client.Held(9, 1, x.pushed(1, 2)) }},
	} {
		x := newTable()
		x.push(1, 1)
		x.push(2, 1)
		test.hold(x)
		if err := x.Verdict(); err == nil || !strings.Contains(err.Error(), test.want) || x.Violations() != 1 {
			t.Errorf("%s: %v, %d violations", name, err, x.Violations())
		}
	}
}

func TestWhatIsVoidIsExcusedToTheDeadAlone(t *testing.T) {
	for _, dead := range []bool{true, false} {
		x := newTable()
		x.push(1, 1)
		x.push(2, 2)
		x.client.Held(1, 1, x.pushed(1, 1))
		if dead {
			x.Gone(x.client)
		}
		x.server.Voided(1)
		x.server.Settled(2)
		x.server.Held(2, 1, x.pushed(1, 0))
		x.server.Held(2, 2, x.pushed(2, 1))
		if err := x.Verdict(); (err == nil) != dead {
			t.Errorf("dead: %v, verdict: %v", dead, err)
		}
	}
}

func TestAnEntrySeesItsFootprintOnly(t *testing.T) {
	x := newTable()
	d := mechanism.Entry{Action: world.Action{User: 1, Target: 2, Args: [world.MaxArgs]int64{int64(fixed.One)}}}
	d.Footprint.Read(2) // but it does not say that it writes it
	x.server.Placed(1, &d)
	x.client.Held(1, 2, x.pushed(2, 0))
	d = mechanism.Entry{Action: d.Action, Whole: true, Tick: 3}
	x.server.Placed(2, &d)
	x.client.Held(2, 2, x.pushed(2, 1))
	if err := x.Verdict(); err != nil {
		t.Error(err)
	}
}

func TestTimePassesForWhatAnEntryWrites(t *testing.T) {
	x := newTable()
	x.push(1, 1)
	x.push(2, 2)
	d := mechanism.Entry{Steps: 1, Tick: 5}
	d.Footprint.Write(1)
	x.server.Placed(3, &d)
	rolled := x.pushed(1, 1)
	world.Drift(rolled, x.world.Schema().Tick)
	rolled.Vel.X = 0 // friction
	x.client.Held(3, 1, rolled)
	x.client.Held(3, 2, x.pushed(2, 1))
	if err := x.Verdict(); err != nil {
		t.Error(err)
	}
}
