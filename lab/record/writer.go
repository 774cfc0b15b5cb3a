package record

import (
	"errors"
	"fmt"
	"io"
	"math"

	"throng/lab/measure"
	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// Options say what of a run is recorded. The zero value records every host's view at every tick.
type Options struct {
	Every  world.Tick         // ticks from one frame to the next; zero means 1
	Group  world.Time         // time from one key frame to the next, which bounds the work of a jump; zero means 5 s
	Hosts  []mechanism.NodeID // whose views; nil means those of all clients
	Truth  *measure.Truth     // recorded as the last track unless nil; it must observe the run already
	Curves []Curve
	Notes  bool // of every datagram, and of what nodes report

	Mechanism, Network string   // their names, for the header,
	Params             []string // and all parameters as path=value
}

// Curve is a number to be followed through the run, such as measure.Divergence's Now. Value is called once for each frame.
type Curve struct {
	Name, Unit string
	Value      func() float64
}

const defaultGroup = 5 * world.Second

// Writer records a run. It is an observer of package sim. What goes wrong on the way is told by Close, which must be called.
//
// Differences are taken to copies of the views in memory of the writer's own. Sharing the views' pages instead would be
// cheaper where little changes, but then nodes that report their memory would report the recording's as well.
type Writer struct {
	out    io.Writer
	file   *file // nil where the caller owns out
	header Header
	views  []func() *world.State // by track
	curves []func() float64
	before []*world.State // by track: the last frame

	groupFrames uint32     // how many frames make a full group,
	groupBytes  int        // and how many bytes a group can have
	current     groupHead  // the group being filled
	shown       []byte     // its frames
	acted       []byte     // its actions,
	actedLast   world.Time // and when the last of them was taken
	pending     []Action   // taken since the last frame
	notes       notes      // of the group being filled
	samples     []float64  // of the curves, now
	scratch     []byte     // one difference
	packed      []byte     // a section on its way out

	packer packer
	groups []group
	offset int64
	err    error
	closed bool
}

// Attach has a run that has not started yet recorded to out, which stays the caller's to close.
func Attach(r *sim.Run, out io.Writer, opts Options) (*Writer, error) {
	setup, schema := r.Setup(), r.Start().Schema()
	w := newWriter(out, Header{
		World: schema, Mechanism: opts.Mechanism, Network: opts.Network, Params: append([]string{}, opts.Params...),
		Seed: setup.Seed, Duration: setup.Duration, Warmup: setup.Warmup, Every: max(opts.Every, 1),
	})
	w.header.Events, w.header.Causes = happenings(r)
	hosts, err := choose(r.Hosts(), opts.Hosts)
	if err != nil {
		return nil, err
	}
	for _, h := range hosts {
		w.track(Track{h.Place.ID, h.Place.Role, h.Place.User}, w.viewOf(h))
	}
	if opts.Truth != nil {
		w.track(Track{Role: RoleTruth}, opts.Truth.State)
	}
	w.follow(opts.Curves)
	if err := w.begin(opts.Group); err != nil {
		return nil, err
	}
	r.Observe(w)
	if opts.Notes {
		r.Observe(newScribe(r, w))
	}
	return w, nil
}

// View is a track of a recording, and what it shows at each frame.
type View struct {
	Track
	Now func() *world.State
}

// New begins a recording of something that is no run of the laboratory, such as a live world: whoever calls it says when a frame is due
// ([Writer.Tick], by the time since the beginning), what users do ([Writer.Took]) and what else happens ([Writer.Note]). The header's
// tracks and curves are filled in.
func New(out io.Writer, about Header, views []View, curves []Curve, group world.Time) (*Writer, error) {
	w := newWriter(out, about)
	for _, v := range views {
		w.track(v.Track, v.Now)
	}
	w.follow(curves)
	return w, w.begin(group)
}

func newWriter(out io.Writer, about Header) *Writer {
	about.Tracks, about.Curves = []Track{}, []Label{}
	return &Writer{out: out, header: about}
}

func (w *Writer) follow(curves []Curve) {
	for _, c := range curves {
		w.header.Curves = append(w.header.Curves, Label{c.Name, c.Unit})
		w.curves = append(w.curves, c.Value)
	}
}

// choose returns the hosts with the given IDs, or all that have a view.
func choose(all []*sim.Host, ids []mechanism.NodeID) ([]*sim.Host, error) {
	var chosen []*sim.Host
	if ids == nil {
		for _, h := range all {
			if h.Place.User != 0 {
				chosen = append(chosen, h)
			}
		}
		return chosen, nil
	}
	for _, id := range ids {
		if id == 0 || int(id) > len(all) || all[id-1].Place.User == 0 {
			return nil, fmt.Errorf("record: node %d has no view to record", id)
		}
		chosen = append(chosen, all[id-1])
	}
	return chosen, nil
}

// viewOf is what a host's user sees: nothing while its node is not there.
func (w *Writer) viewOf(h *sim.Host) func() *world.State {
	nothing := world.NewState(w.header.World, 0)
	return func() *world.State {
		if view := h.View(); view != nil {
			return view
		}
		return nothing
	}
}

func (w *Writer) track(t Track, view func() *world.State) {
	w.header.Tracks = append(w.header.Tracks, t)
	w.views = append(w.views, view)
}

// begin writes the header.
func (w *Writer) begin(group world.Time) error {
	if group <= 0 {
		group = defaultGroup
	}
	w.packed = beginSection(appendPreamble(nil), headKind)
	var err error
	if w.packed, err = appendHeader(w.packed, &w.header); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	w.groupFrames = uint32(min(world.TicksIn(group, w.header.span()), math.MaxUint32))
	w.groupBytes = maxGroup
	w.before = newStates(w.header.World, len(w.views))
	if w.packer, err = newPacker(); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	endSection(w.packed[preambleSize:])
	w.write(w.packed)
	return w.err
}

// newStates returns n empty states that share a pool of pages, so that small ones do not take a large pool each.
func newStates(schema *world.Schema, n int) []*world.State {
	states := make([]*world.State, n)
	for i := range states {
		if i == 0 {
			states[i] = world.NewState(schema, 0)
		} else {
			states[i] = states[0].Clone()
		}
	}
	return states
}

// Acted implements sim.ActionObserver.
func (w *Writer) Acted(h *sim.Host, now world.Time, a *world.Action) {
	if err := w.header.World.CheckAction(a); err != nil {
		w.fail(fmt.Errorf("record: user %d took an action that makes no sense: %w", a.User, err))
	}
	w.take(Action{now, h.Place.ID, *a})
}

// Took says that a user has acted. What makes no sense in the world is left out.
func (w *Writer) Took(a Action) {
	if w.header.World.CheckAction(&a.Action) == nil {
		w.take(a)
	}
}

func (w *Writer) take(a Action) {
	if w.err == nil && !w.closed {
		w.pending = append(w.pending, a)
	}
}

// Tick implements sim.TickObserver.
func (w *Writer) Tick(now world.Time) {
	tick := int64(now / w.header.World.Tick)
	if w.err != nil || w.closed || tick%int64(w.header.Every) != 0 {
		return
	}
	if tick != w.next() {
		w.fail(fmt.Errorf("record: tick %d is missing: the recording was attached to a run under way", w.next()))
		return
	}
	if w.current.frames == w.groupFrames {
		w.flush()
	}
	w.sample()
	start := len(w.shown)
	w.appendFrame()
	if w.full() && w.current.frames > 0 {
		w.shown = w.shown[:start]
		w.flush()
		w.appendFrame()
	}
	if w.full() {
		w.fail(fmt.Errorf("record: a frame of %d bytes, where at most %d are allowed: record fewer hosts", len(w.shown), w.groupBytes))
		return
	}
	w.appendPending()
	for i, view := range w.views {
		w.before[i].CopyFrom(view())
	}
	w.current.frames++
}

// full reports whether the group would be too large with all actions that are pending.
func (w *Writer) full() bool {
	const actionMax = 100 // bytes
	return len(w.shown)+len(w.acted)+len(w.notes.list)+len(w.pending)*actionMax > w.groupBytes
}

func (w *Writer) appendFrame() {
	for i, view := range w.views {
		if w.current.frames == 0 {
			w.before[i].Release()
		}
		w.scratch = world.AppendDiff(w.scratch[:0], w.before[i], view())
		w.shown = wire.AppendBytes(w.shown, w.scratch)
	}
	for _, v := range w.samples {
		w.shown = wire.AppendUint64(w.shown, math.Float64bits(v))
	}
}

func (w *Writer) sample() {
	w.samples = w.samples[:0]
	for _, value := range w.curves {
		v := value()
		if math.IsNaN(v) {
			v = math.NaN() // processors differ in the bits of the NaN that they compute
		}
		w.samples = append(w.samples, v)
	}
}

func (w *Writer) appendPending() {
	for i := range w.pending {
		a := &w.pending[i]
		w.acted = appendTaken(w.acted, a, w.actedLast)
		w.actedLast = a.Time
	}
	w.pending = w.pending[:0]
}

// flush writes the group and begins the next one.
func (w *Writer) flush() {
	w.current.shown, w.current.acted, w.current.noted = uint32(len(w.shown)), uint32(len(w.acted)), uint32(len(w.notes.list))
	w.shown = append(append(w.shown, w.acted...), w.notes.list...)
	w.packed = beginSection(w.packed[:0], groupKind)
	w.packed = append(w.packed, make([]byte, groupSize)...)
	w.current.put(w.packed[sectionSize:])
	w.packed = w.packer.pack(w.packed, w.shown)
	endSection(w.packed)
	w.groups = append(w.groups, group{w.current.first, w.offset, uint32(len(w.packed)), w.current.frames, sumIn(w.packed)})
	w.write(w.packed)
	w.current = groupHead{first: w.next()}
	w.shown, w.acted, w.actedLast = w.shown[:0], w.acted[:0], 0
	w.notes.next()
}

// next is the tick of the next frame.
func (w *Writer) next() int64 {
	return w.current.first + int64(w.current.frames)*int64(w.header.Every)
}

// Close ends the recording, also that of a run which did not come to its end, and gives its file the final name. If anything
// went wrong since the beginning it says what, and there is no file.
func (w *Writer) Close() error {
	if w.closed {
		return errors.New("record: the recording is closed already")
	}
	w.closed = true
	w.finish()
	if w.file == nil {
		return w.err
	}
	if w.err == nil {
		w.fail(w.file.commit())
	}
	if w.err != nil {
		w.file.discard()
	}
	return w.err
}

// Discard ends the recording without leaving a file. What was written elsewhere than to a file stays as it is.
func (w *Writer) Discard() {
	if !w.closed && w.file != nil {
		w.file.discard()
	}
	w.closed = true
}

// finish writes what is left of the last group, with the actions after its last frame, and the index.
func (w *Writer) finish() {
	if w.current.frames > 0 {
		if w.full() {
			w.fail(errors.New("record: too many actions after the last frame"))
		}
		w.appendPending()
		w.flush()
	}
	w.packed = beginSection(w.packed[:0], indexKind)
	for i := range w.groups {
		w.packed = appendEntry(w.packed, &w.groups[i])
	}
	endSection(w.packed)
	w.write(appendFooter(w.packed, w.offset, len(w.packed)))
}

func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	_, err := w.out.Write(b)
	w.fail(err)
	w.offset += int64(len(b))
}

// fail remembers what went wrong first.
func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Err is what went wrong first, if anything did.
func (w *Writer) Err() error { return w.err }

// Written is how many bytes have been written so far.
func (w *Writer) Written() int64 { return w.offset }
