package lab_test

import (
	"context"
	"testing"

	"throng/lab"
	"throng/lab/measure"
	"throng/world"
)

// In a map where nearly everybody stands still, who is sent all that they see each tick is sent many times what has changed: of a user's
// ten avatars at least nine stand in sight of one another.
func TestUpdatesOfAllThatIsSeen(t *testing.T) {
	for _, mechanism := range []string{"interest", "aos"} {
		items := map[string]float64{}
		for _, updates := range []string{"every", "changed"} {
			s := setup(t, "rts", mechanism, "constant", "mechanism.updates", updates, "world.users", "4", "world.avatars", "10",
				"world.command", "1000", "world.width", "320", "world.height", "128", "world.collisions", "false")
			s.Duration = 10 * world.Second
			run, err := lab.Build(s)
			if err != nil {
				t.Fatal(err)
			}
			probes := measure.Attach(run, measure.Reporting(measure.All(), []string{"items.tick.server"}))
			if err := run.Go(context.Background()); err != nil {
				t.Fatal(err)
			}
			for _, f := range probes.Figures() {
				if f.Name == "items.tick.server.update" {
					items[updates] = f.Value
				}
			}
		}
		t.Logf("%s: %v items per tick", mechanism, items)
		if items["every"] <= 5*items["changed"] {
			t.Errorf("%s: %v items per tick", mechanism, items)
		}
	}
}
