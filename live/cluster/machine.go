package cluster

import (
	"errors"
	"fmt"

	"throng/live/replica"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

// The kinds of entries in the log: the first byte of each.
const (
	entryBatch   = 1 // a time, and what servers' nodes are handed then
	entryCommand = 2 // who asks, the number of the request, and a command for the directory
)

// machine is the state that a world's processes agree on: its servers' nodes, and the directory.
type machine struct {
	scene     *scene
	directory *directory
	nodes     *replica.Nodes
	ledger    *ledger // nil unless somebody wants to know

	// carriedOut is told of every command when it has been: who asked, and what came of it.
	carriedOut func(o outcome)
	restored   func() // is told when everything was replaced
}

// keepLedger has every action be written down that servers carry out.
func (m *machine) keepLedger() {
	m.ledger = newLedger()
	m.nodes.OnEvent(m.ledger.note)
	m.nodes.OnOrder(m.ledger)
}

// outcome is what came of a command.
type outcome struct {
	asker, request uint64
	reply          []byte
	moves          []move
	touched        []mechanism.NodeID // hold during the call
	err            error
	leads          bool
}

// Apply takes the next entry of the log.
func (m *machine) Apply(entry []byte, leads bool) {
	switch body := entry[1:]; entry[0] {
	case entryBatch:
		if m.directory.ended != "" {
			return // users who say goodbye because of it shall find themselves in their places when it goes on
		}
		r := wire.NewReader(body)
		m.nodes.Pass(world.Time(min(r.Uint64(), uint64(world.Never))))
		m.nodes.Apply(r.Rest(), leads)
	case entryCommand:
		r := wire.NewReader(body)
		o := outcome{asker: r.Uint64(), request: r.Uint64(), leads: leads}
		o.reply, o.moves, o.err = m.directory.apply(r.Rest(), m.now())
		o.touched = m.directory.touched
		m.carriedOut(o)
	default:
		panic(fmt.Sprintf("cluster: an entry of the log is of kind %d", entry[0])) // it was written by one of us
	}
}

// now is the world's time by what was agreed on last.
func (m *machine) now() world.Time { return max(0, m.nodes.Now()) }

func appendCommand(dst []byte, asker, request uint64, command []byte) []byte {
	dst = append(dst, entryCommand)
	dst = wire.AppendUint64(dst, asker)
	dst = wire.AppendUint64(dst, request)
	return append(dst, command...)
}

// AppendSnapshot writes everything.
func (m *machine) AppendSnapshot(dst []byte) []byte {
	dst = wire.AppendBytes(dst, m.directory.append(nil))
	dst = wire.AppendBytes(dst, m.ledger.append(nil))
	return m.nodes.AppendSnapshot(dst)
}

// Restore puts everything into the state of a snapshot.
func (m *machine) Restore(snapshot []byte) error {
	r := wire.NewReader(snapshot)
	text, told := r.Bytes(), r.Bytes()
	if r.Failed() {
		return errors.New("the snapshot cannot be read")
	}
	head := wire.NewReader(text)
	d, err := readDirectory(&head, m.scene.session.Places)
	if err != nil {
		return err
	}
	if err := m.nodes.Restore(r.Rest()); err != nil {
		return err
	}
	if err := m.ledger.read(told); err != nil {
		return err
	}
	m.directory = d
	m.restored()
	return nil
}
