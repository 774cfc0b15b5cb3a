package central

import (
	"fmt"
	"testing"
	"time"

	"throng/internal/param"
	"throng/mechanism"
	"throng/mechanism/parts/input"
	"throng/mechanism/parts/membership"
	"throng/mechanism/parts/update"
	"throng/world"
	"throng/world/random"
	"throng/world/wire"
	"throng/world/worldtest"
	"throng/worlds/crowd"
)

// load is a server under the load of clients that acknowledge at once what they get and, unless they are idle, act in every
// tick. What the clients do is not measured.
type load struct {
	server  *authority
	clients []loader
	idle    bool
	now     world.Time
	random  random.Stream
	out     mechanism.Outbox
	buf     []byte

	served, actions   int64
	bytes             int64
	waking, receiving time.Duration
}

type loader struct {
	number, high, seq uint32
	owes              bool // a receipt
}

func newLoad(tb testing.TB, mode string, users int, change func(*Config)) *load {
	tb.Helper()
	params := param.Default[crowd.Config]()
	params.Mode, params.Walkers = mode, users
	w := worldtest.Make[world.World](tb, &params)
	config := param.Default[Config]()
	if change != nil {
		change(&config)
	}
	start := world.NewState(w.Schema(), 1)
	w.Populate(start)
	s := &mechanism.Session{World: w, Start: start, Places: config.Places(w)}
	node, err := config.NewNode(s, s.Places[0])
	if err != nil {
		tb.Fatal(err)
	}
	l := &load{server: node.(*authority), clients: make([]loader, users), random: random.New(1, "load")}
	l.wake()
	for i := range l.clients {
		l.receive(i, input.AppendJoin(nil, membership.Identity{Life: 1}, world.User(i+1)))
	}
	return l
}

func (l *load) wake() {
	began := time.Now()
	l.server.Wake(l.now, &l.out)
	l.waking += time.Since(began)
	for i := range l.out.Sends() {
		m := l.out.Message(i, server)
		r := wire.NewReader(m.Payload[1:])
		c := &l.clients[m.To-2]
		c.high, c.owes = input.ReadPreface(&r).Header.Seq, true
		l.bytes += int64(len(m.Payload))
	}
	l.out.Reset()
}

func (l *load) receive(i int, msg []byte) {
	began := time.Now()
	l.server.Receive(l.now, mechanism.Message{From: mechanism.NodeID(i + 2), To: server, Payload: msg}, &l.out)
	l.receiving += time.Since(began)
	l.out.Reset()
}

// play lets a tick pass in which every client says what it has to, spread over the tick.
func (l *load) play() {
	slots := len(l.server.schedule.slots)
	n := len(l.clients)
	for slot := range slots {
		l.wake()
		for i := n * slot / slots; i < n*(slot+1)/slots; i++ {
			who := (i*7 + n/2) % n
			if !l.idle || l.clients[who].owes {
				l.say(who)
			}
		}
		l.now = l.server.schedule.at(l.server.schedule.turn)
	}
	l.served += int64(n)
}

// say has a client acknowledge, and act unless it is idle.
func (l *load) say(who int) {
	c := &l.clients[who]
	c.owes = false
	c.number++
	actions := 1
	if l.idle {
		actions = 0
	}
	l.buf = input.AppendInput(l.buf[:0], membership.Identity{Life: 1}, update.Receipt{Number: c.number, High: c.high}, actions)
	if !l.idle {
		c.seq++
		a := world.Action{User: world.User(who + 1), Seq: c.seq, Verb: crowd.Walk}
		a.Args[0], a.Args[1] = l.speed(), l.speed()
		l.buf = world.AppendAction(l.buf, &a)
	}
	l.receive(who, l.buf)
	l.actions++
}

// speed is one along an axis, in cm/s.
func (l *load) speed() int64 { return int64(l.random.Below(281)) - 140 }

func (l *load) measure(b *testing.B) {
	for range 30 {
		l.play()
	}
	l.served, l.actions, l.bytes, l.waking, l.receiving = 0, 0, 0, 0, 0
	b.ReportAllocs()
	for b.Loop() {
		l.play()
	}
	served := float64(l.served)
	b.ReportMetric(float64(l.waking.Nanoseconds())/served, "ns/update")
	b.ReportMetric(float64(l.receiving.Nanoseconds())/served, "ns/action")
	b.ReportMetric(float64(l.bytes)/served, "B/update")
	b.ReportMetric(float64(l.server.Bytes())/float64(len(l.clients)), "B/client")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkSpread is a server whose clients each have about ten others in sight, all of whom walk another way in every tick.
func BenchmarkSpread(b *testing.B) {
	for _, users := range []int{500, 4000} {
		b.Run(fmt.Sprint(users), func(b *testing.B) { newLoad(b, "spread", users, nil).measure(b) })
	}
}

// BenchmarkDense is a server whose clients all see all others, under a budget.
func BenchmarkDense(b *testing.B) {
	for _, users := range []int{1000, 3400} {
		b.Run(fmt.Sprint(users), func(b *testing.B) {
			newLoad(b, "dense", users, func(c *Config) { c.Budget = 64_000 }).measure(b)
		})
	}
}

// BenchmarkIdle is a server whose clients all do nothing.
func BenchmarkIdle(b *testing.B) {
	l := newLoad(b, "spread", 10_000, nil)
	l.idle = true
	l.measure(b)
}
