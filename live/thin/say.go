package thin

import (
	"throng/world"
	"throng/world/fixed"
)

// begin begins a message; end sends it. They are for the node's goroutine, and for Start.
func (u *User) begin(kind string, entries int) *Writer {
	u.w.B = u.w.B[:0]
	begin(&u.w, kind, entries)
	return &u.w
}

func begin(w *Writer, kind string, entries int) {
	w.Map(entries)
	w.Key("type")
	w.String(kind)
}

func (u *User) end() {
	u.w.EndMap()
	u.config.Line.Say(u.w.B)
}

// Plain is a message of a type with at most one text.
func Plain(f Format, kind, key, text string) []byte {
	w := Writer{Format: f}
	entries := 1
	if key != "" {
		entries++
	}
	begin(&w, kind, entries)
	if key != "" {
		w.Key(key)
		w.String(text)
	}
	w.EndMap()
	return w.B
}

func (u *User) plain(kind, key, text string) {
	u.config.Line.Say(Plain(u.config.Format, kind, key, text))
}

// Goodbye is the last message.
func Goodbye(f Format, code, reason string) []byte {
	w := Writer{Format: f}
	begin(&w, "goodbye", 3)
	w.Key("code")
	w.String(code)
	w.Key("reason")
	w.String(reason)
	w.EndMap()
	return w.B
}

// refuse says why something will not be done. It may be called by any goroutine.
func (u *User) refuse(r *Request, reason string) {
	if r.Type == TypeAct {
		u.acknowledge(r.ID, "refused", reason)
		return
	}
	u.plain("error", "reason", reason)
}

// acknowledge says what becomes of an action. It may be called by any goroutine.
func (u *User) acknowledge(id int64, state, reason string) {
	w := Writer{Format: u.config.Format}
	entries := 3
	if reason != "" {
		entries++
	}
	begin(&w, "ack", entries)
	w.Key("id")
	w.Int(id)
	w.Key("state")
	w.String(state)
	if reason != "" {
		w.Key("reason")
		w.String(reason)
	}
	w.EndMap()
	u.config.Line.Say(w.B)
}

// pong answers a ping with the world's time.
func (u *User) pong(r *Request) {
	w := Writer{Format: u.config.Format}
	begin(&w, "pong", 3)
	w.Key("time")
	w.Int(int64(u.config.Clock.Now() / world.Millisecond))
	w.Key("ping")
	switch t := r.Time.(type) {
	case int64:
		w.Int(t)
	case float64:
		w.Decimal(micro(min(max(t, -pingMax), pingMax)), digitsMax)
	default:
		w.Int(0)
	}
	w.EndMap()
	u.config.Line.Say(w.B)
}

// pingMax is up to where a ping's fractions come back.
const pingMax = 1e12

// welcome tells the program where it is.
func (u *User) welcome() {
	c := &u.config
	schema := c.Catalogue.schema
	w := u.begin("welcome", 13)
	w.Key("version")
	w.Int(Version)
	w.Key("user")
	w.Int(int64(c.Welcome.User))
	w.Key("name")
	w.String(c.Welcome.Name)
	w.Key("token")
	w.String(c.Welcome.Token)
	w.Key("world")
	w.String(c.Welcome.World)
	w.Key("mechanism")
	w.String(c.Welcome.Mechanism)
	w.Key("time")
	w.Int(int64(c.Clock.Now() / world.Millisecond))
	w.Key("tick")
	w.Decimal(micro(float64(schema.Tick)/float64(world.Millisecond)), digitsMax)
	w.Key("bounds")
	w.Array(6)
	for _, f := range []fixed.F{schema.Bounds.Min.X, schema.Bounds.Min.Y, schema.Bounds.Min.Z, schema.Bounds.Max.X, schema.Bounds.Max.Y, schema.Bounds.Max.Z} {
		w.Decimal(micro(float64(f)/float64(fixed.One)), digitsMax)
	}
	w.EndArray()
	w.Key("speech")
	w.Bool(c.Catalogue.spoken != nil)
	c.Catalogue.Describe(w)
	u.end()
}
