//go:build unix

package action

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"

	"throng/internal/param"
	"throng/mechanism"
	"throng/world"
)

// BenchmarkServer is all that the server does for one move of one client: the submission, the pushes that it leads to, the
// completion, and the receipts for all that. The calls are those of three seconds of play, given to another server, and to
// a third when they are through: what is allocated is the growth of each.
func BenchmarkServer(b *testing.B) {
	for _, protocol := range []string{Incomplete, FirstBound, InformationBound} {
		for _, clients := range []int{100, 1000, 10_000} {
			b.Run(fmt.Sprintf("%s/clients=%d", protocol, clients), func(b *testing.B) { benchServer(b, protocol, clients) })
		}
	}
}

func benchServer(b *testing.B, protocol string, clients int) {
	config := param.Default[Config]()
	config.Protocol, config.RTT, config.Link.Timeout = protocol, 476*ms, 2*world.Second
	s := newSquare(clients, 687)
	c := newCrew(&config, s)
	c.record = true
	c.run(0, 3*world.Second)
	done, sent := c.server.order.installed, len(c.input)
	if done < uint64(clients) {
		b.Fatalf("only %d moves of %d clients were installed", done, clients)
	}
	again := newCrew(&config, s)
	at := 0
	b.ReportAllocs()
	runtime.GC()
	spent := processorTime()
	for b.Loop() {
		for moves := 0; moves == 0; at++ { // until the next submission
			if at == sent {
				b.StopTimer()
				before := processorTime()
				again, at = newCrew(&config, s), 0
				spent += processorTime() - before
				b.StartTimer()
			}
			x := &c.input[at]
			if x.msg.From == 0 {
				again.server.Wake(x.now, &again.out)
			} else {
				again.server.Receive(x.now, x.msg, &again.out)
			}
			again.out.Reset()
			if x.msg.Class == mechanism.Command {
				moves++
			}
		}
	}
	perMove := float64(processorTime()-spent) / float64(b.N)
	b.ReportMetric(perMove, "cpu-ns/op")
	b.ReportMetric(float64(moveEvery)/perMove, "clients/core")
}

// processorTime is what this process has used: other than the time on the clock, it does not depend on who else works.
func processorTime() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
