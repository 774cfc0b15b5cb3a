// Package stall bounds how long everybody may be kept waiting.
//
// Mechanisms that go on in step wait for whoever is late, up to a patience. If that were granted anew each time, somebody who
// always answers at the last moment would hold everybody up for good, and so would many who do it once each. A [Budget] makes
// patience a stock instead: waiting uses it up, and of the time that passes otherwise only a share is given back.
//
// There is a stock for each client and one for all of them together. Whoever has used up their own is not to be waited for;
// when the common one is used up, nobody is who has used a good part of theirs. So those who are late for once are waited for
// as before, and whatever hostile clients do, in whatever numbers, waiting takes no more of the time than the share allows.
//
// What somebody has used up stays so when they leave and come back, and newcomers begin with a quarter: else coming back, or
// coming under another name, would fill a stock.
package stall

import (
	"cmp"
	"slices"

	"throng/mechanism"
	"throng/world"
	"throng/world/fixed"
)

// Budget keeps account of how long everybody was kept waiting, and by whom.
type Budget struct {
	most  world.Time // in a full stock
	share fixed.F    // of the time that is given back
	all   stock
	each  []stock // of those who have used up some of theirs, by node
}

// stock is how much of the patience is used up, as of a time.
type stock struct {
	id    mechanism.NodeID
	spent world.Time
	at    world.Time
}

const (
	newcomersHave = 4    // newcomers begin with this part of the stock, as a divisor
	suspectShare  = 8    // who has used up this part of theirs is not waited for when the common stock is used up, as a divisor
	debtMax       = 8    // stocks that anybody can owe
	remembered    = 4096 // how many clients are accounted for; those who owe least are forgotten first
)

// New returns a budget of which nothing is used up. The share is of the time in which nobody waits.
func New(most world.Time, share fixed.F) Budget { return Budget{most: most, share: share} }

// Welcome says that somebody is waited for from now on who was not there from the start.
func (b *Budget) Welcome(now world.Time, id mechanism.NodeID) {
	s := b.stock(id, now)
	b.settle(s, now)
	s.spent = max(s.spent, b.most-b.most/newcomersHave)
}

// Dismiss says that somebody was not waited for any longer. They owe another stock for it: it takes the longer to be waited for
// again, the more often it happens.
func (b *Budget) Dismiss(now world.Time, id mechanism.NodeID) {
	s := b.stock(id, now)
	b.settle(s, now)
	s.spent = min(s.spent+b.most, debtMax*b.most)
}

// Charge says that everybody has just waited for some, for a while.
func (b *Budget) Charge(now world.Time, late []mechanism.NodeID, span world.Time) {
	b.all.charge(b, now, span)
	for _, id := range late {
		b.stock(id, now).charge(b, now, span)
	}
}

// Left is for how long somebody may still be waited for: nothing, or less, where that is over.
func (b *Budget) Left(now world.Time, id mechanism.NodeID) world.Time {
	own := b.Spent(now, id)
	left, common := b.most-own, b.most-b.settled(&b.all, now)
	if common < left { // who has always been in time is waited for a little even then
		left = max(common, b.most/suspectShare-own)
	}
	return left
}

// Spent is how much of their stock somebody has used up.
func (b *Budget) Spent(now world.Time, id mechanism.NodeID) world.Time {
	if i, known := b.find(id); known {
		return b.settled(&b.each[i], now)
	}
	return 0
}

// Exhausted reports whether somebody has used up all of their own.
func (b *Budget) Exhausted(now world.Time, id mechanism.NodeID) bool {
	return b.Spent(now, id) >= b.most
}

// Suspect reports whether somebody has used up so much that they, rather than others, may be at fault.
func (b *Budget) Suspect(now world.Time, id mechanism.NodeID) bool {
	return b.Spent(now, id) >= b.most/suspectShare
}

func (b *Budget) find(id mechanism.NodeID) (int, bool) {
	return slices.BinarySearchFunc(b.each, id, func(s stock, id mechanism.NodeID) int { return cmp.Compare(s.id, id) })
}

// stock returns somebody's, which may be new.
func (b *Budget) stock(id mechanism.NodeID, now world.Time) *stock {
	i, known := b.find(id)
	if !known {
		if len(b.each) == remembered {
			b.tidy(now)
			i, _ = b.find(id)
		}
		b.each = slices.Insert(b.each, i, stock{id: id, at: now})
	}
	return &b.each[i]
}

// tidy forgets the half who owe least, and all who owe nothing.
func (b *Budget) tidy(now world.Time) {
	var debts []world.Time
	for i := range b.each {
		b.settle(&b.each[i], now)
		debts = append(debts, b.each[i].spent)
	}
	slices.Sort(debts)
	median, kept := debts[len(debts)/2], 0
	b.each = slices.DeleteFunc(b.each, func(s stock) bool {
		if s.spent > median || s.spent == median && median > 0 && kept < remembered/4 {
			kept++
			return false
		}
		return true
	})
}

// settled is what is used up by now.
func (b *Budget) settled(s *stock, now world.Time) world.Time {
	return max(s.spent-world.Time(b.share.MulInt(int64(max(now-s.at, 0))).Floor()), 0)
}

// settle brings a stock up to date.
func (b *Budget) settle(s *stock, now world.Time) {
	s.spent, s.at = b.settled(s, now), now
}

// charge takes a span off that has just passed, and for which nothing is given back.
func (s *stock) charge(b *Budget, now, span world.Time) {
	b.settle(s, now-span)
	s.spent, s.at = min(s.spent+span, debtMax*b.most), now
}
