package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	ourjson "throng/internal/json"
	"throng/mechanism"
	"throng/world"
)

// Header says what was recorded. The world's name, length of a tick, bounds, kinds and verbs are in its schema.
type Header struct {
	World     *world.Schema `json:"-"` // written as "world"; see schemaText
	Mechanism string        `json:"mechanism"`
	Network   string        `json:"network"`
	Params    []string      `json:"params"` // every parameter of the run as path=value, as experiments write it
	Seed      uint64        `json:"seed,string"`
	Duration  world.Time    `json:"duration"` // in nanoseconds: how long the run was to take,
	Warmup    world.Time    `json:"warmup"`   // and how much of it measures left out
	Every     world.Tick    `json:"every"`    // ticks from one frame to the next
	Tracks    []Track       `json:"tracks"`
	Curves    []Label       `json:"curves"`

	// Of a live world: when by the world's clock it was first looked at, and when by everybody's. Zero and empty for a run of the
	// laboratory.
	Start world.Time `json:"start,omitempty"`
	Began string     `json:"began,omitempty"` // as RFC 3339 has it

	// What happens in the run, in the order in which it does, and why: statements of package churn. Recordings made before
	// there was anything of the kind have neither.
	Events []Happening `json:"events,omitempty"`
	Causes []string    `json:"causes,omitempty"`
}

// Track is whose view one state of each frame shows.
type Track struct {
	Node mechanism.NodeID `json:"node"` // zero for the truth
	Role string           `json:"role"` // what the node is to the mechanism, or RoleTruth
	User world.User       `json:"user"` // zero for the truth
}

// RoleTruth is the role of the track that shows the world as it would be on a network without delay.
const RoleTruth = "truth"

// Label names a curve. The unit is empty for relative figures.
type Label struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

// headerText is the JSON form of a header.
type headerText struct {
	World schemaText `json:"world"`
	Header
}

func appendHeader(dst []byte, h *Header) ([]byte, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(headerText{newSchemaText(h.World), *h})
	if err != nil {
		return nil, err
	}
	if len(text) > maxHeader {
		return nil, fmt.Errorf("a header of %d bytes, where at most %d are allowed", len(text), maxHeader)
	}
	return append(dst, text...), nil
}

func readHeader(text []byte) (*Header, error) {
	var t headerText
	if err := ourjson.Unmarshal(text, &t); err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	schema, err := t.World.schema()
	if err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	h := t.Header
	h.World = schema
	if err := h.check(); err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	return &h, nil
}

// check finds what makes a recording impossible to read, or its times impossible to compute.
func (h *Header) check() error {
	if err := h.World.Check(); err != nil {
		return err
	}
	switch {
	case len(h.World.Kinds) > math.MaxUint16+1:
		return fmt.Errorf("%d kinds of objects", len(h.World.Kinds))
	case len(h.World.Verbs) > math.MaxUint8+1:
		return fmt.Errorf("%d verbs", len(h.World.Verbs))
	case h.Every < 1:
		return fmt.Errorf("a frame every %d ticks", h.Every)
	case world.Time(h.Every) > math.MaxInt64/h.World.Tick:
		return fmt.Errorf("a frame every %d ticks of %v", h.Every, h.World.Tick)
	case h.Duration < 0 || h.Warmup < 0 || h.Start < 0:
		return fmt.Errorf("a duration of %v with a warm-up of %v", h.Duration, h.Warmup)
	case len(h.Tracks)+len(h.Curves) == 0:
		return errors.New("neither tracks nor curves") // frames of no bytes could be claimed without end
	case len(h.Tracks) > maxTracks:
		return fmt.Errorf("%d tracks, where at most %d are allowed", len(h.Tracks), maxTracks)
	case len(h.Curves) > maxCurves:
		return fmt.Errorf("%d curves, where at most %d are allowed", len(h.Curves), maxCurves)
	}
	for i, e := range h.Events {
		if e.At < 0 || i > 0 && e.At < h.Events[i-1].At || e.Cause < 0 || e.Cause >= len(h.Causes) {
			return fmt.Errorf("event %d, at %v by cause %d of %d, does not fit", i, e.At, e.Cause, len(h.Causes))
		}
	}
	return nil
}

// frameMin is how many bytes a frame has at least: nothing changed in any track.
func (h *Header) frameMin() uint64 {
	const length, seed, tick, end, curve = 1, 8, 1, 1, 8
	return uint64(len(h.Tracks))*(length+seed+tick+end) + uint64(len(h.Curves))*curve
}

// span is the time from one frame to the next.
func (h *Header) span() world.Time { return world.Time(h.Every) * h.World.Tick }
