//go:build !js

package app

import (
	"log/slog"
	"net/http"
	"sync/atomic"

	"throng/app/recorder"
	"throng/internal/param"
	"throng/lab/experiment"
	"throng/live/hub"
	"throng/live/truth"
	"throng/mechanism"
	"throng/world"
)

// local reports whether only this machine can reach the server: what nobody is to see is no secret to whoever runs it.
func (s *serving) local() bool { return isLoopback(s.Listen) && !s.BehindProxy }

// recorded is the recorder of a world, if it has one, and what the hub tells it.
type recorded struct {
	recorder atomic.Pointer[recorder.Recorder]
}

// watch has the hub tell the recorder, as soon as there is one, what artificial players do and who comes and goes.
func (r *recorded) watch(c *hub.Config) {
	acted, joined, left := c.Acted, c.Joined, c.Left
	c.Acted = func(p mechanism.Place, a *world.Action) {
		if acted != nil {
			acted(p, a)
		}
		if to := r.recorder.Load(); to != nil {
			to.Acted(p, a)
		}
	}
	tell := func(before func(*hub.Seat), then func(*recorder.Recorder, *hub.Seat)) func(*hub.Seat) {
		return func(s *hub.Seat) {
			if before != nil {
				before(s)
			}
			if to := r.recorder.Load(); to != nil {
				then(to, s)
			}
		}
	}
	c.Joined, c.Left = tell(joined, (*recorder.Recorder).Joined), tell(left, (*recorder.Recorder).Left)
}

// start begins to record a world.
func (r *recorded) start(s *serving, h *hub.Hub, log *slog.Logger) error {
	var params []string
	for _, v := range param.Values(s.world.Config) {
		params = append(params, "world."+v.Path+"="+v.Text)
	}
	for _, v := range param.Values(s.mechanism.Config) {
		params = append(params, "mechanism."+v.Path+"="+v.Text)
	}
	to, err := recorder.Start(h, recorder.Config{
		Folder: s.Record, Views: s.RecordViews, Length: s.RecordLength, Size: int64(s.RecordSize),
		Mechanism: s.Mechanism, Params: params, Seed: s.seed, Log: log,
	})
	if err != nil {
		return &experiment.UserError{Where: s.from["record"], Message: "cannot be written: " + reason(err)}
	}
	r.recorder.Store(to)
	log.Info("the world is recorded", "folder", s.Record)
	return nil
}

// close ends the recording.
func (r *recorded) close() {
	if r == nil {
		return
	}
	if to := r.recorder.Swap(nil); to != nil {
		to.Close()
	}
}

// truthBasis is the header that says where the truth is from.
const truthBasis = "Throng-Basis"

// truthful serves, beside what a world's gateway does, what is really so in it, where only this machine can ask.
func (s *serving) truthful(h *hub.Hub, gate http.Handler) http.Handler {
	if !s.local() {
		return gate
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/truth", serveTruth(truth.New(h)))
	mux.Handle("/", gate)
	return mux
}

// serveTruth gives what is really so in a world, as package world encodes a state.
func serveTruth(o *truth.Observer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body []byte
		o.Look(func(s *world.State, b truth.Basis) {
			body = s.Append(nil)
			w.Header().Set(truthBasis, string(b))
		})
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Write(body)
	}
}

// recordings are those of the folder that the world is recorded into.
func (s *serving) recordings() []recording {
	if s.Record == "" {
		return nil
	}
	list, _ := findRecordings(s.Record) // where there are none yet, there are none
	return list
}
