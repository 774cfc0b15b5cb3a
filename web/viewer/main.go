//go:build js && wasm

// Command viewer is the page for recordings in WebAssembly: package replay behind functions that JavaScript calls. How bytes
// pass to and fro is said in package memory.
package main

import (
	"throng/web/internal/memory"
	"throng/web/internal/replay"
	"throng/world"
)

var (
	player  *replay.Player
	problem string
)

func main() { select {} } // the exports live on

func moment(ms float64) world.Time { return world.Time(ms * float64(world.Millisecond)) }

func done(err error) bool {
	problem = ""
	if err != nil {
		problem = err.Error()
	}
	return err == nil
}

// open opens a recording of n bytes, whose memory becomes the player's, in place of the one before.
//
//go:wasmexport open
func open(n int32) bool {
	p, err := replay.Open(memory.Keep(n))
	if err == nil {
		if player != nil {
			_ = player.Close() // it only read from memory
		}
		player = p
	}
	return done(err)
}

// reason says what went wrong last.
//
//go:wasmexport reason
func reason() int32 { return memory.GiveText(problem) }

//go:wasmexport describe
func describe() int32 { return memory.Give(player.Describe()) }

// choose has the tracks played whose numbers stand in n bytes, two for each.
//
//go:wasmexport choose
func choose(n int32) {
	tracks, in := make([]int, 0, n/2), memory.Given(n)
	for i := 0; i+1 < int(n); i += 2 {
		tracks = append(tracks, int(in[i])|int(in[i+1])<<8)
	}
	player.Choose(tracks...)
}

//go:wasmexport show
func show(at float64) bool { return done(player.Show(moment(at))) }

//go:wasmexport list
func list(track int32) int32 {
	return memory.Give(player.List(int(track)))
}

//go:wasmexport said
func said(track int32, id int64) int32 {
	return memory.GiveText(player.Said(int(track), world.ID(id)))
}

// curves gives the values of all curves, frame by frame.
//
//go:wasmexport curves
func curves() int32 {
	return memory.Give(player.Curves())
}
