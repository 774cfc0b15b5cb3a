package bus

import (
	"fmt"
	"log/slog"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"throng/mechanism/mechanismtest"
	"throng/mechanism/parts/area"
	"throng/world"
	"throng/world/fixed"
)

// BenchmarkPublish is what it takes to tell some servers of a pulse's changes of a volume that all of them watch: each change as a message to the subject of its
// node in the octree, for NATS to spread; or gathered for each server into datagrams of differences, over NATS as they go, or over UDP. The decision is in
// docs/decisions: go test -run '^$' -bench Publish ./live/bus
func BenchmarkPublish(b *testing.B) {
	const changes = 100
	for _, servers := range []int{1, 3, 10} {
		b.Run(fmt.Sprintf("subjects/servers=%d", servers), func(b *testing.B) {
			w := newMedium(b, servers, func(i int) string { return "tree.>" })
			w.measure(b, changes, func(objects []world.Object) (messages int) {
				for i := range objects {
					o := &objects[i]
					msg := w.schema.AppendObject([]byte{1, 2, 3, 4}, o, nil, world.Exact) // its ID goes before
					w.send(fmt.Sprintf("tree.3.1.%d.%d", i%8, i/8%8), msg)
				}
				return len(objects) * servers
			})
		})
		for _, how := range []string{"datagrams", "udp"} {
			b.Run(fmt.Sprintf("%s/servers=%d", how, servers), func(b *testing.B) {
				w := newMedium(b, servers, func(i int) string { return fmt.Sprint("node.", i) })
				if how == "udp" {
					w.listen(b, servers)
				}
				var encoders []*area.Encoder
				for range servers {
					encoders = append(encoders, area.NewEncoder(w.schema, area.Delta))
				}
				var buf []byte
				w.measure(b, changes, func(objects []world.Object) (messages int) {
					for i, e := range encoders {
						for k := range objects {
							e.Put(&objects[k])
						}
						for more := true; more; messages++ {
							buf, more = e.Append(buf[:0], 1168)
							w.sendTo(i, buf)
						}
					}
					return messages
				})
			})
		}
	}
}

// BenchmarkWrite is a write that three storage nodes confirm, over NATS and over UDP: a state is sent to each, which reads it and answers. What a server waits for until it writes is not in it.
func BenchmarkWrite(b *testing.B) {
	const copies = 3
	for _, how := range []string{"nats", "udp"} {
		b.Run(how, func(b *testing.B) {
			w := newMedium(b, copies, func(i int) string { return fmt.Sprint("node.", i) })
			if how == "udp" {
				w.listen(b, copies)
			}
			w.hearAnswers(b)
			encoder, o := area.NewEncoder(w.schema, area.Delta), world.Object{ID: 1, User: 1, Vel: fixed.Vec{X: fixed.One}}
			var buf []byte
			var times []time.Duration
			for b.Loop() {
				world.Drift(&o, w.schema.Tick)
				encoder.Put(&o)
				buf, _ = encoder.Append(buf[:0], 1168)
				began := time.Now()
				for i := range copies {
					w.sendTo(i, buf)
				}
				for range copies {
					<-w.heard
				}
				times = append(times, time.Since(began))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds()), "µs/median")
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "µs/p99")
		})
	}
}

// medium is a publisher and some servers that listen.
type medium struct {
	schema *world.Schema
	nc     *nats.Conn
	udp    []net.Conn
	heard  chan struct{}
	bytes  int

	answers bool   // those who hear something say so
	reply   string // to where, over NATS
}

func newMedium(b *testing.B, servers int, subject func(i int) string) *medium {
	s, err := listen("127.0.0.1:0", slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.nats.Shutdown)
	connect := func() *nats.Conn {
		nc, err := nats.Connect(s.nats.ClientURL(), nats.Token(s.token))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(nc.Close)
		return nc
	}
	w := &medium{schema: mechanismtest.Marbles(3).Schema(), nc: connect(), heard: make(chan struct{}, 1<<16)}
	for i := range servers {
		nc := connect()
		if _, err := nc.Subscribe(subject(i), func(m *nats.Msg) {
			if m.Reply == "" {
				w.heard <- struct{}{}
			} else {
				m.Respond(m.Data[:1])
			}
		}); err != nil {
			b.Fatal(err)
		}
		if err := nc.Flush(); err != nil {
			b.Fatal(err)
		}
	}
	return w
}

// listen has the servers be reached by UDP.
func (w *medium) listen(b *testing.B, servers int) {
	for range servers {
		in, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		out, err := net.Dial("udp", in.LocalAddr().String())
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { in.Close(); out.Close() })
		w.udp = append(w.udp, out)
		go func() {
			buf := make([]byte, 2000)
			for {
				_, from, err := in.ReadFrom(buf)
				if err != nil {
					return
				}
				if !w.answers {
					w.heard <- struct{}{}
				} else if _, err := in.WriteTo(buf[:1], from); err != nil {
					return
				}
			}
		}()
	}
}

// hearAnswers has whoever is told something answer, and the publisher take note of answers instead.
func (w *medium) hearAnswers(b *testing.B) {
	w.answers = true
	if w.udp == nil {
		w.reply = nats.NewInbox()
		if _, err := w.nc.Subscribe(w.reply, func(*nats.Msg) { w.heard <- struct{}{} }); err != nil {
			b.Fatal(err)
		}
	}
	for _, c := range w.udp {
		go func() {
			buf := make([]byte, 10)
			for {
				if _, err := c.Read(buf); err != nil {
					return
				}
				w.heard <- struct{}{}
			}
		}()
	}
}

func (w *medium) send(subject string, msg []byte) {
	w.bytes += len(subject) + len(msg)
	if w.answers {
		w.nc.PublishRequest(subject, w.reply, msg)
		return
	}
	w.nc.Publish(subject, msg)
}

func (w *medium) sendTo(server int, msg []byte) {
	if w.udp != nil {
		w.bytes += len(msg)
		w.udp[server].Write(msg)
		return
	}
	w.send(fmt.Sprint("node.", server), msg)
}

// measure publishes pulse after pulse, each when the one before has been heard by all.
func (w *medium) measure(b *testing.B, changes int, publish func([]world.Object) (messages int)) {
	objects := make([]world.Object, changes)
	for i := range objects {
		objects[i] = world.Object{ID: world.ID(i + 1), User: world.User(i + 1), Vel: fixed.Vec{X: fixed.One}}
	}
	for b.Loop() {
		for i := range objects {
			world.Drift(&objects[i], w.schema.Tick)
		}
		messages := publish(objects)
		w.nc.Flush()
		for range messages {
			<-w.heard
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*changes), "ns/change")
	b.ReportMetric(float64(w.bytes)/float64(b.N*changes), "B/change")
}
