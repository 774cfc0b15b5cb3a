// Package recorder records a world that is served, without end and within bounds: the truth, what some artificial players see and do,
// who comes and goes, and how busy the server is. The files are recordings of package record, which can be watched while they are
// written.
package recorder

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"throng/lab/record"
	"throng/live/hub"
	"throng/live/truth"
	"throng/mechanism"
	"throng/world"
)

// Ending is what names of recordings end in.
const Ending = ".throng"

// Config says what is recorded, and how much of it is kept.
type Config struct {
	Folder string
	Views  int        // how many artificial players' views
	Length world.Time // of a file, after which another is begun
	Size   int64      // bytes of all files: when there are more the oldest are removed

	Mechanism string
	Params    []string // of world and mechanism, as path=value
	Seed      uint64
	Log       *slog.Logger

	sync func(f *os.File) error // for tests; nil for what is on the disk
}

const (
	frameSpan = 50 * world.Millisecond // from one frame to the next, or a tick if that is longer
	groupSpan = 5 * world.Second       // what a program that is killed loses at most
	behindMax = 2 * groupSpan          // after a longer pause another file is begun: what was in between nobody has seen
	retry     = 30 * time.Second       // after what could not be written
	share     = 8                      // of what is kept: no file has more than this part of it
	waitMax   = 10_000                 // actions between two frames
)

// Recorder records one world.
type Recorder struct {
	config Config
	hub    *hub.Hub
	truth  *truth.Observer
	quit   chan struct{}
	ended  chan struct{}
	name   atomic.Pointer[string]

	mu      sync.Mutex
	taken   []record.Action // since the last frame, by the world's clock
	changes []record.Note

	// Of the goroutine that records:
	schema *world.Schema
	every  world.Tick
	file   *os.File
	writer *record.Writer
	start  world.Time // of the file, by the world's clock
	next   world.Time // frame, since then
	tracks []*track
	told   bool // that nothing can be written
	load   load
}

// track is what one node shows, copied where it runs.
type track struct {
	node  mechanism.NodeID
	state *world.State
}

// Start begins to record a world. The recorder's Acted, Joined and Left are to be called with what the hub tells.
func Start(h *hub.Hub, c Config) (*Recorder, error) {
	if err := os.MkdirAll(c.Folder, 0o755); err != nil {
		return nil, err
	}
	if c.sync == nil {
		c.sync = (*os.File).Sync
	}
	schema := h.World().Schema()
	r := &Recorder{
		config: c, hub: h, truth: truth.New(h), schema: schema, every: max(1, world.Tick(frameSpan/schema.Tick)),
		quit: make(chan struct{}), ended: make(chan struct{}),
	}
	r.load.hub = h
	if err := r.begin(); err != nil {
		return nil, err
	}
	go r.run()
	return r, nil
}

// Name is that of the file being written, as it will be.
func (r *Recorder) Name() string { return *r.name.Load() }

// Acted notes what an artificial player does.
func (r *Recorder) Acted(p mechanism.Place, a *world.Action) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.taken) < waitMax {
		r.taken = append(r.taken, record.Action{Time: r.hub.Now(), Node: p.ID, Action: *a})
	}
}

// Joined notes that somebody has come, Left that somebody has gone.
func (r *Recorder) Joined(s *hub.Seat) { r.change(s, "joined") }

// Left notes that somebody has gone.
func (r *Recorder) Left(s *hub.Seat) { r.change(s, "left") }

func (r *Recorder) change(s *hub.Seat, what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.changes) < waitMax {
		r.changes = append(r.changes, record.Note{Time: r.hub.Now(), Kind: record.Happened, Node: s.Place().ID, User: s.User(), Text: s.Name + " " + what})
	}
}

// Close ends the recording in good order.
func (r *Recorder) Close() {
	close(r.quit)
	<-r.ended
}

func (r *Recorder) run() {
	defer close(r.ended)
	defer r.end()
	span := world.Time(r.every) * r.schema.Tick
	timer := time.NewTicker(time.Duration(span))
	defer timer.Stop()
	var failed time.Time
	for {
		select {
		case <-r.quit:
			return
		case now := <-timer.C:
			if r.writer == nil {
				if now.Sub(failed) < retry {
					continue
				}
				if err := r.begin(); err != nil {
					failed = now
					r.complain(err)
					continue
				}
			}
			r.frames()
			if r.writer == nil {
				failed = now
			}
		}
	}
}

// frames writes the frames that are due. Where one was missed the next is written twice: frames are where their times say.
func (r *Recorder) frames() {
	now := r.hub.Now() - r.start
	if now-r.next > behindMax || r.next >= r.config.Length || r.writer.Written() > r.config.Size/share {
		r.end()
		if err := r.begin(); err != nil {
			r.complain(err)
			return
		}
		now = r.hub.Now() - r.start
	}
	if now < r.next {
		return
	}
	r.look()
	for span := world.Time(r.every) * r.schema.Tick; r.next <= now; r.next += span {
		r.pass(r.next - span)
		r.writer.Tick(r.next)
	}
	if err := r.writer.Err(); err != nil {
		r.complain(err)
		r.end()
	}
}

// pass hands the writer what has happened since a frame, within the time of the next.
func (r *Recorder) pass(before world.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := before + 1
	for _, a := range r.taken {
		last = min(max(a.Time-r.start, last), r.next)
		a.Time = last
		r.writer.Took(a)
	}
	for _, n := range r.changes {
		n.Time = min(max(n.Time-r.start, before), r.next)
		r.writer.Note(n)
	}
	r.taken, r.changes = r.taken[:0], r.changes[:0]
}

// look copies what nodes hold now.
func (r *Recorder) look() {
	r.truth.Look(func(s *world.State, _ truth.Basis) { r.tracks[0].state.CopyFrom(s) })
	for _, t := range r.tracks[1:] {
		found := r.hub.Look(t.node, func(n mechanism.Node) {
			if c, ok := n.(mechanism.Client); ok {
				t.state.CopyFrom(c.View())
			}
		})
		if !found { // a person has taken over
			t.state.Release()
		}
	}
	r.load.look()
}

// complain says once what is wrong.
func (r *Recorder) complain(err error) {
	if !r.told {
		r.config.Log.Error("the world cannot be recorded; trying again now and then", "error", err)
	}
	r.told = true
}

// begin begins another file.
func (r *Recorder) begin() error {
	prune(r.config.Folder, r.config.Size)
	at := time.Now().UTC()
	name := fmt.Sprintf("%s-%s-%s%s", at.Format("2006-01-02T150405.000Z"), r.schema.Name, r.config.Mechanism, Ending)
	file, err := os.OpenFile(filepath.Join(r.config.Folder, name+record.PartSuffix), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	// From a whole tick on, so that the frames of all files lie on ticks.
	r.start, r.next = mechanism.TimeOf(mechanism.TickAt(r.hub.Now(), r.schema.Tick), r.schema.Tick), 0
	writer, err := record.New(durable{file, r.config.sync}, record.Header{
		World: r.schema, Mechanism: r.config.Mechanism, Network: "live", Params: r.config.Params, Seed: r.config.Seed, Duration: r.config.Length,
		Every: r.every, Start: r.start, Began: at.Format(time.RFC3339),
	}, r.views(), r.load.curves(), groupSpan)
	if err != nil {
		file.Close()
		os.Remove(file.Name())
		return err
	}
	r.file, r.writer = file, writer
	r.name.Store(&name)
	return nil
}

// views are what is recorded: the truth, and what some artificial players see.
func (r *Recorder) views() []record.View {
	empty := world.NewState(r.schema, 0)
	r.tracks = []*track{{state: empty}}
	views := []record.View{{Track: record.Track{Role: record.RoleTruth}, Now: func() *world.State { return empty }}}
	for _, n := range r.hub.Nodes() {
		if len(r.tracks) > r.config.Views {
			break
		}
		if n.Holding != hub.Artificial {
			continue
		}
		t := &track{n.Place.ID, empty.Clone()}
		r.tracks = append(r.tracks, t)
		views = append(views, record.View{Track: record.Track{Node: n.Place.ID, Role: n.Place.Role, User: n.Place.User}, Now: func() *world.State { return t.state }})
	}
	return views
}

// end ends the file and gives it its name.
func (r *Recorder) end() {
	if r.writer == nil {
		return
	}
	path := r.file.Name()
	err := r.writer.Close()
	if closing := r.file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(path, path[:len(path)-len(record.PartSuffix)])
		r.told = false
	}
	if err != nil {
		r.complain(err) // what was written before stays, and can be read up to there
	}
	r.writer = nil
}

// durable has what is written be on the disk before anything else is.
type durable struct {
	file *os.File
	sync func(f *os.File) error
}

func (d durable) Write(b []byte) (int, error) {
	n, err := d.file.Write(b)
	if err == nil {
		err = d.sync(d.file)
	}
	return n, err
}
