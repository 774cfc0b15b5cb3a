package hostile

import (
	"context"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"throng/catalog"
	"throng/live/bots"
	"throng/live/direct"
	"throng/live/gateway"
	"throng/live/livetest"
	"throng/live/protocol"
	"throng/live/socket"
	"throng/mechanism"
	"throng/world/wire"
)

// description is one as package direct has it, of an end that is at a port of this machine, and never answers.
func description(dst []byte, port int) []byte {
	dst = wire.AppendBytes(dst, []byte("mallory"))
	dst = wire.AppendBytes(dst, []byte(strings.Repeat("x", 22)))
	dst = append(dst, make([]byte, 32)...)
	dst = wire.AppendUint(append(dst, 1, 0), 1) // one address, the machine's own
	return wire.AppendUint(wire.AppendBytes(dst, []byte{127, 0, 0, 1}), uint64(port))
}

// signals makes offers to everybody that lead nowhere, asks for others, answers what nobody has asked, and talks nonsense.
func signals(ctx context.Context, t *Target, r *rand.Rand, port int) {
	conn := t.enter(ctx, true)
	if conn == nil {
		return
	}
	defer conn.Close()
	for ctx.Err() == nil {
		data := protocol.AppendData(nil)
		for range 4 {
			said := []byte{byte(1 + r.IntN(7)), byte(r.IntN(3))}
			switch r.IntN(8) {
			case 0:
				said = random(r, direct.SignalMax+100)
			case 1, 2, 3, 4:
				if said[0] == 2 || said[0] == 3 { // offers and answers
					said = description(said, port)
				}
			}
			data = protocol.AppendItem(data, mechanism.NodeID(r.IntN(40)), mechanism.Signal, said)
		}
		if _, err := conn.Write(frame(socket.Final|socket.Binary, data)); err != nil {
			return
		}
		pause(ctx, 20*time.Millisecond)
	}
}

// Players who connect to each other go on doing so among others who offer them what leads nowhere, and nothing of that is left behind.
func TestSignalsOfAttackersAreNobodysConcern(t *testing.T) {
	const honest, attackers = 6, 3
	w := serve(t, "loose", new(gateway.Direct))
	nowhere, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer nowhere.Close()
	goroutines, open := runtime.NumGoroutine(), descriptors()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all sync.WaitGroup
	for i := range attackers {
		all.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			for target := NewTarget(w.public); ctx.Err() == nil; {
				signals(ctx, target, r, nowhere.LocalAddr().(*net.UDPAddr).Port)
			}
		})
	}
	report, err := bots.Run(t.Context(), bots.Config{
		URL: "http://" + w.operators, Users: honest, Direct: true, Ramp: 500 * time.Millisecond, Settle: time.Second, Duration: 2 * time.Second, Seed: 1,
	}, catalog.Default())
	stop()
	all.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if report.Joined != honest || report.Stayed != honest || report.Direct.Opened < honest || report.Direct.Direct == 0 {
		t.Errorf("of %d honest users %d stayed: %+v, %v", honest, report.Stayed, report.Direct, report.Goodbyes)
	}
	if report.Direct.Dropped == 0 || w.metric(t, `throng_drops_total{reason="malformed"}`) == 0 {
		t.Errorf("the attackers were not up to much: %+v", report.Direct)
	}
	if failures, n := w.hub.Failures(); n > 0 {
		t.Errorf("%d panics, the last: %s\n%s", n, failures[len(failures)-1].What, failures[len(failures)-1].Stack)
	}
	livetest.Until(t, "goroutines are as before", func() bool { return runtime.NumGoroutine() <= goroutines+10 })
	livetest.Until(t, "descriptors are as before", func() bool { return descriptors() <= open+10 })
}
