package bots

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"throng/catalog"
	"throng/live/protocol"
	"throng/live/session"
	"throng/mechanism"
	"throng/mechanism/parts/memo"
	"throng/world"
)

// crew is what the bots of one worker share. Nothing in it is touched but within calls of that worker.
type crew struct {
	config  *Config
	catalog catalog.Catalog
	roster  *roster
	bots    []*bot

	offset protocol.Offset // one machine has one clock
	scene  *scene          // nil until the first has been welcomed

	out   mechanism.Outbox // of the bot whose turn it is
	frame []byte           // that is being made of what its node sends
	truth world.Object     // what is compared with what is shown

	meeting *meeting

	measuring bool
	findings
	goodbyes map[string]int
	staying  bool // nobody comes back any more
}

// scene is the session that a server has described.
type scene struct {
	description []byte
	named       session.Description
	session     *mechanism.Session
	mechanism   mechanism.Mechanism
	interval    time.Duration // at which each client is due an update
	sight       float64
	sketch      *sketch
}

func newCrew(c *Config, cat catalog.Catalog, r *roster) *crew {
	return &crew{config: c, catalog: cat, roster: r, goodbyes: map[string]int{}}
}

// now is the world's time.
func (c *crew) now(local time.Duration) world.Time { return c.offset.At(world.Time(local)) }

// set builds the session, once for all.
func (c *crew) set(description []byte, now world.Time) error {
	if c.scene != nil {
		if !bytes.Equal(c.scene.description, description) {
			return fmt.Errorf("the server runs another world than before")
		}
		return nil
	}
	s := &scene{description: bytes.Clone(description)}
	if err := json.Unmarshal(description, &s.named); err != nil {
		return fmt.Errorf("the server's description of the world: %w", err)
	}
	var err error
	if s.session, s.mechanism, err = s.named.Build(c.catalog); err != nil {
		return fmt.Errorf("the server's world cannot be built here: %w", err)
	}
	s.session.Shared = memo.NewPool() // bots of one worker that simulate the same share the work of it
	s.interval = time.Duration(mechanism.Interval(s.mechanism, s.session.World))
	s.sight = sightOf(s.session.World)
	s.sketch = newSketch(s.session, now)
	c.scene = s
	return nil
}

// begin starts measuring, end stops it.
func (c *crew) begin() {
	c.measuring, c.said = true, 0
	for _, b := range c.bots {
		b.pulse.Take()
	}
}

func (c *crew) end() { c.measuring = false }
