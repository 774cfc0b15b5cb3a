package record

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"sort"

	"github.com/klauspost/compress/zstd"

	"throng/world"
	"throng/world/wire"
)

// Error says what is wrong with a recording, and where.
type Error struct {
	File   string // empty if the recording is not in a file
	Offset int64
	Err    error
}

func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("recording: byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("%s: byte %d: %v", e.File, e.Offset, e.Err)
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// Reader plays a recording. It stands on one frame at a time, at first before frame zero. What it hands out holds until it
// moves.
type Reader struct {
	in     io.ReaderAt
	size   int64
	name   string
	closer io.Closer
	header *Header

	groups []group
	starts []int // by group: the number of its first frame; and the number of all frames at the end
	damage error

	decoder *zstd.Decoder
	section []byte // the last one read

	loaded   int         // the group that the following are of, or -1
	unpacked []byte      // frames and actions
	shown    []byte      // the frames
	noted    []byte      // the notes
	rest     wire.Reader // the frames after the current one
	actions  []Action
	frame    int // the current one, or -1

	states []*world.State // by track
	skip   []bool
	curves []float64
}

// OpenFile opens a recording that is in a file.
func OpenFile(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	r, err := Open(f, info.Size())
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	r.closer = f
	return r, nil
}

// Open opens a recording of the given size. Whatever the bytes are, it neither panics nor asks for more memory than the
// format's limits allow for; what is wrong with them is told as an [*Error]. If in has a Name, as files have, errors begin
// with it.
func Open(in io.ReaderAt, size int64) (*Reader, error) {
	r := &Reader{in: in, size: size, loaded: -1, frame: -1}
	if named, ok := in.(interface{ Name() string }); ok {
		r.name = named.Name()
	}
	end, err := r.readHead()
	if err != nil {
		return nil, err
	}
	if err := r.readIndex(end); err != nil {
		r.damage = fmt.Errorf("%w; what comes before byte %d can be read", err, r.scan(end))
	}
	if err := r.number(); err != nil {
		return nil, err
	}
	r.decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(maxGroup), zstd.WithDecoderMaxWindow(maxGroup), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return nil, err
	}
	r.states = newStates(r.header.World, len(r.header.Tracks))
	r.skip = make([]bool, len(r.header.Tracks))
	r.curves = make([]float64, len(r.header.Curves))
	return r, nil
}

// Close gives back what the reader holds, and closes the file that OpenFile opened.
func (r *Reader) Close() error {
	r.decoder.Close()
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// Header says what was recorded.
func (r *Reader) Header() *Header { return r.header }

// Frames is how many frames there are.
func (r *Reader) Frames() int { return r.starts[len(r.groups)] }

// Damage says what is wrong with a recording that can be read up to some point only, as one whose run was killed. It is nil
// for a recording that was closed properly; single groups of it can still turn out to be damaged when they are read.
func (r *Reader) Damage() error { return r.damage }

// Frame is the number of the frame that the reader stands on, or -1 before the first and after an error.
func (r *Reader) Frame() int { return r.frame }

// Time is when the frame was taken.
func (r *Reader) Time() world.Time { return r.timeOf(r.frame) }

func (r *Reader) timeOf(frame int) world.Time { return world.Time(frame) * r.header.span() }

// State is what a track shows in the frame; nil if there is no frame or the track was left out by Select.
func (r *Reader) State(track int) *world.State {
	if r.frame < 0 || r.skip[track] {
		return nil
	}
	return r.states[track]
}

// Curves are the values of the curves in the frame, in the order of the header; NaN for those that have none.
func (r *Reader) Curves() []float64 {
	if r.frame < 0 {
		return nil
	}
	return r.curves
}

// Actions are those taken after the frame before, up to and at this frame, in the order in which they were taken.
func (r *Reader) Actions() []Action {
	if r.frame < 0 {
		return nil
	}
	until := func(t world.Time) int {
		return sort.Search(len(r.actions), func(i int) bool { return r.actions[i].Time > t })
	}
	return r.actions[until(r.timeOf(r.frame-1)):until(r.timeOf(r.frame))]
}

// AllActions runs through the actions of the whole recording, those after the last frame included. It moves the reader to
// before the first frame, and ends with the first error.
func (r *Reader) AllActions() iter.Seq2[Action, error] {
	return func(yield func(Action, error) bool) {
		for g := range r.groups {
			err := r.load(g)
			r.frame = -1
			if err != nil {
				yield(Action{}, err)
				return
			}
			for _, a := range r.actions {
				if !yield(a, nil) {
					return
				}
			}
		}
	}
}

// Select has only these tracks read from now on, which saves the time that others would take; without tracks, only curves
// and actions are read. It moves the reader to before the first frame.
func (r *Reader) Select(tracks ...int) {
	for i := range r.skip {
		r.skip[i] = !slices.Contains(tracks, i)
	}
	r.loaded, r.frame = -1, -1
}

// Next moves to the next frame. It returns io.EOF after the last.
func (r *Reader) Next() error {
	if r.frame+1 == r.Frames() {
		return io.EOF
	}
	return r.At(r.frame + 1)
}

// At moves to any frame: from the one before it at once, from elsewhere by way of the last key frame.
func (r *Reader) At(frame int) error {
	if frame < 0 || frame >= r.Frames() {
		return fmt.Errorf("there is no frame %d: the recording has %d", frame, r.Frames())
	}
	g := sort.SearchInts(r.starts, frame+1) - 1
	if g != r.loaded {
		if err := r.load(g); err != nil {
			return err
		}
	} else if frame < r.frame || r.frame < r.starts[g] {
		r.rewind()
	}
	for r.frame < frame {
		if err := r.step(); err != nil {
			at := r.frame + 1
			r.loaded, r.frame = -1, -1
			return r.errorf(r.groups[g].offset, "frame %d: %w", at, err)
		}
	}
	return nil
}

// rewind goes to before the first frame of the loaded group.
func (r *Reader) rewind() {
	r.rest = wire.NewReader(r.shown)
	r.frame = r.starts[r.loaded] - 1
}

// step reads the next frame of the loaded group.
func (r *Reader) step() error {
	key := r.frame+1 == r.starts[r.loaded]
	for i, s := range r.states {
		diff := wire.NewReader(r.rest.Bytes())
		if r.rest.Failed() {
			return errors.New("its length is wrong")
		}
		if r.skip[i] {
			continue
		}
		if key {
			s.Release()
		}
		if err := s.ApplyDiff(&diff); err != nil {
			return fmt.Errorf("track %d: %w", i, err)
		}
		if err := diff.Done(); err != nil {
			return fmt.Errorf("track %d: %w", i, err)
		}
	}
	for i := range r.curves {
		r.curves[i] = math.Float64frombits(r.rest.Uint64())
	}
	last := r.frame+2 == r.starts[r.loaded+1]
	if r.rest.Failed() || last && r.rest.Len() > 0 {
		return errors.New("its length is wrong")
	}
	r.frame++
	return nil
}

func (r *Reader) errorf(offset int64, format string, args ...any) error {
	return &Error{r.name, offset, fmt.Errorf(format, args...)}
}
