package bus

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"throng/live/hub"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

func TestDatagramComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.Uint32Range(1, hub.NodesMax)
		m := mechanism.Message{
			From:    mechanism.NodeID(id.Draw(t, "from")),
			To:      mechanism.NodeID(id.Draw(t, "to")),
			Class:   mechanism.Class(rapid.IntRange(0, int(mechanism.Classes)-1).Draw(t, "class")),
			Payload: rapid.SliceOf(rapid.Byte()).Draw(t, "payload"),
		}
		got, ok := readDatagram(m.To, append(appendHeader(nil, &m), m.Payload...))
		if !ok || got.From != m.From || got.To != m.To || got.Class != m.Class || !bytes.Equal(got.Payload, m.Payload) {
			t.Fatalf("%+v came back as %+v, %v", m, got, ok)
		}
	})
}

func TestImpossibleDatagramsAreRefused(t *testing.T) {
	sound := appendHeader(nil, &mechanism.Message{From: 7, Class: mechanism.Update})
	if _, ok := readDatagram(3, sound); !ok {
		t.Fatal("a sound one was refused")
	}
	for name, bad := range map[string]struct {
		to   mechanism.NodeID
		data []byte
	}{
		"empty":            {3, nil},
		"short":            {3, sound[:headerSize-1]},
		"unknown class":    {3, append([]byte{byte(mechanism.Signal + 1)}, sound[1:]...)},
		"from nobody":      {3, make([]byte, headerSize)},
		"from beyond":      {3, []byte{0, 255, 255, 255, 255}},
		"to nobody":        {0, sound},
		"to beyond":        {hub.NodesMax + 1, sound},
		"larger than ever": {3, append(slices.Clone(sound), make([]byte, messageMax)...)},
	} {
		if m, ok := readDatagram(bad.to, bad.data); ok {
			t.Errorf("%s: read as from %d to %d", name, m.From, m.To)
		}
	}
}

func TestDutiesComeBackInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		duties := rapid.SliceOfDistinct(rapid.Custom(func(t *rapid.T) hub.Duty {
			return hub.Duty{
				Node:  mechanism.NodeID(rapid.Uint32Range(1, hub.NodesMax).Draw(t, "node")),
				User:  world.User(rapid.Uint32Range(1, hub.NodesMax).Draw(t, "user")),
				Epoch: rapid.Uint32().Draw(t, "epoch"),
			}
		}), func(d hub.Duty) mechanism.NodeID { return d.Node }).Draw(t, "duties")
		r := wire.NewReader(appendDuties(nil, duties)) // which sorts them
		got := readDuties(&r)
		if r.Done() != nil || !slices.Equal(got, duties) {
			t.Fatalf("%v came back as %v", duties, got)
		}
	})
}

func TestWelcomeComesBack(t *testing.T) {
	w := welcome{member: 3, users: span{501, 600}, patience: time.Second, hash: 1 << 63, description: []byte(`{"world":{}}`)}
	r := wire.NewReader(w.append(nil))
	got := readWelcome(&r)
	if r.Done() != nil || got.member != w.member || got.users != w.users || got.patience != w.patience || got.hash != w.hash ||
		!bytes.Equal(got.description, w.description) {
		t.Errorf("%+v came back as %+v", w, got)
	}
	w.patience = 0 // nothing could be done within it
	r = wire.NewReader(w.append(nil))
	if readWelcome(&r); r.Done() == nil {
		t.Error("no patience at all was believed")
	}
}

func FuzzRead(f *testing.F) {
	w := welcome{member: 1, users: span{1, 2}, patience: time.Second}
	f.Add(w.append(nil))
	f.Add(appendDuties(nil, []hub.Duty{{Node: 2, User: 1, Epoch: 1}, {Node: 9, User: 8}}))
	f.Add(appendHeader(nil, &mechanism.Message{From: 1, Class: mechanism.Border}))
	f.Add(appendFounders(nil, []founder{{name: "a"}, {number: 2, name: "b", gone: true}}))
	f.Add([]byte{255, 255, 255, 255, 15})
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, ok := readDatagram(1, data); ok && (!known(m.From) && !hub.IsNotice(m) || m.Class > mechanism.Signal) {
			t.Errorf("%+v", m)
		}
		r := wire.NewReader(data)
		readWelcome(&r)
		r = wire.NewReader(data)
		readStatus(&r)
		r = wire.NewReader(data)
		readText(&r)
		r = wire.NewReader(data)
		before := mechanism.NodeID(0)
		for _, d := range readDuties(&r) {
			if d.Node <= before || !known(d.Node) || d.User == 0 {
				t.Errorf("%+v after node %d", d, before)
			}
			before = d.Node
		}
	})
}
