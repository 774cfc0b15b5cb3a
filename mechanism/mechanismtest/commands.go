package mechanismtest

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// runner carries out the commands of one transcript.
type runner struct {
	script *Script
	rig    *Rig
	wakes  []int // how often each node had been woken before the command
	out    strings.Builder
}

// do carries out one command and prints what comes of it.
func (r *runner) do(line string) error {
	words := strings.Fields(line)
	name, args := words[0], words[1:]
	if name == "nodes" {
		return r.nodes(args)
	}
	if r.rig == nil {
		return errors.New("the first command must be nodes")
	}
	switch name {
	case "act":
		return r.act(args)
	case "advance":
		return r.advance(args)
	case "inflight":
		r.inflight()
		return nil
	case "deliver", "drop", "repeat":
		return r.move(name, args)
	case "delay":
		return r.delay(args)
	case "hold":
		r.rig.Network = nil
		return nil
	case "leave", "bye", "join":
		return r.change(name, args)
	case "garbage":
		return r.garbage(args)
	case "view":
		return r.view(args)
	case "hash":
		r.hash()
		return nil
	case "show":
		return r.show(args)
	}
	return errors.New("no such command")
}

func (r *runner) nodes(args []string) error {
	users, keys, err := number(args)
	if err != nil {
		return err
	}
	m, err := r.script.Mechanism(keys)
	if err != nil {
		return err
	}
	build := Marbles
	if r.script.World != nil {
		build = r.script.World
	}
	if r.rig, err = NewRig(m, build(world.User(users)), 1); err != nil {
		return err
	}
	r.rig.Observe = r.observe
	for _, p := range r.rig.Session.Places {
		fmt.Fprintf(&r.out, "%d %s", p.ID, p.Role)
		if p.User != 0 {
			fmt.Fprintf(&r.out, " of user %d", p.User)
		}
		r.out.WriteString("\n")
	}
	r.rig.Start()
	return nil
}

func (r *runner) act(args []string) error {
	user, keys, err := number(args)
	if err != nil || len(args) < 2 {
		return errors.New("want: act USER VERB [target=ID] [arg=value ...]")
	}
	if user < 1 || user > uint64(r.rig.World.Users()) {
		return fmt.Errorf("no user %d", user)
	}
	if !r.rig.present(world.User(user)) {
		return fmt.Errorf("user %d has left", user)
	}
	a, err := parseAction(r.rig.World.Schema(), args[1], keys)
	if err != nil {
		return err
	}
	if r.rig.Act(world.User(user), a).Seq == 0 {
		fmt.Fprintf(&r.out, "user %d cannot act yet\n", user)
	}
	return nil
}

func parseAction(s *world.Schema, verb string, keys Keys) (world.Action, error) {
	for i := range s.Verbs {
		if s.Verbs[i].Name != verb {
			continue
		}
		a := world.Action{Verb: world.VerbID(i)}
		known := 0
		if text, ok := keys["target"]; ok {
			id, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return a, err
			}
			a.Target = world.ID(id)
			known++
		}
		for _, arg := range s.Verbs[i].Args {
			text, ok := keys[arg.Name]
			if !ok {
				continue
			}
			v, err := parseValue(arg.Type, text)
			if err != nil {
				return a, err
			}
			a.Args[arg.Slot] = v
			known++
		}
		if known != len(keys) {
			return a, fmt.Errorf("%s has an argument that its verb does not know", verb)
		}
		return a, s.CheckAction(&a)
	}
	return world.Action{}, fmt.Errorf("no verb %q", verb)
}

func parseValue(t world.Type, text string) (int64, error) {
	if t == world.Fixed {
		f, err := fixed.Parse(text)
		return int64(f), err
	}
	return strconv.ParseInt(text, 10, 64)
}

func (r *runner) advance(args []string) error {
	span, err := duration(args)
	if err != nil {
		return err
	}
	r.wakes = r.wakes[:0]
	for _, p := range r.rig.Session.Places {
		r.wakes = append(r.wakes, r.rig.Wakes(p.ID))
	}
	r.rig.Advance(span)
	fmt.Fprintf(&r.out, "%v:", r.rig.Now())
	for i, p := range r.rig.Session.Places {
		fmt.Fprintf(&r.out, " %d woken %d×", p.ID, r.rig.Wakes(p.ID)-r.wakes[i])
	}
	r.out.WriteString("\n")
	return nil
}

// move delivers, drops or repeats messages in flight.
func (r *runner) move(how string, args []string) error {
	pick, err := parsePick(args)
	if err != nil {
		return err
	}
	moved, place := false, 0
	i := 0
	for range len(r.rig.Flights()) { // but not what is sent in answer
		f := r.rig.Flights()[i]
		if !pick.all && (f.From != pick.from || f.To != pick.to) {
			i++
			continue
		}
		if place++; pick.place != 0 && place != pick.place {
			i++
			continue
		}
		moved = true
		switch how {
		case "deliver":
			r.rig.Deliver(i)
		case "drop":
			r.rig.Drop(i)
		case "repeat":
			r.rig.Give(f.Message)
			i++
		}
	}
	if !moved {
		return errors.New("there is no such message in flight")
	}
	return nil
}

// pick says which messages in flight are meant.
type pick struct {
	all      bool
	from, to mechanism.NodeID
	place    int // among those, from one; zero for all of them
}

func parsePick(args []string) (pick, error) {
	if len(args) == 1 && args[0] == "all" {
		return pick{all: true}, nil
	}
	var p pick
	var nth string
	n, _ := fmt.Sscan(strings.Join(args, " "), &p.from, &p.to, &nth)
	if n == 3 {
		n, _ := fmt.Sscanf(nth, "#%d", &p.place)
		if n == 1 && p.place > 0 {
			return p, nil
		}
	}
	if n == 2 && len(args) == 2 {
		return p, nil
	}
	return pick{}, errors.New("want: all, or FROM TO [#K]")
}

func (r *runner) delay(args []string) error {
	span, err := duration(args)
	if err == nil {
		r.rig.Network = Constant(span)
	}
	return err
}

// change takes a node out of the run, or puts one into a place.
func (r *runner) change(how string, args []string) error {
	id, _, err := number(args)
	if err != nil || id < 1 || id > uint64(len(r.rig.Session.Places)) {
		return fmt.Errorf("want: %s NODE", how)
	}
	if how == "join" {
		return r.rig.Join(mechanism.NodeID(id))
	}
	if how == "bye" {
		r.rig.Bid(mechanism.NodeID(id))
	}
	r.rig.Leave(mechanism.NodeID(id))
	return nil
}

func (r *runner) garbage(args []string) error {
	to, keys, err := number(args)
	if err != nil || len(args) < 2 {
		return errors.New("want: garbage NODE HEX [from=NODE]")
	}
	payload, err := hex.DecodeString(args[1])
	if err != nil {
		return err
	}
	m := mechanism.Message{From: 1, To: mechanism.NodeID(to), Payload: payload}
	if m.To == 1 {
		m.From = 2
	}
	if text, ok := keys["from"]; ok {
		from, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			return err
		}
		m.From = mechanism.NodeID(from)
	}
	r.rig.Give(m)
	return nil
}

// number reads a command's first argument as a number, and all that have the shape key=value as settings.
func number(args []string) (uint64, Keys, error) {
	if len(args) == 0 {
		return 0, nil, errors.New("a number is missing")
	}
	n, err := strconv.ParseUint(args[0], 10, 32)
	if err != nil {
		return 0, nil, err
	}
	keys := Keys{}
	for _, arg := range args[1:] {
		if key, value, ok := strings.Cut(arg, "="); ok {
			keys[key] = value
		}
	}
	return n, keys, nil
}

func duration(args []string) (world.Time, error) {
	if len(args) != 1 {
		return 0, errors.New("want one span of time, such as 50ms")
	}
	return ParseTime(args[0])
}

// ParseTime reads a span of time: a whole number and a unit, such as 50ms.
func ParseTime(text string) (world.Time, error) {
	digits := strings.TrimRight(text, "nµms")
	n, err := strconv.ParseInt(digits, 10, 32)
	unit, ok := units[text[len(digits):]]
	if err != nil || n < 0 || !ok {
		return 0, fmt.Errorf("%q is no span of time", text)
	}
	return world.Time(n) * unit, nil
}

var units = map[string]world.Time{
	"ns": world.Nanosecond,
	"µs": world.Microsecond,
	"ms": world.Millisecond,
	"s":  world.Second,
}
