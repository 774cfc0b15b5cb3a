package session_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"throng/catalog"
	"throng/live/session"
	"throng/mechanism"
)

func swarm() session.Description {
	return session.Description{
		World:     session.Choice{Name: "swarm", Params: map[string]string{"bees": "3"}},
		Mechanism: session.Choice{Name: "loose", Params: map[string]string{"interval": "100ms", "threshold.bee": "2"}},
		Seed:      1<<63 + 1,
	}
}

func TestDescriptionCrossesTheNetwork(t *testing.T) {
	want := swarm()
	want.Places = []mechanism.Place{{ID: 1, Role: "peer", User: 1}}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got session.Description
	if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s becomes %+v, %v", text, got, err)
	}
}

func TestEverybodyBuildsTheSame(t *testing.T) {
	d := swarm()
	a, m, err := d.Build(catalog.Default())
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := d.Build(catalog.Default())
	if err != nil {
		t.Fatal(err)
	}
	if a.Start.Hash() != b.Start.Hash() || a.Start.Len() == 0 || a.Start.Seed() != d.Seed {
		t.Error("two builds begin differently, or with nothing")
	}
	if a.World.Users() != 3 || !reflect.DeepEqual(a.Places, mechanism.Peers(a.World)) || !reflect.DeepEqual(a.Places, b.Places) {
		t.Errorf("%d users, places %v and %v", a.World.Users(), a.Places, b.Places)
	}
	for _, p := range a.Places {
		if _, err := m.NewNode(a, p); err != nil {
			t.Error(err)
		}
	}
	d.Seed++
	if c, _, err := d.Build(catalog.Default()); err != nil || c.Start.Hash() == a.Start.Hash() {
		t.Errorf("another seed makes no difference, or %v", err)
	}
}

func TestGivenPlacesAreKept(t *testing.T) {
	d := swarm()
	d.Places = []mechanism.Place{{ID: 2, Role: "peer", User: 2}}
	s, _, err := d.Build(catalog.Default())
	if err != nil || !reflect.DeepEqual(s.Places, d.Places) {
		t.Errorf("%v, %v", s, err)
	}
}

func TestBuildSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		change func(*session.Description)
		want   string
	}{
		{func(d *session.Description) { d.World.Name = "swarn" }, `unknown world "swarn"; did you mean "swarm"?`},
		{func(d *session.Description) { d.Mechanism.Name = "lose" }, `unknown mechanism "lose"; did you mean "loose"?`},
		{func(d *session.Description) { d.Mechanism = session.Choice{Name: "ideal"} },
			"mechanism ideal: the mechanism assumes a network without delay and can only be simulated"},
	} {
		d := swarm()
		c.change(&d)
		if _, _, err := d.Build(catalog.Default()); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	d := session.Description{World: session.Choice{Name: "pong"}, Mechanism: session.Choice{Name: "ideal"}}
	if _, _, err := d.Build(catalog.Default()); !errors.Is(err, session.ErrIdealised) {
		t.Errorf("%v is not ErrIdealised", err)
	}
}
