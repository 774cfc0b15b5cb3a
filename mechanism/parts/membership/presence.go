package membership

import "throng/world"

// Times say how patient a client is.
type Times struct {
	Repeat   world.Time // after which it asks again, or says goodbye again
	Patience world.Time // after which a silent server is taken to have forgotten the client; zero waits for its word
}

// Presence is a client's end: how far it has come with its server, and what it has to say about that.
type Presence struct {
	Identity Identity

	times     Times
	standing  standing
	since     world.Time // when it began to ask, or was last heard
	due       world.Time // when to ask again, or to say goodbye again
	farewells int        // how often it has said goodbye
}

type standing uint8

const (
	idle standing = iota
	preparing
	joining
	member
	lost
	leaving
	gone
)

// farewellsMax is how often a client says goodbye to a server that does not answer.
const farewellsMax = 8

// Saying is something to be said.
type Saying uint8

// What a client has to say about its membership.
const (
	Nothing Saying = iota
	Join           // let me in
	Leave          // farewell
)

// NewPresence returns the presence of a place's holder, who has yet to begin.
func NewPresence(epoch uint32, t Times) Presence {
	return Presence{Identity: Identity{Epoch: epoch}, times: t}
}

// Begin begins a life, the next one. What was before is over.
func (p *Presence) Begin() {
	p.Identity.Life++
	p.standing = preparing
}

// Ask has the client ask to be let in from now on.
func (p *Presence) Ask(now world.Time) { p.standing, p.since, p.due = joining, now, now }

// Enter notes that the server has let the client in, or that it was a member from the start, and reports whether that is new.
func (p *Presence) Enter(now world.Time) (first bool) {
	if p.standing != idle && p.standing != joining {
		return false
	}
	p.standing, p.since = member, now
	return true
}

// Hear notes that the server takes the client for a member.
func (p *Presence) Hear(now world.Time) {
	if p.standing == member {
		p.since = max(p.since, now)
	}
}

// Leave has the client say goodbye from now on. Also one that has yet to begin does: its predecessor may still be taken for a
// member.
func (p *Presence) Leave(now world.Time) {
	if !p.Left() {
		p.standing, p.due, p.farewells = leaving, now, 0
	}
}

// Unknown takes that the server does not know the client in its present life: who took itself for a member is lost, and who
// has said goodbye was heard.
func (p *Presence) Unknown() {
	switch p.standing {
	case member:
		p.standing = lost
	case leaving:
		p.standing = gone
	}
}

// Wait has a client that asks to be let in ask again only after a time: the server has told it that there is no room.
func (p *Presence) Wait(t world.Time) {
	if p.standing == joining {
		p.due += max(0, t-p.times.Repeat)
	}
}

// Poll says what is due to be said now, and takes it to have been said.
func (p *Presence) Poll(now world.Time) Saying {
	if now < p.Due() {
		return Nothing
	}
	p.due = now + p.times.Repeat
	if p.standing == joining {
		return Join
	}
	if p.farewells++; p.farewells > farewellsMax {
		p.standing = gone
		return Nothing
	}
	return Leave
}

// Due is when Poll is to be called next.
func (p *Presence) Due() world.Time {
	if p.standing == joining || p.standing == leaving {
		return p.due
	}
	return world.Never
}

// Lost reports whether the client has to begin anew: the server does not know it, or has been silent for so long that it has
// forgotten the client or is gone itself.
func (p *Presence) Lost(now world.Time) bool { return now >= p.LostAt() }

// LostAt is when that will be so, if the server is not heard of before.
func (p *Presence) LostAt() world.Time {
	switch {
	case p.standing == lost:
		return p.since
	case p.times.Patience > 0 && (p.standing == joining || p.standing == member):
		return p.since + p.times.Patience + 1
	}
	return world.Never
}

// Heard is when the server was last known to take the client for a member.
func (p *Presence) Heard() world.Time { return p.since }

// Idle reports whether the client has yet to begin.
func (p *Presence) Idle() bool { return p.standing == idle }

// Joining reports whether the client waits to be let in.
func (p *Presence) Joining() bool { return p.standing == joining }

// Member reports whether the server has let the client in.
func (p *Presence) Member() bool { return p.standing == member }

// Left reports whether the client has taken its leave.
func (p *Presence) Left() bool { return p.standing == leaving || p.standing == gone }

// Gone reports whether nothing is left to be said: the client's node can stop.
func (p *Presence) Gone() bool { return p.standing == gone }
