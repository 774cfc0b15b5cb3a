//go:build linux

package main

import (
	"maps"
	"strconv"
	"strings"
	"time"

	"throng/live/session"
	"throng/world"
)

// workload is a world, and what it means that a server holds a number of users in it.
type workload struct {
	// describe chooses the world and the mechanism, whose variant the second part of a case's name is.
	describe func(p *part, variant string) (world, mechanism session.Choice)
	held     func(p *Probe) bool
	ladder   ladder
	joins    int           // how many users join in a second; who simulates an area takes some time to get in
	settle   time.Duration // from the last joining to the beginning of measuring
	tallied  bool          // the server tells how far its areas are and what it sends
	table    table
	shows    bool // how well others are shown is told too
	relief   bool // in the end most users leave, and how long it takes until all is as before is told too
}

// workloads are the first parts of cases' names.
var workloads = map[string]*workload{
	"spread":    {describe: crowd, held: quick, ladder: crowds, joins: 1500, settle: 2 * time.Second, table: crowdTable, shows: true},
	"dense":     {describe: crowd, held: quick, ladder: crowds, joins: 1500, settle: 2 * time.Second, table: crowdTable, shows: true},
	"overload":  {describe: overload, held: quick, joins: 1500, settle: 2 * time.Second, table: overloadTable, relief: true},
	"rts-100":   {describe: strategy, held: smooth, joins: 80, settle: 3 * time.Second, tallied: true, table: areasTable},
	"rts-40":    {describe: strategy, held: smooth, joins: 80, settle: 3 * time.Second, tallied: true, table: areasTable},
	"rts":       {describe: strategy, held: smooth, ladder: ladder{first: 100, last: 1600}, joins: 80, settle: 3 * time.Second, tallied: true, table: areasTable},
	"ordering":  {describe: city, held: answered, ladder: ladder{first: 100, last: 6400}, joins: 400, settle: 3 * time.Second, table: orderingTable},
	"promotion": {describe: heavy, held: prompt, joins: 1, settle: 4 * time.Second, tallied: true, table: promotionTable},
}

// cases are all that is measured. Those without a number of users look for the largest.
func cases() []*Case {
	return []*Case{
		{Name: "spread/bare", guess: 4000},
		{Name: "spread/throng", guess: 3000},
		{Name: "dense/bare", guess: 3000},
		{Name: "dense/throng", guess: 3000},
		{Name: "overload/limit-as-it-comes", users: crowdLimit},
		{Name: "overload/limit", users: crowdLimit},
		{Name: "overload/twice-as-it-comes", users: 2 * crowdLimit},
		{Name: "overload/twice", users: 2 * crowdLimit},
		{Name: "rts-100/aos-full", users: 100},
		{Name: "rts-100/aos-delta", users: 100},
		{Name: "rts-100/aos", users: 100},
		{Name: "rts-40/aos", users: 40},
		{Name: "rts-40/lockstep", users: 40},
		{Name: "rts/aos", guess: 560},
		{Name: "ordering/action", guess: 1600},
		{Name: "promotion/4", users: 1},
		{Name: "promotion/8", users: 1},
		{Name: "promotion/16", users: 1},
		{Name: "promotion/32", users: 1},
	}
}

// What must hold for a number of users in a crowd to count as held.
const (
	delayMax  = 100 // ms, for nine in ten actions
	updateMin = 0.9 // of the updates due
	joinedMin = 0.999
)

// budget is what each user may be sent per second in a dense crowd.
const budget = "64KB"

// crowdLimit is how many users a server was found to hold in a crowd that is spread.
const crowdLimit = 4200

// reliefTime is for how long some users stay after the others have gone, where that is looked at.
const reliefTime = 4 * time.Second

// overload is the crowd that is spread, all of which is let in, on a server that slows down by choice or not.
func overload(p *part, variant string) (world, mechanism session.Choice) {
	world, mechanism = crowdOf("spread", p)
	mechanism.Params["overload.refuse"] = "10"
	if strings.HasSuffix(variant, "-as-it-comes") {
		mechanism.Params["overload.stretch"] = "1"
	}
	return world, mechanism
}

// crowd is users who walk about, of whom each sees some others, or all.
func crowd(p *part, _ string) (world, mechanism session.Choice) { return crowdOf(p.mode, p) }

func crowdOf(mode string, p *part) (world, mechanism session.Choice) {
	world = session.Choice{Name: "crowd", Params: map[string]string{
		"mode": mode, "walkers": strconv.Itoa(p.users), "restless": strconv.FormatBool(!p.idle),
	}}
	// What counts is when clients know of something; that they show it a little later, by choice, is nothing that a server can hold.
	mechanism = session.Choice{Name: "central", Params: map[string]string{"render-delay": "0"}}
	if mode == "dense" {
		mechanism.Params["budget"] = budget
	}
	return world, mechanism
}

func quick(p *Probe) bool {
	r := p.Report
	return r.Delay.Count > 0 && r.Delay.P90 < delayMax && r.Updates.Share() >= updateMin && p.complete()
}

// complete says whether everybody got in and stayed.
func (p *Probe) complete() bool { return float64(p.Report.Stayed) >= joinedMin*float64(p.Users) }

// ticksMin is how many ticks a second look smooth.
const ticksMin = 24

// variants are the ways of sharing the strategy game. Sub-maps are those of the world; as many may begin to simulate one at
// a time as there are, since all users join at once.
var variants = map[string]session.Choice{
	"aos":       {Name: "aos", Params: map[string]string{"borders": "compressed", "columns": "5", "rows": "2", "promotions": "10000"}},
	"aos-delta": {Name: "aos", Params: map[string]string{"borders": "delta", "columns": "5", "rows": "2", "promotions": "10000"}},
	"aos-full":  {Name: "aos", Params: map[string]string{"borders": "full", "columns": "5", "rows": "2", "promotions": "10000"}},
	"lockstep":  {Name: "lockstep", Params: map[string]string{}},
}

// strategy is the measured strategy game: users with fifty avatars each, who stay in the sub-map of their base.
func strategy(p *part, variant string) (world, mechanism session.Choice) {
	mechanism = variants[variant]
	mechanism.Params = maps.Clone(mechanism.Params)
	return session.Choice{Name: "rts", Params: map[string]string{"users": strconv.Itoa(p.users), "workload": "wi"}}, mechanism
}

func smooth(p *Probe) bool {
	return p.Areas != nil && p.Areas.Slowest >= ticksMin && p.Report.Simulating == p.Report.Joined && p.complete()
}

const (
	cityRTT    = 250 * time.Millisecond // that the bounds reckon with; half of it passes between two pushes
	cityPushes = cityRTT / 2
	moveEvery  = 300 * time.Millisecond
	cityBlock  = 21 // how much ground there is for each user, squared: some seven others are in sight of each
)

// city is avatars between walls, whose users make a move every 300 ms.
func city(p *part, _ string) (w, mechanism session.Choice) {
	side := 20
	for side*side < p.users*cityBlock*cityBlock {
		side++
	}
	w = session.Choice{Name: "manhattan", Params: map[string]string{
		"avatars": strconv.Itoa(p.users), "side": strconv.Itoa(side), "walls": strconv.Itoa(side * side / 100), "every": moveEvery.String(),
		"tick": "100ms", // nothing moves by itself, and clients that wake less often are less of a load
	}}
	return w, session.Choice{Name: "action", Params: map[string]string{"protocol": "information-bound", "rtt": cityRTT.String()}}
}

// answered says whether nine in ten moves are certain within 100 ms of the push that they wait for at most, and whether as
// many as should be are made.
func answered(p *Probe) bool {
	r := p.Report
	due := float64(r.Joined) * r.Seconds / moveEvery.Seconds()
	limit := float64(cityPushes.Milliseconds() + delayMax)
	return r.Response.P90 < limit && float64(r.Response.Count+r.Dropped) >= updateMin*due && p.complete()
}

// promotionDelay is how long anything takes from a client to the server, and back.
const promotionDelay = 50 * time.Millisecond

// What the source allows a client that begins to simulate an area.
const (
	pauseMax     = 140  // ms that the area stands still
	promotionMax = 2500 // ms until the client simulates it
)

// heavy is an area of a megabyte that changes by a kilobyte a second, a user in it, and nothing else.
func heavy(p *part, _ string) (w, mechanism session.Choice) {
	return session.Choice{Name: quarryName}, session.Choice{Name: "aos", Params: map[string]string{
		"columns": "2", "rows": "1", "turn": (50 * world.Millisecond).String(), "delay": "dynamic",
	}}
}

func prompt(p *Probe) bool {
	return p.Areas != nil && p.Report.Promotions.Count > 0 && p.Report.Promotions.Max <= promotionMax && p.Areas.Paused.Max <= pauseMax
}
