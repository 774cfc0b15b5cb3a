package sight

import (
	"cmp"
	"slices"

	"throng/world"
)

// attendant is a user who is there.
type attendant struct {
	user       world.User
	everything bool // sees all there is
}

// Join has a user be there. One who is to see everything sees as far as there are objects; others see from where their own
// are.
func (g *Gaze) Join(u world.User, everything bool) {
	i, there := g.attends(u)
	if there {
		return
	}
	g.users = slices.Insert(g.users, i, attendant{u, everything || g.boundless})
	for at := range g.spots {
		if t := &g.spots[at]; t.id != 0 {
			if g.granted(t, &g.users[i]) {
				g.count(u, int32(at), 1)
			}
			if v := t.viewer(u); v != nil {
				g.show(t, v)
			}
		}
	}
}

// Leave has a user be gone, who is told nothing more.
func (g *Gaze) Leave(u world.User) {
	i, there := g.attends(u)
	if !there {
		return
	}
	was := g.users[i]
	g.users = slices.Delete(g.users, i, i+1)
	for at := range g.spots {
		t := &g.spots[at]
		if v := t.viewer(u); v != nil {
			v.Handle = Hidden
		}
		if t.id != 0 && g.granted(t, &was) {
			g.count(u, int32(at), -1)
		}
	}
}

func (g *Gaze) attends(u world.User) (int, bool) {
	return slices.BinarySearchFunc(g.users, u, func(a attendant, u world.User) int { return cmp.Compare(a.user, u) })
}

// granted reports whether a user sees an object wherever it is.
func (g *Gaze) granted(t *spot, a *attendant) bool { return a.everything || g.placeless[t.kind] }

// show lets a user see an object that is in sight, or no longer.
func (g *Gaze) show(t *spot, v *Viewer) {
	_, there := g.attends(v.User)
	sees := there && t.shown && (g.veil == nil || t.user == v.User || g.visible(t, v.User))
	switch {
	case sees && v.Handle == Hidden:
		v.Handle = g.audience.Enter(v.User, t.id)
	case !sees && v.Handle != Hidden:
		g.audience.Leave(v.User, v.Handle)
		v.Handle = Hidden
	}
}

func (g *Gaze) visible(t *spot, u world.User) bool {
	o := g.state.Get(t.id)
	return o != nil && g.veil.Sees(g.state, u, o)
}

// Unveil judges anew what is veiled, in a world that veils anything: to be done whenever the state has changed, once all that
// has moved has been put.
func (g *Gaze) Unveil() {
	if g.veil == nil {
		return
	}
	for at := range g.spots {
		t := &g.spots[at]
		if !t.shown {
			continue
		}
		for i := range t.viewers {
			g.show(t, &t.viewers[i])
		}
		g.work += world.Work(len(t.viewers))
	}
}
