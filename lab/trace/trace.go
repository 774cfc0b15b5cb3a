package trace

import (
	"fmt"
	"strings"

	"throng/lab/attention"
	"throng/lab/record"
	"throng/lab/sim"
	"throng/world"
)

// Trace is the actions of a run, with what it was a run of. It is for reading.
type Trace struct {
	Header  *record.Header
	Span    world.Time      // how much of the run there is
	Actions []record.Action // in the order in which they were taken
	Users   world.User      // the greatest that occurs
	Damage  error           // what is wrong with a file that could be read up to some point only
}

// Load reads the actions of a recording.
func Load(path string) (*Trace, error) {
	r, err := record.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return Read(r)
}

// Read reads the actions of a recording that is open.
func Read(r *record.Reader) (*Trace, error) {
	t := &Trace{Header: r.Header(), Damage: r.Damage()}
	frame := world.Time(t.Header.Every) * t.Header.World.Tick
	t.Span = max(0, world.Time(r.Frames()-1)*frame)
	for a, err := range r.AllActions() {
		if err != nil {
			return nil, err
		}
		t.Actions = append(t.Actions, a)
		t.Users = max(t.Users, a.Action.User)
		t.Span = max(t.Span, a.Time)
	}
	return t, nil
}

// Check says why the trace's actions cannot be given to a world: one of another kind, or one whose parameters, as path=value,
// are not those that the trace names.
func (t *Trace) Check(w world.World, params []string) error {
	was, is := t.Header.World, w.Schema()
	switch {
	case was.Name != is.Name:
		return fmt.Errorf("the commands are for the world %s, not for %s", was.Name, is.Name)
	case was.Tick != is.Tick:
		return fmt.Errorf("the commands are for ticks of %v, not of %v", was.Tick, is.Tick)
	case t.Users > w.Users():
		return fmt.Errorf("user %d has commands, but there are only %d users", t.Users, w.Users())
	}
	values := map[string]string{}
	for _, p := range params {
		path, value, _ := strings.Cut(p, "=")
		values[path] = value
	}
	for _, p := range t.Header.Params {
		path, value, _ := strings.Cut(p, "=")
		if now, ok := values[path]; ok && strings.HasPrefix(path, "world.") && now != value {
			return fmt.Errorf("the commands are for %s, not for %s=%s", p, path, now)
		}
	}
	for i := range t.Actions {
		if err := is.CheckAction(&t.Actions[i].Action); err != nil {
			return fmt.Errorf("command %d: %w", i+1, err)
		}
	}
	return nil
}

// Log is the actions as package attention wants to see them.
func (t *Trace) Log() *attention.Log {
	l := attention.NewLog(t.Header.World)
	for i := range t.Actions {
		l.Add(t.Actions[i].Time, &t.Actions[i].Action)
	}
	return l
}

// Replay has the users of a run that has not started yet act as in the trace, instead of as they see fit.
func (t *Trace) Replay(r *sim.Run) {
	todo := make([][]record.Action, r.Setup().World.Users()+1)
	for _, a := range t.Actions {
		todo[a.Action.User] = append(todo[a.Action.User], a)
	}
	for _, h := range r.Hosts() {
		if h.Client != nil && int(h.Place.User) < len(todo) {
			h.SetPlayer(&player{now: r.Now, todo: todo[h.Place.User]})
		}
	}
}

// player is a user who has no will of their own.
type player struct {
	now  func() world.Time
	todo []record.Action
}

// Play implements world.Player.
func (p *player) Play(_ world.View, act func(world.Action)) {
	for len(p.todo) > 0 && p.todo[0].Time <= p.now() {
		act(p.todo[0].Action)
		p.todo = p.todo[1:]
	}
}
