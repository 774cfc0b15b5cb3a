package aos

import (
	"cmp"
	"slices"

	"throng/world"
	"throng/world/fixed"
)

// detail decides how often the states of objects are sent: what is worth most each tick, and what is around an object that
// was just given a command; the rest now and then, each at its own time, so that the load is even.
type detail struct {
	config  *Config
	replica *replica
	period  world.Tick
	top     world.Set
	ranked  world.Tick // when top was last found, or before the start
	focuses []focus
	near    map[world.ID]world.Tick // until when what is around a focus counts as such
	index   *world.Index
	sight   fixed.F
	looked  world.Tick
	later   [][]world.ID // what has changed and waits, by the tick modulo the period in which it is due
	waiting map[world.ID]bool
	ranks   []ranked
}

// focus is an object that was given a command.
type focus struct {
	id    world.ID
	until world.Tick
}

type ranked struct {
	id     world.ID
	value  int64
	chance uint64 // decides between equals
}

func newDetail(c *Config, r *replica) *detail {
	d := &detail{
		config: c, replica: r,
		period:  world.Tick(max(fixed.One.Div(c.Frequency).Round(), 1)),
		ranked:  -1,
		near:    map[world.ID]world.Tick{},
		waiting: map[world.ID]bool{},
		sight:   r.plan.Reach,
	}
	if l, ok := r.world.(world.Limited); ok {
		d.sight = min(d.sight, l.Limits().Sight)
	}
	d.index = world.NewIndex(d.sight)
	d.later = make([][]world.ID, d.period)
	return d
}

// attend takes note of a command to an object.
func (d *detail) attend(id world.ID, now world.Tick) {
	if id == 0 || d.config.Focus == 0 {
		return
	}
	until := now + world.Tick(d.config.Focus)
	for i := range d.focuses {
		if d.focuses[i].id == id {
			d.focuses[i].until = until
			return
		}
	}
	d.focuses = append(d.focuses, focus{id, until})
}

// wanted reports whether an object is sent each tick now.
func (d *detail) wanted(id world.ID, now world.Tick) bool {
	d.rank(now)
	d.look(now)
	return d.near[id] > now || d.top.Has(id)
}

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
			d.ranks = append(d.ranks, ranked{o.ID, world.Value(d.replica.world, s, o), uint64(o.ID) * 0x9E3779B97F4A7C15 >> 16})
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
				d.near[id] = d.looked
			}
		}
	}
}

// postpone has an object that has changed wait for its time.
func (d *detail) postpone(id world.ID) {
	if !d.waiting[id] {
		d.waiting[id] = true
		slot := uint64(id) * 0x9E3779B97F4A7C15 >> 16 % uint64(d.period)
		d.later[slot] = append(d.later[slot], id)
	}
}

// due hands over what has waited long enough.
func (d *detail) due(now world.Tick, put func(id world.ID)) {
	slot := &d.later[now%d.period]
	for _, id := range *slot {
		delete(d.waiting, id)
		put(id)
	}
	*slot = (*slot)[:0]
}
