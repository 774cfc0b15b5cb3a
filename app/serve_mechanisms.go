//go:build !js

package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"throng/live/gateway"
	"throng/live/hub"
	"throng/live/session"
	"throng/mechanism"
)

const (
	// variantsMax is how many rooms there may be at a time for worlds under other mechanisms.
	variantsMax = 4

	// peersMax is how many users such a room has at most whose nodes all speak to one another: what they send grows with the square.
	peersMax = 64

	// variantIdle is for how long nobody need be in one before it ends.
	variantIdle = 30 * time.Second
)

// switchable says whether people may change the mechanism: by default where nobody but those on this machine could, and the world is
// in no other process and in no folder.
func (s *serving) switchable() bool {
	return s.Switch == "on" || s.Switch == "auto" && s.local() && s.alone()
}

// alone says whether this process has its worlds for itself, and in memory.
func (s *serving) alone() bool { return s.Join == "" && s.further() == 0 && !s.replicated() }

// offered is a mechanism as the page shows it.
type offered struct {
	Name    string           `json:"name"`
	About   string           `json:"about"`
	Card    []mechanism.Line `json:"card"`
	Because string           `json:"because,omitempty"` // why it is not to be had here
}

func (r *rooms) serveMechanisms(w http.ResponseWriter, x *room) {
	r.mu.Lock()
	current := x.session.Mechanism.Name
	if x.current != nil {
		current = x.current.session.Mechanism.Name
	}
	r.mu.Unlock()
	list := []offered{}
	for _, m := range r.environment.program.Mechanisms {
		_, err := r.describe(x, m.Name)
		if errors.Is(err, session.ErrIdealised) {
			continue
		}
		o := offered{Name: m.Name, About: m.About, Card: mechanism.Card(m.Name)}
		if err != nil && m.Name != x.session.Mechanism.Name {
			o.Because = err.Error()
		}
		list = append(list, o)
	}
	answerJSON(w, http.StatusOK, struct {
		Current   string    `json:"current"`
		Switching bool      `json:"switching"`
		List      []offered `json:"list"`
	}{current, r.settings.switchable(), list})
}

// describe is a room's world under another mechanism, with that one's defaults.
func (r *rooms) describe(x *room, name string) (session.Description, error) {
	d, catalog := x.session, r.environment.program.Catalog
	if name == d.Mechanism.Name {
		return d, nil
	}
	m, err := catalog.Mechanism(name)
	if err != nil {
		return d, err
	}
	if err := session.CheckServable(m.Config); err != nil {
		return d, err
	}
	w, err := catalog.BuildWorld(d.World)
	if err != nil {
		return d, err
	}
	d.Mechanism, d.Places = m.Choice(), nil
	servers := 0
	for _, p := range m.Config.Places(w) {
		if p.User == 0 {
			servers++
		}
	}
	if users := w.Users(); servers == 0 && users > peersMax {
		return d, fmt.Errorf("all %d users would speak to all: begin with --players %d or fewer", users, peersMax)
	}
	return d, nil
}

// serveChoice begins a room's world under another mechanism and, if everybody is to come along, goes on there.
func (r *rooms) serveChoice(w http.ResponseWriter, q *http.Request, x *room) {
	if gateway.FromOtherSite(q) || r.settings.Switch == "auto" && !gateway.OnThisMachine(q) {
		answerJSON(w, http.StatusForbidden, problem{"pages from elsewhere may not change anything here"})
		return
	}
	if !r.settings.switchable() {
		answerJSON(w, http.StatusForbidden, problem{"the mechanism is the operator's choice here (see --switch)"})
		return
	}
	name := q.PathValue("name")
	if _, err := r.environment.program.Mechanism(name); err != nil {
		answerJSON(w, http.StatusNotFound, problem{err.Error()})
		return
	}
	chosen, err := r.vary(x, name)
	if err != nil {
		answerJSON(w, http.StatusConflict, problem{err.Error()})
		return
	}
	if q.URL.Query().Get("everybody") != "" && !r.move(x, chosen) {
		answerJSON(w, http.StatusConflict, problem{"the room was closed in the meantime"})
		return
	}
	answerJSON(w, http.StatusOK, struct {
		Base string `json:"base"`
	}{gateway.RoomPath(x.name + "." + name)})
}

// vary finds the room with a room's world under a mechanism, or has it begin. Its name has a dot, which no other's has.
func (r *rooms) vary(of *room, name string) (*room, error) {
	if name == of.session.Mechanism.Name {
		return of, nil
	}
	r.building.Lock()
	defer r.building.Unlock()
	r.mu.Lock()
	x, gone := r.all[of.name+"."+name], r.all[of.name] != of
	if x != nil {
		x.since = time.Now()
	}
	r.mu.Unlock()
	if gone {
		return nil, hub.ErrClosed
	}
	if x != nil {
		return x, nil
	}
	d, err := r.describe(of, name)
	if err != nil {
		return nil, err
	}
	// Whoever asked for one a moment ago is still on the way there: those that are empty go only where there is no place.
	if r.sweep(variantIdle) >= variantsMax && r.sweep(0) >= variantsMax {
		return nil, fmt.Errorf("people play under %d other mechanisms already", variantsMax)
	}
	x, err = r.open(of.name+"."+name, r.settings, d, of)
	if err != nil {
		return nil, err
	}
	time.AfterFunc(variantIdle, r.look)
	return x, nil
}

// move has everybody who plays in a room go on where its world is shared by another mechanism, if that is still there.
func (r *rooms) move(x, to *room) bool {
	r.mu.Lock()
	if r.all[to.name] != to {
		r.mu.Unlock()
		return false
	}
	from := x.playing()
	if x.current = to; to == x {
		x.current = nil
	}
	r.mu.Unlock()
	if from != to {
		from.gate.Dismiss(gateway.Switched)
	}
	return true
}

// playing is where the people of a room play. The caller holds the lock.
func (x *room) playing() *room {
	if x.current != nil {
		return x.current
	}
	return x
}

// look ends variants in which nobody has been for a while, again and again until there are none.
func (r *rooms) look() {
	if r.sweep(variantIdle) > 0 {
		time.AfterFunc(variantIdle/3, r.look)
	}
}

// sweep ends variants in which nobody has been for a time, and returns how many are left.
func (r *rooms) sweep(idle time.Duration) (left int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, x := range r.all {
		switch {
		case x.of == nil || r.closed:
			continue
		case x.gate.Clients() > 0 || x.of.current == x:
			x.since = time.Now()
		case time.Since(x.since) >= idle:
			delete(r.all, name)
			go r.end(context.Background(), x, "nobody is here")
			continue
		}
		left++
	}
	return left
}
