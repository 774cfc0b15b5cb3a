package aos

import (
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

type commits struct {
	held world.Set
}

func newCommits(n *server) *commits { return &commits{} }

func (c *commits) proceed(now world.Time, out *mechanism.Outbox) {}
func (c *commits) publish(n *news)                               {}
func (c *commits) coordinate(now world.Time, a *world.Action, out *mechanism.Outbox) bool {
	return false
}
func (c *commits) hear(now world.Time, kind byte, from int, r *wire.Reader, out *mechanism.Outbox) bool {
	return false
}
