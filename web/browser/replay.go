//go:build js && wasm

package browser

import (
	"throng/catalog"
	"throng/web/internal/memory"
	"throng/web/internal/replay"
	"throng/world"
)

// The page for recordings: package replay behind functions that JavaScript calls.
var (
	offered catalog.Catalog
	player  *replay.Player
	problem string
)

func done(err error) bool {
	problem = ""
	if err != nil {
		problem = err.Error()
	}
	return err == nil
}

// replayOpen opens a recording of n bytes, whose memory becomes the player's, in place of the one before.
//
//go:wasmexport replay_open
func replayOpen(n int32) bool {
	p, err := replay.Open(memory.Keep(n), offered)
	if err == nil {
		if player != nil {
			_ = player.Close() // it only read from memory
		}
		player = p
	}
	return done(err)
}

// replayReason says what went wrong last.
//
//go:wasmexport replay_reason
func replayReason() int32 { return memory.GiveText(problem) }

//go:wasmexport replay_describe
func replayDescribe() int32 { return memory.Give(player.Describe()) }

// replayChoose has the tracks played whose numbers stand in n bytes, two for each.
//
//go:wasmexport replay_choose
func replayChoose(n int32) {
	tracks, in := make([]int, 0, n/2), memory.Given(n)
	for i := 0; i+1 < int(n); i += 2 {
		tracks = append(tracks, int(in[i])|int(in[i+1])<<8)
	}
	player.Choose(tracks...)
}

//go:wasmexport replay_show
func replayShow(at float64) bool { return done(player.Show(moment(at))) }

//go:wasmexport replay_list
func replayList(track int32) int32 {
	return memory.Give(player.List(int(track)))
}

//go:wasmexport replay_said
func replaySaid(track int32, id int64) int32 {
	return memory.GiveText(player.Said(int(track), world.ID(id)))
}

// replayCurves gives the values of all curves, frame by frame.
//
//go:wasmexport replay_curves
func replayCurves() int32 {
	return memory.Give(player.Curves())
}

// replayDensity counts what was noted in parts of the recording.
//
//go:wasmexport replay_density
func replayDensity(parts int32) int32 { return memory.Give(player.Density(int(parts))) }

// replayNoted gives what was noted in a span of time.
//
//go:wasmexport replay_noted
func replayNoted(from, to float64, most int32) int32 {
	return memory.Give(player.Noted(moment(from), moment(to), int(most)))
}
