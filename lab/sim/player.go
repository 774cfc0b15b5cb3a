package sim

import "throng/world"

// SetPlayer has somebody else act for the host's user, before the run starts. It is for hosts with a user.
func (h *Host) SetPlayer(p world.Player) { h.player = p }
