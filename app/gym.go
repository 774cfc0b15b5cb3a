//go:build !js

package app

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"throng/internal/param"
	"throng/lab/experiment"
	"throng/live/thin"
	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

type gymCommand struct {
	World string   `arg:"" help:"The world (see throng list worlds)."`
	Set   []string `short:"s" sep:"none" placeholder:"PATH=VALUE" help:"Set a parameter of the world: bees=4. May be given several times."`
	User  uint32   `default:"1" placeholder:"N" help:"Which user the program plays; artificial players play the others. Default: ${default}."`
	Ticks int      `default:"1" placeholder:"N" help:"How many ticks pass in a step. Default: ${default}."`
}

func (gymCommand) Help() string {
	return `A world without network or clock, for programs that learn to play: it goes on when it is told to. Requests are lines of JSON on standard input,
{"type":"reset","seed":7} and {"type":"step","acts":[{"verb":"steer","args":{"ax":1}}]}; each is answered by one line with the messages of the thin protocol (docs/protocol.md) and
the world's score. The same seed and the same acts give the same answers. sdk/python has an environment over it with Gymnasium's interface.

Examples:
  throng gym swarm --set bees=4
  throng gym pong --ticks 5`
}

// gymRequest is a line that a program sends.
type gymRequest struct {
	Type string            `json:"type"`
	Seed uint64            `json:"seed"`
	Acts []json.RawMessage `json:"acts"`
}

// gymLine is how long a request may be.
const gymLine = 1 << 20

func (c *gymCommand) Run(e *environment) error {
	chosen, err := e.program.World(c.World)
	if err != nil {
		return &experiment.UserError{Message: err.Error()}
	}
	for _, set := range c.Set {
		path, value, ok := strings.Cut(set, "=")
		if !ok {
			return &experiment.UserError{Where: "--set " + set, Message: "wants the form path=value"}
		}
		if err := param.Set(chosen.Config, strings.TrimPrefix(path, "world."), value); err != nil {
			return &experiment.UserError{Where: "--set " + set, Message: err.Error()}
		}
	}
	w, err := chosen.Build()
	if err != nil {
		return &experiment.UserError{Message: err.Error()}
	}
	if c.User < 1 || world.User(c.User) > w.Users() || c.Ticks < 1 {
		return &experiment.UserError{Message: fmt.Sprintf("users are 1 to %d, and at least one tick passes", w.Users())}
	}
	x := &exercise{world: w, user: world.User(c.User), ticks: c.Ticks, catalogue: thin.NewCatalogue(w)}
	lines := bufio.NewScanner(e.stdin)
	lines.Buffer(nil, gymLine)
	for lines.Scan() {
		if _, err := e.stdout.Write(append(x.answer(lines.Bytes()), '\n')); err != nil {
			return err
		}
	}
	return lines.Err()
}

// exercise is a world that goes on when it is told to.
type exercise struct {
	world     world.World
	user      world.User
	ticks     int
	catalogue *thin.Catalogue

	// Since the last reset:
	replica mechanism.Replica
	players map[world.User]world.Player
	acts    map[world.User]uint32
	stream  *thin.Stream
	view    *world.State
}

// answer carries out a request. What is wrong with it is said in the answer.
func (x *exercise) answer(line []byte) []byte {
	var r gymRequest
	err := json.Unmarshal(line, &r)
	var refused []string
	w := thin.Writer{}
	switch {
	case err != nil:
	case r.Type == "reset":
		x.reset(r.Seed)
	case r.Type == "step" && x.stream != nil:
		refused = x.step(r.Acts)
	default:
		err = fmt.Errorf("a request is a reset, or a step after one")
	}
	if err != nil {
		return thin.Plain(thin.JSON, "error", "reason", err.Error())
	}
	entries := 3
	if r.Type == "reset" {
		entries++
	}
	w.Map(entries)
	if r.Type == "reset" {
		w.Key("schema")
		w.Map(3)
		w.Key("user")
		w.Int(int64(x.user))
		x.catalogue.Describe(&w)
		w.EndMap()
	}
	w.Key("views")
	x.look(&w)
	w.Key("score")
	w.Decimal(x.score(), 6)
	w.Key("refused")
	w.Array(len(refused))
	for _, why := range refused {
		w.String(why)
	}
	w.EndArray()
	w.EndMap()
	return w.B
}

func (x *exercise) reset(seed uint64) {
	start := world.NewState(x.world.Schema(), seed)
	x.world.Populate(start)
	x.replica = mechanism.NewReplica(x.world, start)
	x.players, x.acts = map[world.User]world.Player{}, map[world.User]uint32{}
	for u := range x.world.Users() {
		x.players[u+1] = x.world.Player(u+1, random.New(seed, "player", uint64(u+1)))
	}
	x.stream = thin.NewStream(x.catalogue)
	x.view = world.NewState(x.world.Schema(), seed)
}

// step has everybody act and lets time pass. It returns what of the program's acts makes no sense.
func (x *exercise) step(acts []json.RawMessage) (refused []string) {
	for i := range x.ticks {
		for u := range x.world.Users() {
			do := func(a world.Action) {
				x.acts[u+1]++
				a.User, a.Seq = u+1, x.acts[u+1]
				x.replica.Do(&a)
			}
			switch {
			case u+1 != x.user:
				x.players[u+1].Play(world.View{State: x.replica.State, User: u + 1}, do)
			case i == 0:
				refused = x.act(acts, do)
			}
		}
		x.replica.Advance()
	}
	return refused
}

func (x *exercise) act(acts []json.RawMessage, do func(world.Action)) (refused []string) {
	for _, text := range acts {
		r, err := thin.ReadAct(text)
		var a world.Action
		if err == nil {
			a, err = x.catalogue.Action(&r)
		}
		if err != nil {
			refused = append(refused, err.Error())
			continue
		}
		do(a)
	}
	return refused
}

// look tells what the user sees now, in as many views as it takes.
func (x *exercise) look(w *thin.Writer) {
	x.view.Release()
	limited, bounded := x.world.(world.Limited)
	veiled, _ := x.world.(world.Veiled)
	for o := range x.replica.State.All() {
		if o.User == x.user || (!bounded || x.near(o, limited.Limits())) && (veiled == nil || veiled.Sees(x.replica.State, x.user, o)) {
			x.view.Put(*o)
		}
	}
	w.Array(0)
	for x.stream.Look(x.view) {
		x.stream.Write(w, world.Time(x.replica.State.Tick())*x.world.Schema().Tick)
	}
	w.EndArray()
}

// near reports whether an object is in sight of anything that is the user's.
func (x *exercise) near(o *world.Object, l world.Limits) bool {
	for mine := range x.replica.State.All() {
		if mine.User == x.user && mine.Pos.Within(o.Pos, l.Sight) {
			return true
		}
	}
	return false
}

// score is the world's own count, in millionths; zero where it has none.
func (x *exercise) score() int64 {
	if s, ok := x.world.(world.Scored); ok {
		return int64(s.Score(x.replica.State).MulInt(1_000_000).Round())
	}
	return 0
}
