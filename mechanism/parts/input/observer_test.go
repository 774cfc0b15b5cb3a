package input

import (
	"slices"
	"testing"

	"throng/mechanism"
	"throng/mechanism/parts/update"
	"throng/world"
)

// Of what others do a client reports what it sees happen: not what was done before they came into sight, nothing twice, and
// nothing before the view shows it.
func TestObserver(t *testing.T) {
	const own, ada, ben = 1, 2, 3
	var o Observer
	for _, step := range []struct {
		what   string
		user   world.User
		change update.What
		action uint32
		moment world.Time
		want   []uint32 // the actions of that user that are seen by then
	}{
		{"somebody comes into sight", ada, update.Entered, 5, 10, nil},
		{"and acts twice", ada, update.Changed, 7, 20, []uint32{6, 7}},
		{"moves on by itself", ada, update.Changed, 7, 30, nil},
		{"goes and comes again, having acted meanwhile", ada, update.Entered, 9, 40, nil},
		{"and acts", ada, update.Changed, 10, 50, []uint32{10}},
		{"another object of hers is older", ada, update.Changed, 8, 60, nil},
		{"nothing is taken back by that", ada, update.Changed, 11, 70, []uint32{11}},
		{"somebody is heard of who was not seen to come", ben, update.Changed, 3, 80, nil},
		{"and acts", ben, update.Changed, 4, 90, []uint32{4}},
		{"the user sees own actions otherwise", own, update.Changed, 4, 100, nil},
	} {
		var out mechanism.Outbox
		o.Hear(&update.Change{What: step.change, Object: world.Object{User: step.user}, Action: step.action}, 0, step.moment, own, &out)
		o.Show(0, step.moment-1, &out)
		o.Show(1, step.moment, &out)
		if n := len(out.Events()); n > 0 {
			t.Errorf("%s: %d are reported before they show", step.what, n)
		}
		o.Show(0, step.moment, &out)
		var got []uint32
		for _, e := range out.Events() {
			if e.Name != mechanism.Applied || e.User != step.user {
				t.Errorf("%s: reports %+v", step.what, e)
			}
			got = append(got, e.Seq)
		}
		if !slices.Equal(got, step.want) {
			t.Errorf("%s: sees %v instead of %v", step.what, got, step.want)
		}
	}
}
