package cluster

import (
	"encoding/json"
	"errors"
	"fmt"

	"throng/catalog"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// founding is what a world begins with, the same for all of its processes.
type founding struct {
	description []byte     // a session.Description as JSON
	hash        uint64     // of the world at tick zero
	trial       uint64     // of what its nodes say in its first moments: see scene.trial
	key         []byte     // by which seats' tokens are signed
	grace       world.Time // for which a seat is kept
	wanted      int        // processes that there shall be
	ledger      bool       // every action that servers carry out is written down
	processes   []process  // those that it begins with, by number
}

func (f *founding) append(dst []byte) []byte {
	dst = wire.AppendBytes(dst, f.description)
	dst = wire.AppendUint64(dst, f.hash)
	dst = wire.AppendUint64(dst, f.trial)
	dst = wire.AppendBytes(dst, f.key)
	dst = wire.AppendUint(dst, uint64(f.grace))
	dst = wire.AppendUint(dst, uint64(f.wanted))
	dst = append(dst, flag(f.ledger))
	dst = wire.AppendUint(dst, uint64(len(f.processes)))
	for i := range f.processes {
		dst = appendProcess(dst, &f.processes[i])
	}
	return dst
}

func readFounding(r *wire.Reader) (founding, error) {
	f := founding{
		description: append([]byte(nil), r.Bytes()...), hash: r.Uint64(), trial: r.Uint64(), key: append([]byte(nil), r.Bytes()...),
		grace: world.Time(r.UintMax(uint64(world.Never))), wanted: int(r.UintMax(processesMax)), ledger: r.Byte() != 0,
	}
	for range r.UintMax(processesMax) {
		f.processes = append(f.processes, readProcess(r))
	}
	if err := r.Done(); err != nil {
		return founding{}, fmt.Errorf("the world's founding cannot be read: %w", err)
	}
	return f, nil
}

// processesMax is how many processes a world may have at a time: all of them agree on everything that happens.
const processesMax = 9

// scene is a world as a process has built it.
type scene struct {
	description session.Description
	session     *mechanism.Session
	mechanism   mechanism.Mechanism
	servers     []mechanism.Place
}

// build makes the world of a founding, and makes sure that it comes out, and goes on, as it did in the process that has founded it.
func (f *founding) build(c catalog.Catalog) (*scene, error) {
	s := &scene{}
	if err := json.Unmarshal(f.description, &s.description); err != nil {
		return nil, fmt.Errorf("the world's description cannot be read: %w", err)
	}
	var err error
	if s.session, s.mechanism, err = s.description.Build(c); err != nil {
		return nil, fmt.Errorf("the world cannot be built here: %w", err)
	}
	if hash := s.session.Start.Hash(); hash != f.hash {
		return nil, errRules
	}
	for _, p := range s.session.Places {
		if p.User == 0 {
			s.servers = append(s.servers, p)
		}
	}
	switch trial, err := s.trial(); {
	case err != nil:
		return nil, err
	case f.trial == 0: // it is being founded
		f.trial = trial
	case f.trial != trial:
		return nil, errRules
	}
	return s, nil
}

// errRules is the answer to a program that would make another world of the same inputs.
var errRules = errors.New("the world comes out differently here than where it began: this program has other rules. Take the program that it began with, or one with the same rules; a world with the new rules has to begin anew")

// errServerless is the answer to replicating what has no servers.
var errServerless = errors.New("there are no servers under this mechanism: every user keeps the world, and there is nothing to replicate")

// check says why a world cannot live on several processes, if it cannot.
func (s *scene) check() error {
	if len(s.servers) == 0 {
		return errServerless
	}
	for _, p := range s.session.Places {
		if p.User == 0 {
			continue
		}
		node, err := s.mechanism.NewNode(s.session, p)
		if err != nil {
			return err
		}
		if _, arriving := node.(mechanism.Arriving); !arriving {
			return errors.New("under this mechanism nobody can join while the world runs, so no process can take over from another")
		}
		break
	}
	return nil
}
