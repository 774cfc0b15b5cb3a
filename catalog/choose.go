package catalog

import (
	"errors"
	"fmt"

	"throng/internal/param"
	"throng/lab/network"
	"throng/mechanism"
	"throng/world"
)

// What is chosen from the catalog: a name, and parameters that start from their defaults and may be set (see package param)
// until it is built.
type (
	ChosenWorld struct {
		Name   string
		Config WorldConfig
	}
	ChosenMechanism struct {
		Name   string
		Config mechanism.Mechanism
	}
	ChosenNetwork struct {
		Name   string
		Config network.Config
	}
)

// World chooses a world by its name. The error is a [*param.UnknownName], as it is for mechanisms and networks.
func (c *Catalog) World(name string) (ChosenWorld, error) {
	w, err := find("world", name, c.Worlds, func(w World) string { return w.Name })
	if err != nil {
		return ChosenWorld{}, err
	}
	return ChosenWorld{name, Defaults(w.New())}, nil
}

// Mechanism chooses a mechanism by its name.
func (c *Catalog) Mechanism(name string) (ChosenMechanism, error) {
	m, err := find("mechanism", name, c.Mechanisms, func(m Mechanism) string { return m.Name })
	if err != nil {
		return ChosenMechanism{}, err
	}
	return ChosenMechanism{name, Defaults(m.New())}, nil
}

// Network chooses a network by its name.
func (c *Catalog) Network(name string) (ChosenNetwork, error) {
	n, err := find("network", name, c.Networks, func(n network.Kind) string { return n.Name })
	if err != nil {
		return ChosenNetwork{}, err
	}
	return ChosenNetwork{name, Defaults(n.Config())}, nil
}

func find[T any](what, name string, list []T, nameOf func(T) string) (found T, err error) {
	var known []string
	for _, entry := range list {
		if nameOf(entry) == name {
			return entry, nil
		}
		known = append(known, nameOf(entry))
	}
	return found, &param.UnknownName{What: what, Name: name, Known: known}
}

// Build makes the world, if its parameters allow one.
func (w ChosenWorld) Build() (world.World, error) {
	built, err := w.build()
	return built, about("world", w.Name, err)
}

func (w ChosenWorld) build() (world.World, error) {
	if err := param.Validate(w.Config); err != nil {
		return nil, err
	}
	built, err := w.Config.World()
	if err != nil {
		return nil, err
	}
	if err := built.Schema().Check(); err != nil {
		return nil, err
	}
	return built, nil
}

// Build returns the mechanism, if its parameters fit together.
func (m ChosenMechanism) Build() (mechanism.Mechanism, error) {
	if err := param.Validate(m.Config); err != nil {
		return nil, about("mechanism", m.Name, err)
	}
	return m.Config, nil
}

// Build makes the network for the nodes 1 to nodes.
func (n ChosenNetwork) Build(seed uint64, nodes int) (network.Model, error) {
	model, err := n.Config.New(seed, nodes)
	return model, about("network", n.Name, err)
}

func about(what, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", what, name, err)
}

// Choice says in a few words what to choose, so that others can choose the same: a name, and the parameters that are not at
// their defaults.
type Choice struct {
	Name   string            `json:"name"`
	Params map[string]string `json:"params,omitempty"` // texts by their paths, as in an experiment
}

// Choice is what leads to this world again.
func (w ChosenWorld) Choice() Choice { return Choice{w.Name, param.Changed(w.Config)} }

// Choice is what leads to this mechanism again.
func (m ChosenMechanism) Choice() Choice { return Choice{m.Name, param.Changed(m.Config)} }

// BuildWorld makes the world of a choice.
func (c *Catalog) BuildWorld(choice Choice) (world.World, error) {
	w, err := c.World(choice.Name)
	if err == nil {
		err = choice.apply("world", w.Config)
	}
	if err != nil {
		return nil, err
	}
	return w.Build()
}

// BuildMechanism makes the mechanism of a choice.
func (c *Catalog) BuildMechanism(choice Choice) (mechanism.Mechanism, error) {
	m, err := c.Mechanism(choice.Name)
	if err == nil {
		err = choice.apply("mechanism", m.Config)
	}
	if err != nil {
		return nil, err
	}
	return m.Build()
}

func (c Choice) apply(what string, config any) error {
	err := param.SetAll(config, c.Params)
	var wrong *param.Error
	if errors.As(err, &wrong) {
		return wrong.Under(what)
	}
	return err
}

// Check finds mistakes in the catalog itself: names that occur twice, and parameters that package param cannot use.
func (c *Catalog) Check() error {
	var errs []error
	seen := map[string]bool{}
	check := func(what, name string, config any) {
		entry := what + " " + name
		if seen[entry] {
			errs = append(errs, fmt.Errorf("%s is there twice", entry))
		}
		seen[entry] = true
		if err := param.Check(config); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", entry, err))
		} else if _, err := param.Lookup(config, "name"); err == nil {
			errs = append(errs, fmt.Errorf("%s: a parameter cannot be called name", entry))
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
	return errors.Join(errs...)
}
