package central

import (
	"fmt"
	"testing"
	"time"

	"throng/mechanism"
	"throng/mechanism/line"
	"throng/mechanism/update"
	"throng/world"
	"throng/world/fixed"
	"throng/world/random"
	"throng/world/wire"
)

// load is a server under the load of clients that all act in every tick and acknowledge at once what they get. What the
// clients do is not measured.
type load struct {
	server  *authority
	clients []loader
	now     world.Time
	random  random.Stream
	out     mechanism.Outbox
	buf     []byte

	updates, actions  int64
	bytes             int64
	waking, receiving time.Duration
}

type loader struct {
	number, high, seq uint32
}

func newLoad(tb testing.TB, w *walkers, change func(*Config)) *load {
	config := Default()
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
	l := &load{server: node.(*authority), clients: make([]loader, w.users), random: random.New(1, "load")}
	l.wake()
	for i := range l.clients {
		l.receive(i, line.AppendJoin(nil, line.Epoch{Life: 1}, world.User(i+1)))
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
		l.clients[m.To-2].high = line.ReadPreface(&r).Header.Seq
		l.updates++
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

// play lets a tick pass in which every client acts once, spread over the tick.
func (l *load) play() {
	slots := len(l.server.rota.slots)
	n := len(l.clients)
	for slot := range slots {
		l.wake()
		for i := n * slot / slots; i < n*(slot+1)/slots; i++ {
			c := &l.clients[(i*7+slots/2*n/slots)%n]
			who := (i*7 + slots/2*n/slots) % n
			c.number++
			c.seq++
			l.buf = line.AppendInput(l.buf[:0], line.Epoch{Life: 1}, update.Receipt{Number: c.number, High: c.high}, 1)
			a := steering(l.random.Between(-walkerSpeed, walkerSpeed), l.random.Between(-walkerSpeed, walkerSpeed))
			a.User, a.Seq = world.User(who+1), c.seq
			l.buf = world.AppendAction(l.buf, &a)
			l.receive(who, l.buf)
			l.actions++
		}
		l.now = l.server.rota.at(l.server.rota.turn)
	}
}

func (l *load) measure(b *testing.B) {
	for range 30 {
		l.play()
	}
	l.updates, l.actions, l.bytes, l.waking, l.receiving = 0, 0, 0, 0, 0
	ticks := 0
	b.ReportAllocs()
	for b.Loop() {
		l.play()
		ticks++
	}
	served := float64(ticks * len(l.clients))
	b.ReportMetric(float64(l.waking.Nanoseconds())/served, "ns/update")
	b.ReportMetric(float64(l.receiving.Nanoseconds())/float64(l.actions), "ns/action")
	b.ReportMetric(float64(l.bytes)/served, "B/update")
	b.ReportMetric(float64(l.server.Bytes())/float64(len(l.clients)), "B/client")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkSpread is a server whose clients each have about ten others in sight, all of whom move and act in every tick.
func BenchmarkSpread(b *testing.B) {
	for _, users := range []world.User{500, 5000} {
		b.Run(fmt.Sprint(users), func(b *testing.B) { newLoad(b, newWalkers(users, 10), nil).measure(b) })
	}
}

// BenchmarkDense is a server whose clients all see all others, under a budget.
func BenchmarkDense(b *testing.B) {
	for _, users := range []world.User{1000, 4000} {
		b.Run(fmt.Sprint(users), func(b *testing.B) {
			newLoad(b, newWalkers(users, int64(users)), func(c *Config) { c.Budget = 64 << 10 }).measure(b)
		})
	}
}

var _ = fixed.One
