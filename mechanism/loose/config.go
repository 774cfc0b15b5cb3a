package loose

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// Config is the mechanism and its parameters.
type Config struct {
	// Interval is the time from one full update to the next. An update goes out at the first tick at which it is due, so
	// an interval below the world's tick means one at every tick. Shorter intervals cost datagrams in proportion and
	// bring views closer together, down to what the network's delay allows; beyond that they only add corrections.
	Interval world.Time `param:"interval" default:"350ms" range:"1ms..60s" help:"a host sends all that it answers for this often"`

	// Threshold is how far an object may be from its ghost before an update for it goes out at once, by the name of its
	// kind. At zero every difference is sent. A kind that is not named here has the threshold that the world declares.
	Threshold map[string]fixed.F `param:"threshold" range:"0..1000000" help:"by kind: an object farther from its ghost than this is sent at once"`

	// Phase says how hosts' full updates lie to one another in time.
	Phase string `param:"phase" default:"spread" options:"spread|together" help:"full updates of the hosts are spread over the interval, or all at once"`

	// Patience is with hosts that send nothing. They have gone then, and where users can leave each of the others has theirs
	// leave, in its own view.
	Patience world.Time `param:"patience" default:"10s" range:"0s..1h" help:"the user of a host that is not heard of for this long leaves; 0 has nobody leave"`
}

// The phases.
const (
	Spread   = "spread"   // host i of n begins after i/n of the interval
	Together = "together" // all begin after one interval
)

// Places gives each user a peer.
func (c *Config) Places(w world.World) []mechanism.Place { return mechanism.Peers(w) }

// NewNode builds a peer.
func (c *Config) NewNode(s *mechanism.Session, p mechanism.Place) (mechanism.Node, error) {
	thresholds, err := c.thresholds(s.World.Schema())
	if err != nil {
		return nil, err
	}
	return newNode(c, s, p, thresholds), nil
}

// unplaced is the threshold of kinds without a place, which have no ghosts.
const unplaced = fixed.Max

// thresholds returns each kind's threshold.
func (c *Config) thresholds(s *world.Schema) ([]fixed.F, error) {
	thresholds := make([]fixed.F, len(s.Kinds))
	for i := range s.Kinds {
		thresholds[i] = s.Kinds[i].Threshold
		if !placed(&s.Kinds[i]) {
			thresholds[i] = unplaced
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Threshold)) {
		kind, ok := s.Kind(name)
		if !ok || thresholds[kind] == unplaced {
			return nil, fmt.Errorf("threshold.%s: the kinds with a place in world %s are %s",
				name, s.Name, strings.Join(placedKinds(s), ", "))
		}
		thresholds[kind] = c.Threshold[name]
	}
	return thresholds, nil
}

func placed(k *world.Kind) bool {
	return slices.ContainsFunc(k.Variables, func(v world.Variable) bool { return v.Slot <= world.SlotZ })
}

func placedKinds(s *world.Schema) []string {
	var names []string
	for i := range s.Kinds {
		if placed(&s.Kinds[i]) {
			names = append(names, s.Kinds[i].Name)
		}
	}
	return names
}
