package cluster

import (
	"fmt"
	"path/filepath"
	"strconv"

	pb "go.etcd.io/raft/v3/raftpb"

	"throng/catalog"
	"throng/live/replica"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

// Copy is what one process has kept of a world.
type Copy struct {
	Dir         string
	Process     uint32
	Description session.Description
	Time        world.Time // of the world, as far as is certain
	Entries     int        // of the log after the snapshot
	Applied     uint64     // the number of the last entry that is certain to have been agreed on
	Processes   int        // that the world lived on
	Seats       int        // of people
	Nodes       []mechanism.Node
	World       world.World
}

// Inspect reads what a folder holds: of each process that has left anything there, the world as far as that process knew it to be
// agreed on. Nobody may use the folder meanwhile.
func Inspect(data string, c catalog.Catalog) (copies []*Copy, err error) {
	for i := 1; i <= processesMax; i++ {
		dir := filepath.Join(data, strconv.Itoa(i))
		id, err := readIdentity(dir)
		if err != nil {
			return nil, err
		}
		if id == nil {
			continue
		}
		one, err := inspect(dir, id, c)
		if err != nil {
			return copies, fmt.Errorf("%s: %w", dir, err)
		}
		copies = append(copies, one)
	}
	if len(copies) == 0 {
		return nil, fmt.Errorf("%s holds no world", data)
	}
	return copies, nil
}

func inspect(dir string, id *identity, c catalog.Catalog) (*Copy, error) {
	f, err := id.world()
	if err != nil {
		return nil, err
	}
	scene, err := f.build(c)
	if err != nil {
		return nil, err
	}
	own, err := lockSlot(dir)
	if err != nil {
		return nil, err
	}
	defer own.close()
	disk, err := own.open()
	if err != nil {
		return nil, err
	}
	nodes, err := replica.NewNodes(scene.mechanism, scene.session, scene.servers, func(mechanism.Message) bool { return true }, nil)
	if err != nil {
		return nil, err
	}
	m := &machine{scene: scene, directory: newDirectory(f, scene.session.Places), nodes: nodes, carriedOut: func(outcome) {}, restored: func() {}}
	if f.ledger {
		m.keepLedger()
	}
	one := &Copy{Dir: dir, Process: id.Number, Description: scene.description, World: scene.session.World}
	if err := one.replay(disk, m); err != nil {
		return nil, err
	}
	one.Time, one.Processes, one.Seats = m.now(), len(m.directory.processes), len(m.directory.seats)
	for _, p := range scene.servers {
		one.Nodes = append(one.Nodes, nodes.Node(p.ID))
	}
	return one, nil
}

// replay takes the snapshot and all that was agreed on after it.
func (c *Copy) replay(disk replica.Disk, m *machine) error {
	hard, snapshot, entries, err := disk.Load()
	if err != nil {
		return err
	}
	if snapshot != nil {
		if err := m.Restore(snapshot.Data); err != nil {
			return fmt.Errorf("the snapshot up to entry %d cannot be used: %w", snapshot.GetMetadata().GetIndex(), err)
		}
		c.Applied = snapshot.GetMetadata().GetIndex()
	}
	c.Entries = len(entries)
	for _, e := range entries {
		if e.GetIndex() > hard.GetCommit() {
			break
		}
		if e.GetType() == pb.EntryNormal && len(e.Data) > 0 {
			m.Apply(e.Data, false)
		}
		c.Applied = e.GetIndex()
	}
	return nil
}
