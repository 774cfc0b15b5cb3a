package octree

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/aggregate"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/octree"
	"throng/world"
	"throng/world/fixed"
	"throng/world/wire"
)

// Section 5.2: with a budget, what is sent to a client stays within it in every second; who is near is shown one by one, and
// those who are not are counted in clouds.
func TestBudgetsAreKept(t *testing.T) {
	const users, budget = 60, 3000
	w := town(t, users, true)
	r := newRig(t, w, func(c *Config) { c.Budget = budget })
	r.Play(200) // it takes some reviews to find out what everybody costs
	sent := map[mechanism.NodeID]int{}
	r.Observe = func(c *mechanismtest.Call) {
		if r.Session.Places[c.Node-1].Role == roleServer {
			for i := range c.Out.Sends() {
				if m := c.Out.Message(i, c.Node); r.Session.Places[m.To-1].Role == roleClient {
					sent[m.To] += len(m.Payload)
				}
			}
		}
	}
	second := int(world.Second / w.Schema().Tick)
	for range 5 {
		clear(sent)
		r.Play(second)
		for id, n := range sent {
			if n > budget+budget/5+1200 { // the burst that may have been saved up
				t.Errorf("node %d was sent %d bytes in a second", id, n)
			}
		}
	}
	far, near := 0, 0
	for _, p := range r.Session.Places {
		if p.Role != roleClient {
			continue
		}
		seen := r.Node(p.ID).(mechanism.Client).View().Len()
		for _, c := range r.Node(p.ID).(mechanism.Clouded).Clouds() {
			far += c.Count
			seen += c.Count
		}
		if seen < users-5 || seen > users+5 { // some step out of a cloud into sight, and back
			t.Errorf("node %d knows of %d", p.ID, seen)
		}
		near += r.Node(p.ID).(mechanism.Client).View().Len()
	}
	if far == 0 || near < 2*users {
		t.Errorf("%d are seen one by one, %d in clouds", near, far)
	}
}

// Where nothing is too much, all are told of one by one, and nobody keeps a book.
func TestAmpleBudgetsNeedNoClouds(t *testing.T) {
	r := newRig(t, town(t, 12, true), func(c *Config) { c.Budget = 100_000 })
	r.Play(100)
	for i := range 3 {
		if serverOf(r, i).book != nil {
			t.Errorf("server %d counts crowds for nobody", i)
		}
	}
	for _, p := range r.Session.Places {
		if p.Role == roleClient && r.Node(p.ID).(mechanism.Client).View().Len() != 12 {
			t.Errorf("node %d sees %d", p.ID, r.Node(p.ID).(mechanism.Client).View().Len())
		}
	}
}

// A budget is what the client can take: one that does not keep up gets less, and more again when it does.
func TestBudgetFollowsTheClient(t *testing.T) {
	r := newRig(t, town(t, 3, true), func(c *Config) { c.Budget = 8000 })
	a := serverOf(r, 0).newAllowance(0)
	review := func(blocked bool) {
		a.blocked, a.members, a.items, a.bytes, a.updates = blocked, 100, 100, 1000, 10
		a.review(0, 8000, 64*fixed.One, 20)
	}
	for range 20 {
		review(true)
	}
	if a.rate != 500 {
		t.Errorf("who never keeps up gets %d", a.rate)
	}
	for range 60 {
		review(false)
	}
	if a.rate != 8000 || a.reach != 64*fixed.One {
		t.Errorf("who does again gets %d, as far as %v", a.rate, a.reach)
	}
	for range 40 {
		a.members, a.items, a.bytes, a.updates = 10_000, 10_000, 100_000, 10
		a.review(0, 8000, 64*fixed.One, 20)
	}
	if a.reach != 1*fixed.One {
		t.Errorf("where there is far too much the reach is %v", a.reach)
	}
}

// Clouds are told of as a whole, in fewer and larger ones where the finer do not fit, and what they take is taken off the budget.
func TestCloudsFitAndCount(t *testing.T) {
	w := town(t, 3, false)
	r := newRig(t, w, func(c *Config) { c.Budget = 3000 })
	r.Play(10)
	s := serverOf(r, serving(r, 1))
	m := s.members.Of(1)
	m.budget.reach = s.field.Sight() / reachMin
	s.beginClouds(r.Now())
	centre, side := s.field.Centres(1)[0], s.field.Sight()/2
	const crowd = 400
	for step := range fixed.F(2) { // all move fast, each another way
		for i := range crowd {
			o := *s.shown.Get(1)
			o.ID, o.User = world.ID(1000+i), 0
			o.Pos = centre.Add(fixed.Vec{X: side.MulInt(int64(i%20-10)) / 10, Y: side.MulInt(int64(i/20-10)) / 10})
			o.Pos = w.Schema().Bounds.Clamp(o.Pos.Add(fixed.Vec{X: step * fixed.F(i%7+5) * fixed.One, Y: -step * fixed.F(i%5+5) * fixed.One}))
			s.show(&o, 0)
		}
	}
	now := r.Now() + 100*ms
	s.book.Renew(now)
	for rate := 2000; rate <= 16_000; rate += 500 {
		m.budget.rate = rate
		before := m.budget.Left(now)
		var out mechanism.Outbox
		s.sayClouds(now, m, &out)
		msg := out.Message(0, s.self).Payload
		if room := max(rate/4/cloudsPart, cloudsLeast); len(msg) > room || len(msg) < room/2 {
			t.Errorf("clouds take %d bytes of %d", len(msg), room)
		}
		if spent := before - m.budget.Left(now); spent != len(msg) {
			t.Errorf("%d bytes were spent on a datagram of %d", spent, len(msg))
		}
		rd := wire.NewReader(msg[1:])
		input.ReadClouds(&rd)
		seen := 0
		for rd.Len() > 0 && !rd.Failed() {
			seen += aggregate.Read(&rd, octree.Enclose(w.Schema().Bounds), w.Schema()).Count
		}
		if rd.Done() != nil || seen < crowd*9/10 { // some are too near to be in a cloud
			t.Errorf("clouds of %d are told of, of %d: %v", seen, crowd, rd.Done())
		}
	}
}
