package bots

import (
	"time"

	"throng/live/bots/fleet"
	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// findings are what clients have seen.
type findings struct {
	delays     fleet.Histogram
	overtaken  int64 // actions of others whose effects no datagram brought, since later ones came before
	responses  fleet.Histogram
	dropped    int64
	stalls     fleet.Histogram
	promotions fleet.Histogram
	demotions  int64
	said       int64                       // bytes of the datagrams that were sent
	gaps       fleet.Histogram             // between two updates, of those who have kept their connections
	returns    fleet.Histogram             // from the loss of a connection to the first update over another one
	renewed    int64                       // of those who have come back, how many with a new node
	levels     [levelsMost]fleet.Histogram // age of what was passed on, by how often
	shown      [bands]band
}

func (f *findings) add(other *findings) {
	f.delays.Add(&other.delays)
	f.overtaken += other.overtaken
	f.responses.Add(&other.responses)
	f.dropped += other.dropped
	f.stalls.Add(&other.stalls)
	f.promotions.Add(&other.promotions)
	f.demotions += other.demotions
	f.said += other.said
	f.gaps.Add(&other.gaps)
	f.returns.Add(&other.returns)
	f.renewed += other.renewed
	for i := range f.levels {
		f.levels[i].Add(&other.levels[i])
	}
	for i := range f.shown {
		f.shown[i].add(&other.shown[i])
	}
}

// describe puts the findings into a report on a number of seconds, in a world in which users see so far.
func (f *findings) describe(r *Report, sight float64) {
	r.Delay, r.Response, r.Dropped = SpreadOf(&f.delays), SpreadOf(&f.responses), f.dropped
	r.Stalls, r.Promotions, r.Demotions = SpreadOf(&f.stalls), SpreadOf(&f.promotions), f.demotions
	r.Gaps, r.Returns, r.Renewed = SpreadOf(&f.gaps), SpreadOf(&f.returns), f.renewed
	r.Bytes.Said = float64(f.said) / (r.Seconds * float64(max(1, r.Joined)))
	if all := f.delays.Count() + f.overtaken; all > 0 {
		r.Overtaken = float64(f.overtaken) / float64(all)
	}
	for i := range f.levels {
		r.Levels = append(r.Levels, SpreadOf(&f.levels[i]))
	}
	for i := range f.shown {
		if f.shown[i].there > 0 {
			r.Shown = describe(&f.shown, sight)
			break
		}
	}
}

// bands are how many distances are told apart: up to a 32nd of sight, a 16th and so on.
const bands = 6

// band is how those at a certain distance are shown.
type band struct {
	there, seen int64
	ages        fleet.Histogram
	errors      fleet.Histogram // of lengths: a microsecond stands for a thousandth of the world's unit
}

// sightOf is how far users see: as far as there is anything, where the world does not say.
func sightOf(w world.World) float64 {
	if limited, ok := w.(world.Limited); ok {
		if sight := limited.Limits().Sight; sight > 0 {
			return toFloat(sight)
		}
	}
	return toFloat(w.Schema().Bounds.Size().Len())
}

func toFloat(f fixed.F) float64 { return float64(f) / float64(fixed.One) }

// bandOf finds the band of a distance; false if it is out of sight.
func bandOf(distance, sight float64) (int, bool) {
	at := bands - 1
	for at > 0 && distance <= sight/2 {
		at--
		distance *= 2
	}
	return at, at < bands-1 || distance <= sight
}

// event takes note of what a whole client reports.
func (b *bot) event(e mechanism.Event) {
	own := e.User == b.entry.user
	if own && e.Name == mechanism.Confirmed && b.crew.config.Confirmed != nil {
		b.crew.config.Confirmed(e.User, e.Seq)
	}
	switch {
	case e.Name == mechanism.Promoted:
		b.crew.promotions.Record(time.Duration(e.Value))
	case e.Name == mechanism.Demoted:
		b.crew.demotions += e.Value
	case e.Name == mechanism.Applied && own:
		b.shown = true
	case e.Name == mechanism.Applied:
		b.seen(e)
	case e.Name == mechanism.Shown && !own:
		b.shownTo(e)
	case !b.crew.measuring:
	case e.Name == mechanism.Delivered:
		b.crew.levels[min(int(e.Seq), len(b.crew.levels)-1)].Record(time.Duration(e.Value))
	case e.Name == mechanism.Stalled:
		b.crew.stalls.Record(time.Duration(e.Value))
	case e.Name == mechanism.Confirmed && own:
		if taken, known := b.entry.when(e.Seq); known {
			b.crew.responses.Record(b.turn - taken)
		}
	case e.Name == mechanism.Dropped && own:
		b.crew.dropped++
	}
}

// seen takes note of another's action that has taken effect in the view.
func (b *bot) seen(e mechanism.Event) {
	other := b.crew.roster.find(e.User)
	if other == nil {
		return
	}
	if b.news.from != other {
		b.observe()
	}
	b.news.from = other
	b.news.actions++
	if taken, known := other.when(e.Seq); known {
		b.news.taken = taken
	}
}

// shownTo takes note of another's object that is shown as it was at a tick, where nodes are sent states and cannot know what users did: what
// its user did before that shows in it.
func (b *bot) shownTo(e mechanism.Event) {
	other := b.crew.roster.find(e.User)
	if other == nil {
		return
	}
	length := b.crew.scene.session.World.Schema().Tick
	written := b.turn - time.Duration(b.crew.now(b.turn)-mechanism.TimeOf(world.Tick(e.Value), length))
	var known time.Duration
	if other.index < len(b.newest) {
		known = b.newest[other.index]
	}
	if b.news.from == other {
		known = max(known, b.news.taken)
	}
	actions, last := other.between(known, written)
	if actions == 0 {
		return
	}
	if b.news.from != other {
		b.observe()
	}
	b.news = news{from: other, actions: b.news.actions + actions, taken: last}
}

// news is what a datagram says of another user's actions.
type news struct {
	from    *entry
	actions int64
	taken   time.Duration // the newest of them whose moment is known
}

// observe counts what has arrived of another user: the newest action, whose effect it is. Those before it were overtaken by
// it before anything was sent; theirs has nobody received.
func (b *bot) observe() {
	n := b.news
	b.news = news{}
	if n.taken == 0 {
		return
	}
	for len(b.newest) <= n.from.index {
		b.newest = append(b.newest, 0)
	}
	b.newest[n.from.index] = max(b.newest[n.from.index], n.taken)
	if b.crew.measuring {
		b.crew.delays.Record(b.turn - n.taken)
		b.crew.overtaken += n.actions - 1
	}
}

// compare measures how well the user's view shows others, as of the tick that it shows.
func (b *bot) compare(now time.Duration) {
	rules := b.crew.scene.session.World
	view := b.machine.View()
	me := b.find(view)
	if me == nil {
		return
	}
	moment := mechanism.TimeOf(view.Tick(), rules.Schema().Tick)
	for _, other := range b.crew.roster.everybody() {
		if other == b.entry || !other.certain {
			continue
		}
		truth := &b.crew.truth
		at := other.ask(truth)
		if truth.ID == 0 {
			continue
		}
		rules.Extrapolate(truth, moment-at)
		n, inSight := bandOf(toFloat(truth.Pos.Dist(me.Pos)), b.crew.scene.sight)
		if !inSight {
			continue
		}
		in := &b.crew.shown[n]
		in.there++
		shown := view.Get(truth.ID)
		if shown == nil {
			continue
		}
		in.seen++
		in.errors.Record(time.Duration(toFloat(shown.Pos.Dist(truth.Pos)) * float64(time.Millisecond)))
		if other.index < len(b.newest) && b.newest[other.index] != 0 {
			in.ages.Record(now - b.newest[other.index])
		}
	}
}

// describe returns the bands as they are reported.
func describe(shown *[bands]band, sight float64) []Band {
	list := make([]Band, bands)
	to := sight
	for i := bands - 1; i >= 0; i-- {
		b := &shown[i]
		list[i] = Band{From: to / 2, To: to, InIt: b.there, Seen: b.seen, Age: SpreadOf(&b.ages), Error: Lengths{
			Mean: lengthOf(b.errors.Mean()),
			P50:  lengthOf(b.errors.Percentile(50)),
			P90:  lengthOf(b.errors.Percentile(90)),
			P99:  lengthOf(b.errors.Percentile(99)),
		}}
		to /= 2
	}
	list[0].From = 0
	return list
}

func lengthOf(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (b *band) add(other *band) {
	b.there += other.there
	b.seen += other.seen
	b.ages.Add(&other.ages)
	b.errors.Add(&other.errors)
}
