package lab_test

import (
	"context"
	"fmt"
	"testing"

	"throng/catalog"
	"throng/lab"
	"throng/lab/churn"
	"throng/lab/measure"
	"throng/mechanism"
	"throng/world"
	"throng/world/random"
)

// trouble is a random plan: who is struck, how and when follows from a seed.
func trouble(seed uint64) string {
	s := random.New(seed, "trouble")
	kinds := []string{
		"at %ds: crash a node, back after 1s",
		"at %ds: crash a user, back after 700ms with memory",
		"at %ds: crash a user, back after 400ms without memory",
		"at %ds: half of the users leave, back after 1s",
		"at %ds: 2 users leave",
		"at %ds: replace node 1 after 300ms",
		"at %ds: drain node 1 within 500ms",
		"at %ds: add 30%% loss of user 1, for 1s",
		"at %ds: limit up and down of user 2 to 64kbit/s, for 2s",
		"at %ds: partition user 1 | rest, heal after 1s",
	}
	plan := "at 1s: a user leaves; from 2s to 8s: users arrive 1/s"
	for range 6 {
		plan += "; " + fmt.Sprintf(kinds[s.Below(uint64(len(kinds)))], 1+s.Below(7))
	}
	return plan
}

// Whatever comes, goes and fails, under whatever mechanism: nothing panics, every measure copes, and the same seed gives the
// same run.
func TestSwarmOfTrouble(t *testing.T) {
	for _, m := range catalog.Default().Mechanisms {
		if _, ideal := m.New().(mechanism.Idealised); ideal {
			continue
		}
		for _, w := range [][]string{{"crowd", "world.walkers", "6"}, {"swarm", "world.bees", "4"}} {
			for seed := range uint64(2) {
				t.Run(fmt.Sprintf("%s/%s/%d", m.Name, w[0], seed), func(t *testing.T) {
					plan := trouble(seed*100 + uint64(len(m.Name)))
					first, second := ordeal(t, w, m.Name, plan, seed), ordeal(t, w, m.Name, plan, seed)
					if first != second {
						t.Errorf("the same seed gives\n%s\nand\n%s\nunder %q", first, second, plan)
					}
				})
			}
		}
	}
}

// ordeal runs a plan with all measures on and returns everything that they found.
func ordeal(t *testing.T, w []string, m, plan string, seed uint64) string {
	t.Helper()
	s := setup(t, w[0], m, "spike", w[1:]...)
	s.Duration, s.Seed = 10*world.Second, seed
	s.Churn = catalog.Defaults(new(churn.Config))
	s.Churn.Events = plan
	run, err := lab.Build(s)
	if err != nil {
		t.Fatalf("%q: %v", plan, err)
	}
	probes := measure.Attach(run, measure.All())
	if err := run.Go(context.Background()); err != nil {
		t.Log(err)
		return err.Error() // a mechanism may have to say that nobody can take a server's place
	}
	return fmt.Sprintf("%+v %+v", run.Lost(), probes.Figures())
}
