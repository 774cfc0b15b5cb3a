package rts

import (
	"slices"
	"testing"

	"throng/world"
	"throng/world/random"
)

// newMatch is a game of opponents of the given skills.
func newMatch(t testing.TB, seed uint64, skills ...string) *game[*realm] {
	g := newGame[*realm](t, seed, func(c *Config) {
		c.Game, c.Users, c.Width, c.Height, c.Tick = gamePlay, len(skills), 160, 96, 50*world.Millisecond
	})
	for i, skill := range skills {
		u := world.User(i + 1)
		g.Players[i] = newRival(g.World, u, random.New(seed, "player", uint64(u)), skill)
	}
	return g
}

// wealthOf is how much a user has in all.
func (g *game[W]) wealthOf(r *realm, u world.User) int64 {
	sum := int64(0)
	for o := range g.State.All() {
		if o.User == u {
			sum += r.wealth(g.State, o)
		}
	}
	return sum
}

// Every skill beats the one below, whichever side of the map it is on. Who has more after six minutes has won; by then the
// other has usually lost everything.
func TestEverySkillBeatsTheOneBelow(t *testing.T) {
	const games, needed = 6, 6
	for _, pair := range [][2]string{{skillNormal, skillEasy}, {skillHard, skillNormal}} {
		won := 0
		for seed := range uint64(games) {
			better := world.User(1 + seed%2)
			order := []string{pair[better-1], pair[2-better]}
			g := newMatch(t, 100+seed, order...)
			g.Play(t, 7200)
			if g.wealthOf(g.World, better) > g.wealthOf(g.World, 3-better) {
				won++
			}
		}
		t.Logf("%s beats %s in %d of %d games", pair[0], pair[1], won, games)
		if won < needed {
			t.Errorf("%s beats %s in %d of %d games, want %d", pair[0], pair[1], won, games, needed)
		}
	}
}

// Opponents command only what they have, and only what it can do.
func TestRivalsCommandTheirOwn(t *testing.T) {
	g := newMatch(t, 1, skillEasy, skillNormal, skillHard)
	used := map[world.VerbID]int{}
	for range 7200 {
		for i, p := range g.Players {
			u := world.User(i + 1)
			p.Play(world.View{State: g.State, User: u}, func(a world.Action) {
				if err := g.World.schema.CheckAction(&a); err != nil {
					t.Fatal(err)
				}
				if o := g.get(a.Target); o == nil || o.User != u || !obeys(o.Kind, a.Verb) {
					t.Fatalf("user %d: %+v is for %+v", u, a, o)
				}
				used[a.Verb]++
				g.Do(u, a)
			})
		}
		g.Wait(1)
	}
	for _, v := range []world.VerbID{Go, Gather, Build, Train, March, Offer} {
		if used[v] == 0 {
			t.Errorf("nobody ever used %q", g.World.schema.Verbs[v].Name)
		}
	}
}

// What the fog hides makes no difference to an opponent, whether or not a mechanism shows it.
func TestRivalsDoNotLookThroughFog(t *testing.T) {
	g := newMatch(t, 2, skillNormal, skillHard)
	twins := make([]world.Player, len(g.Players))
	for i := range twins {
		u := world.User(i + 1)
		twins[i] = newRival(g.World, u, random.New(2, "player", uint64(u)), []string{skillNormal, skillHard}[i])
	}
	for k := range 4800 {
		for i, p := range g.Players {
			u := world.User(i + 1)
			var open, veiled []world.Action
			p.Play(world.View{State: g.State, User: u}, func(a world.Action) { open = append(open, a) })
			twins[i].Play(world.View{State: g.veil(g.World, u), User: u}, func(a world.Action) { veiled = append(veiled, a) })
			if !slices.Equal(open, veiled) {
				t.Fatalf("tick %d: user %d does %v, and %v if the rest is hidden", k, u, open, veiled)
			}
			for _, a := range open {
				g.Do(u, a)
			}
		}
		g.Wait(1)
	}
}

// veil is what a user sees of the state, when they look at it at all.
func (g *game[W]) veil(r *realm, u world.User) *world.State {
	seen := g.State.Clone()
	for o := range g.State.All() {
		if !r.Sees(g.State, u, o) {
			seen.Remove(o.ID)
		}
	}
	return seen
}

func TestRivalsSurviveLosingEverything(t *testing.T) {
	g := newMatch(t, 3, skillEasy, skillNormal, skillHard)
	g.Play(t, 2400)
	for o := range g.State.Clone().All() {
		if o.Kind == kindHall || o.Kind == kindWorker {
			g.State.Remove(o.ID)
		}
	}
	g.Play(t, 600)
	for o := range g.State.Clone().All() {
		g.State.Remove(o.ID)
	}
	before := slices.Clone(g.Actions)
	g.Play(t, 200)
	if !slices.Equal(g.Actions, before) {
		t.Error("those who have nothing give commands")
	}
}

func TestRivalsGoTrading(t *testing.T) {
	g := newMatch(t, 4, skillNormal, skillNormal)
	g.Players = g.Players[:1]
	g.supply(1, 0).Attr[attrOre] = 5000
	theirs := g.supply(2, 100)
	theirs.Attr[attrGives], theirs.Attr[attrPrice] = -loadMost, fairPrice
	g.put(workerOf(1, 0), theirs.Pos.Add(at(5, 0))) // so that the other base is known
	g.Play(t, 2400)
	if o := g.get(homeOf(2)); g.Actions[Trade] == 0 || o.Attr[attrOre] <= 100 || o.Attr[attrWood] >= 100 {
		t.Errorf("%d trades, the other base: %+v", g.Actions[Trade], o)
	}
}
