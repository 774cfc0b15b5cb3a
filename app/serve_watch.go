//go:build !js

package app

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"throng/app/recorder"
	"throng/internal/param"
	"throng/lab/experiment"
	"throng/live/gateway"
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
func (r *recorded) start(s *serving, h *hub.Hub, folder string, log *slog.Logger) error {
	var params []string
	for _, v := range param.Values(s.world.Config) {
		params = append(params, "world."+v.Path+"="+v.Text)
	}
	for _, v := range param.Values(s.mechanism.Config) {
		params = append(params, "mechanism."+v.Path+"="+v.Text)
	}
	to, err := recorder.Start(h, recorder.Config{
		Folder: folder, Views: s.RecordViews, Length: s.RecordLength, Size: int64(s.RecordSize),
		Mechanism: h.Mechanism(), Params: params, Seed: s.seed, Log: log,
	})
	if err != nil {
		return &experiment.UserError{Where: s.from["record"], Message: "cannot be written: " + reason(err)}
	}
	r.recorder.Store(to)
	log.Info("the world is recorded", "folder", folder)
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
func (s *serving) truthful(h *hub.Hub, own *pressed, gate http.Handler) http.Handler {
	if !s.local() {
		return gate
	}
	mux := http.NewServeMux()
	mux.Handle("GET /api/truth", onlyHere(serveTruth(truth.New(h))))
	mux.Handle("POST /api/recording", onlyHere(s.serveRecording(h, own)))
	mux.Handle("/", gate)
	return mux
}

// onlyHere serves whoever asks on this machine, and for it: neither what a proxy passes on, nor another site's page, nor one that has its own
// name lead here.
func onlyHere(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !gateway.OnThisMachine(r) || gateway.FromOtherSite(r) {
			answerJSON(w, http.StatusForbidden, problem{"this is only for pages and programs on the server's own machine"})
			return
		}
		h.ServeHTTP(w, r)
	})
}

// pressed is what records a world because somebody on the page has asked. The settings' lock guards it.
type pressed struct {
	recorded
	timer *time.Timer // ends it
	over  bool        // the world has ended
}

// stop ends what is recorded of a world that ends.
func (s *serving) stop(own *pressed) {
	s.pressing.Lock()
	defer s.pressing.Unlock()
	if own.over = true; own.timer != nil {
		own.timer.Stop()
	}
	own.close()
}

// pressedMax is for how long a world is recorded because somebody on the page has asked: the page may be gone.
const pressedMax = 30 * time.Minute

// serveRecording begins to record a world for somebody on the page, or ends it.
func (s *serving) serveRecording(h *hub.Hub, own *pressed) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name, err := s.press(own, h, r.URL.Query().Get("on") == "true")
		if err != nil {
			answerJSON(w, http.StatusConflict, problem{err.Error()})
			return
		}
		answerJSON(w, http.StatusOK, struct {
			Name string `json:"name"`
		}{name})
	}
}

// press begins or ends a recording, and returns the name of the one that is or was written.
func (s *serving) press(own *pressed, h *hub.Hub, on bool) (string, error) {
	s.pressing.Lock()
	defer s.pressing.Unlock()
	to := own.recorder.Load()
	switch {
	case own.over:
		return "", hub.ErrClosed
	case on && to == nil:
		if s.pressed == "" {
			folder, err := os.MkdirTemp("", "throng-recordings-")
			if err != nil {
				return "", err
			}
			s.pressed = folder
		}
		if err := own.start(s, h, cmp.Or(s.Record, s.pressed), slog.Default()); err != nil {
			return "", err
		}
		to = own.recorder.Load()
		own.timer = time.AfterFunc(pressedMax, func() { s.press(own, h, false) })
	case !on && to == nil:
		return "", errors.New("nothing is recorded")
	case !on:
		own.timer.Stop() // or it would end the next one
		defer own.close()
	}
	return to.Name(), nil
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

// recordings are those of the folder that the world is recorded into, and of people on the page.
func (s *serving) recordings() (list []recording) {
	s.pressing.Lock()
	folders := []string{s.Record, s.pressed}
	s.pressing.Unlock()
	for _, folder := range folders {
		if folder != "" {
			found, _ := findRecordings(folder) // where there are none yet, there are none
			list = append(list, found...)
		}
	}
	return list
}
