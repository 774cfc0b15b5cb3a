//go:build js && wasm

package browser

import (
	"math"
	"unsafe"

	"throng/live/protocol"
	"throng/mechanism"
	"throng/web/internal/memory"
	"throng/web/internal/play"
	"throng/web/internal/trouble"
	"throng/world"
	"throng/world/fixed"
)

// streamMax is how long a frame on a stream may be: a snapshot of a large world.
const streamMax = 8 << 20

// The player's page: package play behind functions that JavaScript calls.
var (
	client   *play.Client
	splitter = protocol.NewSplitter(streamMax)
)

//go:wasmexport hello
func hello(now float64, token int32, fresh bool, datagramMax int32) {
	splitter = protocol.NewSplitter(streamMax)
	client.Hello(moment(now), memory.Given(token), fresh, int(datagramMax))
}

//go:wasmexport receive
func receive(now float64, n int32) { client.Receive(moment(now), memory.Given(n)) }

// stream takes bytes of a stream on which frames stand behind their lengths. It reports whether the stream is sound.
//
//go:wasmexport stream
func stream(now float64, n int32) bool {
	splitter.Write(memory.Given(n))
	for {
		frame, err := splitter.Next()
		if err != nil {
			return false
		}
		if frame == nil {
			return true
		}
		client.Receive(moment(now), frame)
	}
}

//go:wasmexport lost
func lost() { client.Lost() }

//go:wasmexport bye
func bye() { client.Bye() }

// advance does what is due and returns when it is to be called next.
//
//go:wasmexport advance
func advance(now float64) float64 {
	due := client.Advance(moment(now))
	if due == world.Never {
		return math.Inf(1)
	}
	return float64(due) / float64(world.Millisecond)
}

//go:wasmexport frames
func frames() int32 { return memory.Give(client.Frames()) }

// meet says whether other players may be connected to directly from the next node on, and whether the server is on this machine.
//
//go:wasmexport meet
func meet(may, local bool) { client.Meet(may, local) }

//go:wasmexport orders
func orders() int32 { return memory.Give(client.Orders()) }

// hear takes news of a connection to another player, with n bytes.
//
//go:wasmexport hear
func hear(now float64, number, what, n int32) {
	client.Hear(moment(now), uint32(number), play.News(what), memory.Given(n))
}

//go:wasmexport phase
func phase() int32 {
	p, _ := client.Phase()
	return int32(p)
}

//go:wasmexport reason
func reason() int32 {
	_, why := client.Phase()
	return memory.GiveText(why)
}

//go:wasmexport notice
func notice() int32 { return memory.GiveText(client.Notice()) }

//go:wasmexport describe
func describe() int32 { return memory.Give(client.Describe()) }

//go:wasmexport view
func view(now float64) int32 { return memory.Give(client.View(moment(now))) }

//go:wasmexport ghosts
func ghosts() int32 { return memory.Give(client.Ghosts()) }

// reveal takes what is really so, of n bytes, from servers or from the owners of things.
//
//go:wasmexport reveal
func reveal(n int32, owners bool) bool { return client.Reveal(memory.Given(n), owners) }

//go:wasmexport truths
func truths(now float64) int32 { return memory.Give(client.Truths(moment(now))) }

//go:wasmexport backdrop
func backdrop() int32 { return memory.Give(client.Backdrop()) }

// areas gives the parts of the world.
//
//go:wasmexport areas
func areas() int32 { return memory.Give(client.Areas()) }

// clouds gives the crowds that are not shown one by one.
//
//go:wasmexport clouds
func clouds() int32 { return memory.Give(client.Clouds()) }

// zones gives the zones of the world and whom the user's node deals with.
//
//go:wasmexport zones
func zones() int32 { return memory.Give(client.Zones()) }

// vanish cuts the user's node off from another.
//
//go:wasmexport vanish
func vanish(now float64, node int32) { client.Vanish(moment(now), mechanism.NodeID(node)) }

// watch says what is on the screen.
//
//go:wasmexport watch
func watch(now, x0, y0, x1, y1 float64) { client.Watch(moment(now), x0, y0, x1, y1) }

// scenery gives what never changes between two corners.
//
//go:wasmexport scenery
func scenery(x0, y0, x1, y1 float64) int32 { return memory.Give(client.Scenery(x0, y0, x1, y1)) }

//go:wasmexport said
func said(id int64) int32 { return memory.GiveText(client.Said(world.ID(id))) }

// counts returns where the counters are, each of eight bytes.
//
//go:wasmexport counts
func counts() unsafe.Pointer { return unsafe.Pointer(client.Counts()) }

//go:wasmexport act
func act(now float64, verb int32, target, a, b, c, d, e, f int64) bool {
	return client.Act(moment(now), world.Action{
		Verb: world.VerbID(verb), Target: world.ID(target), Args: [world.MaxArgs]int64{a, b, c, d, e, f},
	})
}

//go:wasmexport say
func say(now float64, n int32) bool { return client.Say(moment(now), string(memory.Given(n))) }

//go:wasmexport autopilot
func autopilot(on bool) { client.Autopilot(on) }

//go:wasmexport raw
func raw(on bool) { client.Raw(on) }

// worsen sets delay and jitter in milliseconds, the model of the jitter, whose name has n bytes, and the share lost.
//
//go:wasmexport worsen
func worsen(delay, jitter float64, n int32, loss float64) bool {
	return client.Trouble(trouble.Setting{
		Delay: moment(delay), Jitter: moment(jitter), Shape: string(memory.Given(n)), Loss: fixed.F(loss * float64(fixed.One)),
	}) == nil
}
