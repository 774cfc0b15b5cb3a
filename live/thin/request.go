package thin

import (
	"fmt"
	"math"
	"strconv"
)

// What programs ask for, by the type of their messages.
const (
	TypeJoin  = "join"
	TypeAct   = "act"
	TypeSay   = "say"
	TypeAsk   = "ask"
	TypePing  = "ping"
	TypeLeave = "leave"
)

// Request is what a program says. Only what belongs to its type is set.
type Request struct {
	Type string

	Version int64  // join
	Name    string // join: what the user wants to be called
	Token   string // join: of an earlier welcome, to go on as the same user
	Account string // join: a token that says whose account it is

	Wishes // join, ask

	ID     int64          // act: by which it is acknowledged
	Verb   string         // act
	Target uint64         // act: an object, or zero
	Args   map[string]any // act

	Text string // say
	Time any    // ping: whatever the program wants to have back
}

// Wishes are what a program wants to be told. What is not said stays as it is.
type Wishes struct {
	Rate   float64             // views a second; zero where it is not said
	View   string              // "newest" or "smooth"; empty where it is not said
	Fields map[string][]string // of which kinds, which fields; nil where it is not said
	All    bool                // of every kind everything, again
}

// ReadRequest reads a message. What it does not know of in it is passed over, so that newer programs are understood too.
func ReadRequest(format Format, message []byte) (r Request, err error) {
	v, err := read(format, message)
	if err != nil {
		return r, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return r, ErrMalformed
	}
	f := fields{m: m}
	return f.request(f.text("type"))
}

// ReadAct reads what a program wants to do, in JSON: an act without its type.
func ReadAct(text []byte) (Request, error) {
	v, err := read(JSON, text)
	m, ok := v.(map[string]any)
	if err != nil || !ok {
		return Request{}, ErrMalformed
	}
	f := fields{m: m}
	return f.request(TypeAct)
}

// request reads a message of a type.
func (f *fields) request(kind string) (r Request, err error) {
	r.Type = kind
	switch r.Type {
	case TypeJoin:
		r.Version, r.Name, r.Token, r.Account = f.whole("version"), f.text("name"), f.text("token"), f.text("account")
		r.Wishes = f.wishes()
	case TypeAsk:
		r.Wishes = f.wishes()
	case TypeAct:
		r.ID, r.Verb, r.Target = f.whole("id"), f.text("verb"), f.object("target")
		r.Args, _ = f.get("args").(map[string]any)
		f.wrong = f.wrong || f.has("args") && r.Args == nil
	case TypeSay:
		r.Text = f.text("text")
	case TypePing:
		r.Time = f.scalar("time")
	}
	if f.wrong || r.Type == "" {
		return Request{}, ErrMalformed
	}
	return r, nil
}

// fields takes a message apart. What has another type than it should makes it wrong.
type fields struct {
	m     map[string]any
	wrong bool
}

func (f *fields) get(key string) any { return f.m[key] }

func (f *fields) has(key string) bool { return f.m[key] != nil }

func (f *fields) text(key string) string {
	s, ok := f.m[key].(string)
	f.wrong = f.wrong || !ok && f.has(key)
	return s
}

func (f *fields) whole(key string) int64 {
	n, ok := wholeNumber(f.m[key])
	f.wrong = f.wrong || !ok && f.has(key)
	return n
}

// wholeNumber reads a number without a fraction, also from languages that have no other numbers than those with one.
func wholeNumber(v any) (n int64, ok bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		const exact = 1 << 53
		if v != math.Trunc(v) || v < -exact || v > exact {
			return 0, false
		}
		return int64(v), true
	}
	return 0, false
}

func (f *fields) object(key string) uint64 {
	id, ok := objectID(f.m[key])
	f.wrong = f.wrong || !ok
	return id
}

// objectID reads an object's ID, which may be a text; none is zero.
func objectID(v any) (id uint64, ok bool) {
	switch v := v.(type) {
	case nil:
		return 0, true
	case int64, float64:
		n, ok := wholeNumber(v)
		return uint64(n), ok && n >= 0
	case string:
		id, err := strconv.ParseUint(v, 10, 64)
		return id, err == nil
	}
	return 0, false
}

func (f *fields) scalar(key string) any {
	switch v := f.m[key].(type) {
	case nil, int64, float64:
		return v
	}
	f.wrong = true
	return nil
}

func (f *fields) wishes() (w Wishes) {
	switch rate := f.m["rate"].(type) {
	case nil:
	case int64:
		w.Rate = float64(rate)
	case float64:
		w.Rate = rate
	default:
		f.wrong = true
	}
	w.View = f.text("view")
	switch kinds := f.m["fields"].(type) {
	case nil:
	case string:
		w.All = kinds == "all"
		f.wrong = f.wrong || !w.All
	case map[string]any:
		w.Fields = map[string][]string{}
		for kind, names := range kinds {
			w.Fields[kind] = f.names(names)
		}
	default:
		f.wrong = true
	}
	return w
}

func (f *fields) names(v any) []string {
	list, ok := v.([]any)
	f.wrong = f.wrong || !ok
	var names []string
	for _, v := range list {
		name, ok := v.(string)
		f.wrong = f.wrong || !ok
		names = append(names, name)
	}
	return names
}

// Check says what about wishes cannot be granted in a world.
func (c *Catalogue) Check(w *Wishes) error {
	switch {
	case w.Rate < 0 || w.Rate > 0 && w.Rate < rateMin:
		return fmt.Errorf("a rate is at least %v a second", rateMin)
	case w.View != "" && w.View != viewNewest && w.View != viewSmooth:
		return fmt.Errorf("a view is %q or %q, not %q", viewNewest, viewSmooth, w.View)
	}
	for kind, names := range w.Fields {
		k := c.kind(kind)
		if k == nil {
			return fmt.Errorf("there is no kind %q", kind)
		}
		for _, name := range names {
			if k.column(name) < 0 {
				return fmt.Errorf("kind %q has no field %q", kind, name)
			}
		}
	}
	return nil
}

const (
	viewNewest = "newest" // what the node has heard last
	viewSmooth = "smooth" // what it would show to a person

	rateMin = 0.1
)
