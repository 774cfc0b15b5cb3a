package world

import (
	"testing"

	"throng/world/random"
)

// bare is a world that says nothing about itself.
type bare struct {
	drifting
	users User
}

func (bare) Schema() *Schema                   { return testSchema }
func (b bare) Users() User                     { return b.users }
func (bare) Populate(*State)                   {}
func (bare) Player(User, random.Stream) Player { return nil }

// opinionated is a world in which user 9 answers for odd objects.
type opinionated struct{ bare }

func (opinionated) Answers(_ *State, o *Object) User {
	if o.ID%2 == 1 {
		return 9
	}
	return 0
}

func TestAnswers(t *testing.T) {
	s := NewState(testSchema, 0)
	owned := &Object{ID: 1, User: 4}
	if got := Answers(bare{users: 3}, s, owned); got != 4 {
		t.Errorf("user %d answers for what belongs to user 4", got)
	}
	if got := Answers(opinionated{bare{users: 3}}, s, owned); got != 9 {
		t.Errorf("user %d answers against the world's word", got)
	}
	seen := map[User]int{}
	for id := ID(1); id <= 300; id++ {
		o := &Object{ID: 2 * id}
		u := Answers(opinionated{bare{users: 3}}, s, o)
		if again := Answers(bare{users: 3}, s, o); again != u {
			t.Errorf("users %d and %d answer for object %d, which the world leaves open", u, again, o.ID)
		}
		seen[u]++
	}
	if len(seen) != 3 || seen[1] < 50 || seen[2] < 50 || seen[3] < 50 {
		t.Errorf("objects of nobody are spread over users as %v", seen)
	}
	if got := Answers(bare{}, s, &Object{ID: 1}); got != 0 {
		t.Errorf("user %d answers where there are none", got)
	}
}
