package catalog_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"throng/catalog"
	"throng/internal/param"
	"throng/lab/network"
	"throng/mechanism"
	"throng/mechanism/mechanismtest"
	"throng/world"
)

func TestEverythingInTheCatalogCanBeBuilt(t *testing.T) {
	c := catalog.Default()
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	for _, w := range c.Worlds {
		chosen, err := c.World(w.Name)
		if err != nil {
			t.Fatal(err)
		}
		built, err := chosen.Build()
		if err != nil {
			t.Error(err)
			continue
		}
		if built.Schema().Name != w.Name {
			t.Errorf("world %s calls itself %s", w.Name, built.Schema().Name)
		}
	}
	for _, m := range c.Mechanisms {
		if built, err := c.BuildMechanism(catalog.Choice{Name: m.Name}); err != nil || built == nil {
			t.Errorf("mechanism %s: %v", m.Name, err)
		}
	}
	for _, n := range c.Networks {
		if n.Name == "matrix" {
			continue // is nothing without a file
		}
		chosen, err := c.Network(n.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := chosen.Build(1, 3); err != nil {
			t.Error(err)
		}
	}
}

func TestEveryNumberHasARange(t *testing.T) {
	c := catalog.Default()
	check := func(what, name string, config any) {
		for _, f := range param.Describe(config) {
			if f.Range == "" && !strings.HasSuffix(f.Path, "…") && f.Type != "text" && f.Type != "file" && f.Type != "true or false" {
				t.Errorf("%s %s: %s has no range", what, name, f.Path)
			}
		}
	}
	for _, w := range c.Worlds {
		check("world", w.Name, w.New())
	}
	for _, m := range c.Mechanisms {
		check("mechanism", m.Name, m.New())
	}
	for _, n := range c.Networks {
		check("network", n.Name, n.Config())
	}
}

// What a mechanism may be given is in its tags alone, so these must leave out what it cannot do with.
func TestNodesAreMadeAtBothEndsOfEveryRange(t *testing.T) {
	w := mechanismtest.Marbles(3)
	start := world.NewState(w.Schema(), 1)
	w.Populate(start)
	c := catalog.Default()
	for _, entry := range c.Mechanisms {
		for _, f := range param.Describe(entry.New()) {
			ends := f.Options
			if least, most, ok := strings.Cut(f.Range, ".."); ok {
				ends = []string{least, most}
			}
			for _, end := range ends {
				path := f.Path
				if f.Keys {
					path += ".marble"
				}
				m, err := c.BuildMechanism(catalog.Choice{Name: entry.Name, Params: map[string]string{path: end}})
				if err != nil {
					continue // it does not go together with the other parameters, and says so
				}
				places := m.Places(w)
				s := &mechanism.Session{World: w, Start: start, Places: places}
				for _, p := range []mechanism.Place{places[0], places[len(places)-1]} {
					if _, err := m.NewNode(s, p); err != nil {
						t.Errorf("mechanism %s, %s=%s: %v", entry.Name, path, end, err)
					}
				}
			}
		}
	}
}

func TestBuildingSaysWhatIsWrong(t *testing.T) {
	c := catalog.Default()
	world := func(name string, params map[string]string) error {
		_, err := c.BuildWorld(catalog.Choice{Name: name, Params: params})
		return err
	}
	mechanism := func(name string, params map[string]string) error {
		_, err := c.BuildMechanism(catalog.Choice{Name: name, Params: params})
		return err
	}
	_, network := c.Network("spkie")
	for _, c := range []struct {
		got  error
		want string
	}{
		{world("swarn", nil), `unknown world "swarn"; did you mean "swarm"?`},
		{network, `unknown network "spkie"; did you mean "spike"?`},
		{world("swarm", map[string]string{"bess": "3"}), `unknown key "world.bess"; did you mean "world.bees"?`},
		{world("swarm", map[string]string{"bees": "0"}), `world.bees: "0" is too small; allowed: 1..1024`},
		{world("swarm", map[string]string{"z": "1", "bees": "-"}), `world.bees: "-" is not a whole number; allowed: 1..1024`},
		{world("swarm", map[string]string{"area": "1000"}),
			"world swarm: area: 1000 px² for each bee are too few for balls of a radius of 20 px"},
		{mechanism("lose", nil), `unknown mechanism "lose"; did you mean "loose"?`},
		{mechanism("lockstep", map[string]string{"turn": "soon"}), `mechanism.turn: "soon" is not a duration such as 100ms; allowed: 1ms..10s`},
	} {
		if c.got == nil || c.got.Error() != c.want {
			t.Errorf("got  %v\nwant %s", c.got, c.want)
		}
	}
	if err := world("x", nil); err == nil || !strings.HasPrefix(err.Error(), `unknown world "x"; known: pong, swarm, `) {
		t.Errorf("a name that is near to nothing: %v", err)
	}
	var unknown *param.UnknownName
	if !errors.As(network, &unknown) || unknown.What != "network" || unknown.Name != "spkie" {
		t.Errorf("%v is no UnknownName", network)
	}
}

func TestAChoiceLeadsToTheSameAgain(t *testing.T) {
	c := catalog.Default()
	m, err := c.Mechanism("loose")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"interval": "100ms", "threshold.bee": "2"}
	for path, text := range want {
		if err := param.Set(m.Config, path, text); err != nil {
			t.Fatal(err)
		}
	}
	choice := m.Choice()
	if choice.Name != "loose" || !maps.Equal(choice.Params, want) {
		t.Errorf("the choice is %+v, want %v", choice, want)
	}
	again, err := c.BuildMechanism(choice)
	if err != nil {
		t.Fatal(err)
	}
	if got := param.Changed(again); !maps.Equal(got, want) {
		t.Errorf("built again with %v, want %v", got, want)
	}
}

type (
	misnamed struct {
		Name                string `param:"name" help:"not possible"`
		mechanism.Mechanism `param:"-"`
	}
	helpless struct {
		N              int `param:"n"`
		network.Config `param:"-"`
	}
	dots struct{}
)

func (dots) World() (world.World, error) { return nil, errors.New("no dots") }

func TestCheckFindsMistakes(t *testing.T) {
	dots := catalog.World{Name: "dots", New: func() catalog.WorldConfig { return new(dots) }}
	c := catalog.Catalog{
		Worlds:     []catalog.World{dots, dots},
		Mechanisms: []catalog.Mechanism{{Name: "named", New: func() mechanism.Mechanism { return new(misnamed) }}},
		Networks:   []network.Kind{{Name: "mute", Config: func() network.Config { return new(helpless) }}},
	}
	const want = "world dots is there twice\nmechanism named: a parameter cannot be called name\nnetwork mute: n: has no help"
	if err := c.Check(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if _, err := c.BuildWorld(catalog.Choice{Name: "dots"}); err == nil || err.Error() != "world dots: no dots" {
		t.Errorf("a world that cannot be made: %v", err)
	}
}
