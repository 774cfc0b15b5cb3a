package action

import (
	"throng/mechanism"
	"throng/mechanism/parts/link"
	"throng/mechanism/parts/star"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
	"throng/world/wire"
)

// square is a world of avatars on a square that is as densely populated as the source's city: with 6.87 others in sight on
// average, for any number of them. The server needs to know no more of a world than this.
type square struct {
	*tangle
	avatars int
	side    fixed.F
}

const (
	squareEffect = 10 * fixed.One
	squareSight  = 30 * fixed.One
	squareSpeed  = 10 * fixed.One
	moveEvery    = 300 * ms
)

// newSquare returns a square on which each avatar has some others in sight, in hundredths.
func newSquare(avatars int, others int64) *square {
	area := fixed.FromInt(int64(avatars)).Mul(fixed.Ratio(2827*100, others)) // π·30² for each, over how many share it
	s := &square{tangle: newTangle(world.User(avatars), 0), avatars: avatars, side: area.Sqrt()}
	s.schema.Bounds.Max = fixed.Vec{X: s.side, Y: s.side}
	s.schema.Kinds[0].Variables = append(world.Placed(s.schema.Bounds, 1, 1),
		world.Variable{Name: "number", Slot: world.AttrSlot(number), Max: modulo})
	return s
}

func (s *square) Limits() world.Limits {
	return world.Limits{Sight: squareSight, Effect: squareEffect, Speed: squareSpeed}
}

func (s *square) Still() {}

func (s *square) Populate(state *world.State) {
	r := random.New(1, "square")
	for u := range s.avatars {
		state.Put(world.Object{ID: world.ID(u + 1), User: world.User(u + 1), Pos: fixed.Vec{X: r.Between(0, s.side), Y: r.Between(0, s.side)}})
	}
}

// crew is clients that only do what the server sees of them: they submit moves, acknowledge, and complete. They share one
// idea of where everybody is.
type crew struct {
	server  *server
	config  *Config
	square  *square
	state   *world.State
	index   *world.Index
	random  random.Stream
	clients []mate
	flights []flight // what the clients have sent, by when it arrives
	out     mechanism.Outbox
	replies mechanism.Outbox
	wake    world.Time
	input   []call // what was done to the server, if it is recorded
	record  bool
}

// mate is one of these clients.
type mate struct {
	link   *link.Layer
	serial byte
	number uint32
	moves  world.Time // when it moves next
	news   news
}

type flight struct {
	at  world.Time
	msg mechanism.Message
}

// call is one call of the server: a message, or a wake-up.
type call struct {
	now world.Time
	msg mechanism.Message // from nobody: it is woken
}

func newCrew(config *Config, s *square) *crew {
	config.Audit = 0 // its clients carry nothing out
	start := world.NewState(s.Schema(), 1)
	s.Populate(start)
	session := &mechanism.Session{World: s, Start: start, Places: config.Places(s)}
	c := &crew{server: newServer(config, session), config: config, square: s, state: start.Clone(), index: world.NewIndex(squareEffect),
		random: random.New(1, "crew"), clients: make([]mate, s.avatars)}
	for i := range c.clients {
		c.clients[i].link = link.New(config.Link, star.NodeOf(world.User(i+1)), 0)
		c.clients[i].link.Expect(star.IsServer)
		c.clients[i].moves = moveEvery * world.Time(i) / world.Time(s.avatars)
	}
	return c
}

// run lets time pass: in steps of a millisecond, which is exact enough.
func (c *crew) run(from, to world.Time) {
	for now := from; now < to; now += ms {
		if now%(50*ms) == 0 {
			c.index.Sync(c.state)
		}
		for i := range c.clients {
			if c.clients[i].moves <= now {
				c.clients[i].moves += moveEvery
				c.move(now, i)
			}
		}
		for len(c.flights) > 0 && c.flights[0].at <= now {
			f := c.flights[0]
			c.flights = c.flights[1:]
			c.server.Receive(now, f.msg, &c.out)
			c.note(call{now, f.msg})
			c.deliver(now)
		}
		if c.wake <= now {
			c.server.Wake(now, &c.out)
			c.note(call{now: now})
			c.deliver(now)
		}
	}
}

func (c *crew) note(x call) {
	if c.record {
		c.input = append(c.input, x)
	}
}

// move has a client submit a move of its avatar.
func (c *crew) move(now world.Time, i int) {
	id := world.ID(i + 1)
	o := c.state.Edit(id)
	d := mechanism.Entry{Tick: mechanism.TickAt(now, c.square.schema.Tick), Action: world.Action{User: world.User(i + 1), Seq: c.clients[i].number, Verb: kill, Target: id}}
	d.Footprint.Reads = append(d.Footprint.Reads, c.index.Near(o.Pos, squareEffect)...)
	d.Footprint.Write(id)
	at := c.server.geometry.placeOf(&d, c.state.Get)
	step := fixed.Vec{X: c.random.Between(-3*fixed.One, 3*fixed.One), Y: c.random.Between(-3*fixed.One, 3*fixed.One)}
	o.Pos = c.square.schema.Bounds.Clamp(o.Pos.Add(step))
	m := &c.clients[i]
	m.number++
	msg := appendEntry([]byte{kindSubmit, 0, m.serial}, &d)
	msg = c.server.geometry.append(msg, &at, c.config.Culling)
	m.serial++
	m.link.Send(now, star.Server, mechanism.Command, msg, link.Ordered, &c.replies)
	c.post(now, i)
}

// post puts what a client has to say under way.
func (c *crew) post(now world.Time, i int) {
	for k := range c.replies.Sends() {
		m := c.replies.Message(k, star.NodeOf(world.User(i+1)))
		m.Payload = append([]byte(nil), m.Payload...)
		c.flights = append(c.flights, flight{now + c.config.RTT, m})
	}
	c.replies.Reset()
}

// deliver hands out at once what the server has sent: all of the round trip is on the way back.
func (c *crew) deliver(now world.Time) {
	if at, asked := c.out.Wake(); asked {
		c.wake = at
	}
	for k := range c.out.Sends() {
		m := c.out.Message(k, star.Server)
		i := int(m.To-star.Server) - 1
		c.clients[i].link.Receive(now, m, &mateHandler{c, i}, &c.replies)
		c.post(now, i)
	}
	c.out.Reset()
}

type mateHandler struct {
	*crew
	i int
}

// Deliver completes what has come back.
func (h *mateHandler) Deliver(now world.Time, m mechanism.Message, out *mechanism.Outbox) bool {
	r := wire.NewReader(m.Payload)
	if r.Byte() != kindNews {
		return true
	}
	x := &h.clients[h.i]
	if x.news.read(&r, h.server.order.start) != nil {
		panic("news cannot be read")
	}
	for _, it := range x.news.items {
		if it.kind != newsOwn {
			continue
		}
		id := world.ID(h.i + 1)
		msg := wire.AppendUint([]byte{kindComplete, 0, x.serial}, it.position)
		msg = wire.AppendBytes(msg, appendValue(nil, h.server.order.start, id, h.state.Get(id)))
		x.serial++
		x.link.Send(now, star.Server, mechanism.Update, msg, link.Ordered, out)
	}
	return true
}
