package lab

import (
	"fmt"

	"throng/lab/churn"
	"throng/lab/experiment"
	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

// timeline works out who comes, goes and fails in a run.
func timeline(s experiment.Setup, w world.World, m mechanism.Mechanism) (churn.Timeline, error) {
	var plan churn.Plan
	var err error
	if s.Churn != nil {
		plan, err = s.Churn.Plan()
	}
	if err != nil {
		return churn.Timeline{}, fmt.Errorf("churn: %w", err)
	}
	if err := s.Host.CheckRoles(rolesOf(m.Places(w))); err != nil {
		return churn.Timeline{}, err
	}
	stage := churn.Stage{Seed: s.Seed, Duration: s.Duration, Places: m.Places(w), Bounds: w.Schema().Bounds}
	_, inhabited := w.(world.Inhabited)
	if admitting, ok := m.(mechanism.Admitting); ok && inhabited {
		stage.Admit = admitting.Admit
	}
	if stage.Processes, err = churn.Processes(s.Host.Together, stage.Places); err != nil {
		return churn.Timeline{}, fmt.Errorf("host.together: %w", err)
	}
	stage.Replicas = map[mechanism.NodeID]int{}
	for _, p := range stage.Places {
		if hardware := s.Host.Of(p.Role); p.User == 0 {
			stage.Replicas[p.ID] = hardware.Replicas
		}
	}
	t, err := plan.Expand(stage)
	if err != nil {
		return t, fmt.Errorf("churn: %w", err)
	}
	return t, checkCalls(&t, w)
}

// checkCalls complains about calls that nobody would heed.
func checkCalls(t *churn.Timeline, w world.World) error {
	for i := range t.Events {
		e := &t.Events[i]
		if e.Kind != churn.Gather {
			continue
		}
		if _, ok := w.Player(1, random.New(0, "player")).(world.Gatherer); !ok {
			return fmt.Errorf("churn: %q: the artificial users of %s cannot be called to a place; those of crowd can", t.Statements[e.Cause], w.Schema().Name)
		}
		return nil
	}
	return nil
}

func rolesOf(places []mechanism.Place) (roles []string) {
	for _, p := range places {
		roles = append(roles, p.Role)
	}
	return roles
}
