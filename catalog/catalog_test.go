package catalog_test

import (
	"testing"

	"throng/catalog"
	"throng/internal/param"
)

func TestEverythingInTheCatalogCanBeBuilt(t *testing.T) {
	c := catalog.Default()
	for _, w := range c.Worlds {
		config := w.New()
		if err := param.Check(config); err != nil {
			t.Errorf("world %s: %v", w.Name, err)
			continue
		}
		built, err := catalog.Defaults(config).World()
		if err != nil {
			t.Errorf("world %s: %v", w.Name, err)
			continue
		}
		if err := built.Schema().Check(); err != nil {
			t.Error(err)
		}
		if built.Schema().Name != w.Name {
			t.Errorf("world %s calls itself %s", w.Name, built.Schema().Name)
		}
	}
	for _, m := range c.Mechanisms {
		if err := param.Check(m.New()); err != nil {
			t.Errorf("mechanism %s: %v", m.Name, err)
		}
	}
	for _, n := range c.Networks {
		if err := param.Check(n.Config()); err != nil {
			t.Errorf("network %s: %v", n.Name, err)
		}
	}
}

func TestNamesAreFound(t *testing.T) {
	c := catalog.Default()
	if _, ok := c.World("swarm"); !ok {
		t.Error("no swarm")
	}
	if _, ok := c.Mechanism("optimistic"); !ok {
		t.Error("no optimistic")
	}
	if _, ok := c.World("nowhere"); ok {
		t.Error("there should be no world nowhere")
	}
}
