package aos

import (
	"cmp"
	"slices"

	"throng/world"
	"throng/world/fixed"
)

// detail decides how often the states of objects are sent to a user: what is worth most each tick, and what is around an
// object that the user has just given a command; the rest now and then, each at its own time, so that the load is even.
type detail struct {
	config  *Config
	replica *replica
	period  world.Tick
	top     world.Set
	ranked  world.Tick // when top was last found, or before the start
	focuses []focus
	near    map[attention]bool // what is around a focus of whom
	index   *world.Index
	sight   fixed.F
	looked  world.Tick
	ranks   []ranked
}

// focus is an object that was given a command.
type focus struct {
	attention
	until world.Tick
}

// attention is a user's for an object.
type attention struct {
	user world.User
	id   world.ID
}

type ranked struct {
	id     world.ID
	value  int64
	chance uint64 // decides between equals
}

func newDetail(c *Config, r *replica) *detail {
	d := &detail{
		config: c, replica: r,
		period: world.Tick(max(fixed.One.Div(c.Frequency).Round(), 1)),
		ranked: -1,
		near:   map[attention]bool{},
		sight:  r.plan.Reach,
	}
	if l, ok := r.world.(world.Limited); ok {
		d.sight = min(d.sight, l.Limits().Sight)
	}
	d.index = world.NewIndex(d.sight)
	return d
}

// attend takes note of a user's command to an object.
func (d *detail) attend(u world.User, id world.ID, now world.Tick) {
	if id == 0 || d.config.Focus == 0 {
		return
	}
	f := focus{attention{u, id}, now + world.Tick(d.config.Focus)}
	if i := slices.IndexFunc(d.focuses, func(x focus) bool { return x.attention == f.attention }); i >= 0 {
		d.focuses[i] = f
		return
	}
	d.focuses = append(d.focuses, f)
}

// due reports whether an object is sent to a user in this tick, if it has changed.
func (d *detail) due(u world.User, id world.ID, now world.Tick) bool {
	d.rank(now)
	d.look(now)
	return world.Tick(spread(id)%uint64(d.period)) == now%d.period || d.near[attention{u, id}] || d.top.Has(id)
}

// spread is a number that differs between objects as if by chance.
func spread(id world.ID) uint64 { return uint64(id) * 0x9E3779B97F4A7C15 >> 16 }

// rank finds what is worth most, once a period.
func (d *detail) rank(now world.Tick) {
	if d.ranked >= 0 && now < d.ranked+d.period {
		return
	}
	d.ranked = now
	s := d.replica.state()
	d.ranks = d.ranks[:0]
	for o := range s.All() {
		if d.replica.owns(o) {
			d.ranks = append(d.ranks, ranked{o.ID, world.Value(d.replica.world, s, o), spread(o.ID)})
		}
	}
	slices.SortFunc(d.ranks, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.chance, b.chance), cmp.Compare(a.id, b.id))
	})
	most := int(d.config.Top.MulInt(int64(len(d.ranks))).Round())
	d.top = d.top[:0]
	for _, r := range d.ranks[:most] {
		d.top = append(d.top, r.id)
	}
	slices.Sort(d.top)
}

// look finds what is around the focuses, once a turn.
func (d *detail) look(now world.Tick) {
	if now < d.looked {
		return
	}
	d.looked = now + d.replica.pace.Ticks
	d.focuses = slices.DeleteFunc(d.focuses, func(f focus) bool { return f.until <= now })
	clear(d.near)
	if len(d.focuses) == 0 {
		return
	}
	s := d.replica.state()
	d.index.Sync(s)
	for _, f := range d.focuses {
		if o := s.Get(f.id); o != nil {
			for _, id := range d.index.Near(o.Pos, d.sight) {
				d.near[attention{f.user, id}] = true
			}
		}
	}
}
