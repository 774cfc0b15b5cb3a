package play

import (
	"throng/mechanism"
	"throng/web/internal/display"
	"throng/web/internal/trouble"
	"throng/world"
)

// pilot plays for the user while it is on.
type pilot struct {
	player world.Player
	on     bool
}

func (p *pilot) Play(v world.View, act func(world.Action)) {
	if p.on {
		p.player.Play(v, act)
	}
}

// Autopilot lets the computer play for the user, or stops it.
func (c *Client) Autopilot(on bool) { c.pilot.on = on }

// Act carries out what the user does. It reports whether the node took it.
func (c *Client) Act(now world.Time, a world.Action) bool {
	c.call(now)
	if c.phase != Playing || c.session.World.Schema().CheckAction(&a) != nil {
		return false
	}
	c.action = a
	ok := c.machine.Issue(&c.action)
	if ok {
		c.act(c.worldTime(now), &c.action)
		c.finish()
	}
	c.wire.flush()
	return ok
}

// Say says something, in worlds where that is possible.
func (c *Client) Say(now world.Time, text string) bool {
	if c.session == nil {
		return false
	}
	spoken, ok := c.session.World.(world.Spoken)
	return ok && c.Act(now, spoken.Say(text))
}

// Said is what an object says, if it says anything.
func (c *Client) Said(id world.ID) string {
	if c.machine == nil {
		return ""
	}
	return display.Said(c.session.World, c.machine.View(), id)
}

// Trouble makes the connection worse from now on, or good again.
func (c *Client) Trouble(s trouble.Setting) error { return c.line.Set(s) }

// Raw has the world shown tick by tick, with every jump.
func (c *Client) Raw(raw bool) {
	if c.screen != nil {
		c.screen.Raw = raw
	}
}

// View lists what the user sees now. It holds until the next call.
func (c *Client) View(now world.Time) []display.Record {
	c.call(now)
	if !c.running() || !c.machine.Ready() {
		return nil
	}
	at := c.worldTime(now)
	if c.machine.Due() <= at {
		c.advance(at)
	}
	c.screen.Update(c.machine.View(), c.welcome.User, at)
	c.wire.flushDue(now)
	return c.screen.Shown()
}

// Backdrop lists what stands still, as the world began: walls and squares that a client knows of even where its mechanism
// tells it of nothing beyond sight.
func (c *Client) Backdrop() []display.Record {
	if c.session == nil {
		return nil
	}
	return c.screen.Still(c.session.Start)
}

// Ghosts lists what the server believes. It is empty where the mechanism makes no difference; see Haunted.
func (c *Client) Ghosts() []display.Record {
	if g, ok := c.ghost(); ok && c.running() && c.machine.Ready() {
		if state := g.Ghost(); state != nil {
			c.ghosts = c.screen.List(c.ghosts, state, c.welcome.User)
			return c.ghosts
		}
	}
	return nil
}

// Haunted reports whether the mechanism has ghosts to show.
func (c *Client) Haunted() bool {
	_, ok := c.ghost()
	return ok
}

func (c *Client) ghost() (mechanism.Shadowed, bool) {
	if c.machine == nil {
		return nil, false
	}
	g, ok := c.machine.Node().(mechanism.Shadowed)
	return g, ok
}

// Phase is how far the client has come, and why it came no further.
func (c *Client) Phase() (Phase, string) { return c.phase, c.reason }

// Notice is what operators have to say, once; empty for nothing.
func (c *Client) Notice() string {
	text := c.notice
	c.notice = ""
	return text
}
