package measure

import (
	"math"
	"slices"

	"throng/lab/sim"
	"throng/mechanism"
	"throng/world"
)

var serviceFigures = []string{"goodput", "served.least", "slowed.mean", "slowed.max", "slowed.until"}

// Service measures what servers make of their processors' time when there is not enough of it.
type Service struct {
	run     *sim.Run
	began   world.Time
	updates []int64      // received, by node
	work    []world.Work // of servers, by node

	slowed, ticks float64 // in all, and in how many ticks
	most          float64
	until         world.Time
}

// NewService watches r.
func NewService(r *sim.Run) *Service {
	n := len(r.Hosts())
	return &Service{run: r, updates: make([]int64, n), work: make([]world.Work, n)}
}

// Begin implements sim.Beginner.
func (s *Service) Begin(now world.Time) {
	clear(s.updates)
	clear(s.work)
	*s = Service{run: s.run, began: now, updates: s.updates, work: s.work, until: now}
}

// Sent implements sim.PacketObserver.
func (s *Service) Sent(*sim.Host, mechanism.Message, int) {}

// Received implements sim.PacketObserver.
func (s *Service) Received(h *sim.Host, m mechanism.Message, _ int) {
	if m.Class == mechanism.Update && h.Client != nil {
		s.updates[h.Place.ID-1]++
	}
}

// Worked implements sim.WorkObserver.
func (s *Service) Worked(h *sim.Host, w world.Work) {
	if h.Place.User == 0 {
		s.work[h.Place.ID-1] += w
	}
}

// Tick implements sim.TickObserver.
func (s *Service) Tick(now world.Time) {
	for _, h := range s.run.Hosts() {
		node, ok := h.Node.(mechanism.Slowing)
		if !ok {
			continue
		}
		slowed := float64(node.Slowed()) / 100
		s.slowed += slowed
		s.ticks++
		s.most = max(s.most, slowed)
		if slowed > 1 {
			s.until = now
		}
	}
}

// Report implements Probe.
func (s *Service) Report(_ world.Time, emit Emit) {
	var each []float64
	var all, busy float64
	for _, h := range s.run.Hosts() {
		if h.Place.User == 0 {
			cpu := s.run.Setup().Hosts.Of(h.Place.Role).CPU
			busy += float64(s.work[h.Place.ID-1]) / float64(cpu)
			continue
		}
		if h.Node != nil {
			each = append(each, float64(s.updates[h.Place.ID-1]))
		}
		all += float64(s.updates[h.Place.ID-1])
	}
	goodput := math.NaN() // where processors have no limit, or nobody serves
	if busy > 0 && !math.IsInf(busy, 0) {
		goodput = all / busy
	}
	emit(serviceFigures[0], "1/s", goodput)
	emit(serviceFigures[1], "", leastTenth(each))
	slowed := math.NaN()
	if s.ticks > 0 {
		slowed = s.slowed / s.ticks
	}
	emit(serviceFigures[2], "", slowed)
	emit(serviceFigures[3], "", s.most)
	emit(serviceFigures[4], "s", seconds(s.until-s.began))
}

// leastTenth is the mean of the lowest tenth, over the mean.
func leastTenth(each []float64) float64 {
	if len(each) == 0 {
		return math.NaN()
	}
	slices.Sort(each)
	mean := func(of []float64) (sum float64) {
		for _, v := range of {
			sum += v
		}
		return sum / float64(len(of))
	}
	return mean(each[:(len(each)+9)/10]) / mean(each)
}
