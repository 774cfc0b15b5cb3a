package mechanism_test

import (
	"testing"

	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

// lingerer says goodbye until it has been heard.
type lingerer struct {
	*mechanismtest.Puppet
	gone bool
}

var _ mechanism.Lingering = (*lingerer)(nil)

func (n *lingerer) Gone() bool { return n.gone }

func TestLingeringNodeGoesOnUntilItIsGone(t *testing.T) {
	n, c := setup()
	c.Player = &restless{}
	n.OnWake = mechanismtest.Every(10 * ms)
	l := &lingerer{Puppet: n}
	c.Node = l
	m := mechanism.NewMachine(c)
	var out mechanism.Outbox
	m.Wake(0, &out)
	a := world.Action{}
	m.Issue(&a)
	if !m.Leave(0, &out) || m.Left() || m.Leave(0, &out) || m.Ready() {
		t.Fatal("it does not linger, or takes part")
	}
	n.Log = nil
	m.Act(5*ms, a, &out)
	m.SetPlayer(&restless{})
	if m.Issue(&a) || len(m.Play(5*ms)) > 0 || !m.Wake(10*ms, &out) || !m.Receive(11*ms, letter("x"), &out) {
		t.Error("its user acts, or the node is not driven on")
	}
	l.gone = true
	if !m.Receive(12*ms, letter("heard"), &out) || !m.Left() || m.Due() != world.Never || m.Receive(13*ms, letter("y"), &out) {
		t.Error("it goes on although it is gone")
	}
	expect(t, n, "10ms wake", "11ms got x from 2", "12ms got heard from 2")
}
