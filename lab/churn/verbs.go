package churn

import (
	"fmt"
	"maps"
	"slices"

	"throng/world/fixed"
)

// verbsFirst stand before those whom they are about, verbsLast after them.
var (
	verbsFirst = map[string]Verb{
		"crash": VerbCrash, "return": VerbReturn, "replace": VerbReplace, "drain": VerbDrain,
		"partition": VerbPartition, "heal": VerbHeal, "limit": VerbLimit, "add": VerbAdd,
	}
	verbsLast = map[string]Verb{
		"arrive": VerbArrive, "arrives": VerbArrive, "join": VerbArrive, "joins": VerbArrive, "leave": VerbLeave, "leaves": VerbLeave,
		"crash": VerbCrash, "crashes": VerbCrash, "return": VerbReturn, "returns": VerbReturn, "gather": VerbGather, "gathers": VerbGather,
	}
	verbNames = [...]string{"arrive", "leave", "crash", "return", "replace", "drain", "gather", "partition", "heal", "limit", "add"}
)

func (v Verb) String() string { return verbNames[v] }

func namesOf(verbs map[string]Verb) []string { return slices.Sorted(maps.Keys(verbs)) }

// object reads what follows a verb.
func (p *parser) object(c *Clause) {
	switch c.Verb {
	case VerbPartition:
		c.Groups = p.groups()
	case VerbHeal:
	case VerbLimit:
		p.limit(c)
	case VerbAdd:
		p.add(c)
	default:
		c.Who = p.who()
	}
}

// limit reads "up of clients to 128kbit/s".
func (p *parser) limit(c *Clause) {
	both := p.accept("up", "and", "down")
	up := both || p.accept("up")
	down := both || !up && p.accept("down")
	if !up && !down {
		p.fail(p.unexpected(), "say up, down or up and down, as in limit up of clients to 128kbit/s")
	}
	p.expect("of", "say whose, as in limit up of clients to 128kbit/s")
	c.Who = p.who()
	p.expect("to", "say how much, as in limit up of clients to 128kbit/s")
	most := p.bandwidth()
	if up {
		c.Up = most
	}
	if down {
		c.Down = most
	}
}

// add reads "100ms delay between clients and servers" or "5% loss of server 2".
func (p *parser) add(c *Clause) {
	const example = "as in add 100ms delay between clients and servers, or add 5% loss of server 2"
	amount := p.next("how much, " + example + ",")
	switch what := p.next("delay or loss, " + example + ","); what {
	case "delay":
		c.Delay = p.timeOf(amount)
	case "loss":
		c.Loss = p.shareOf(amount)
	default:
		p.fail(fmt.Sprintf("%q is nothing that can be added", what), "add delay or loss, "+example)
	}
	switch {
	case p.accept("of"):
		c.Who = p.who()
	case p.accept("between"):
		c.Between = true
		c.Who = p.who()
		p.expect("and", example)
		c.Other = p.who()
	default:
		p.fail(p.unexpected(), "say whose, "+example)
	}
}

// groups reads "servers 1-2 | rest".
func (p *parser) groups() []Group {
	var groups []Group
	for {
		groups = append(groups, p.group())
		if !p.accept("|") {
			break
		}
	}
	if len(groups) < 2 {
		p.fail("a partition has two sides or more", "as in partition servers 1-2 | rest")
	}
	if n := countRests(groups); n > 1 {
		p.fail(fmt.Sprintf("the rest is there %d times", n), "name it on one side")
	}
	return groups
}

func countRests(groups []Group) (n int) {
	for _, g := range groups {
		if g.Rest {
			n++
		}
	}
	return n
}

// group reads one side of a partition: numbers of nodes, or several sets with + between them, or the rest.
func (p *parser) group() Group {
	if p.accept("rest") || p.accept("the", "rest") {
		return Group{Rest: true}
	}
	var g Group
	for {
		if spans, ok := readSpans(p.peek()); ok && p.endsSet(1) {
			p.at++
			g.Who = append(g.Who, Who{Noun: nounNode, Numbers: spans, Share: fixed.One})
		} else {
			g.Who = append(g.Who, p.who())
		}
		if !p.accept("+") {
			return g
		}
	}
}

// endsSet reports whether the word after n others cannot belong to a set of nodes.
func (p *parser) endsSet(n int) bool {
	w := p.ahead(n)
	return w == "" || w == "|" || w == "," || w == "+"
}

// optionWords begin what may follow a clause.
var optionWords = []string{"within", "back", "with", "without", "on", "for", "at", "after", "heal", "and"}

// verbsWith says which verbs an option goes with.
var verbsWith = map[string][]Verb{
	"within": {VerbArrive, VerbLeave, VerbCrash, VerbReturn, VerbDrain, VerbGather},
	"back":   {VerbCrash, VerbLeave, VerbDrain},
	"after":  {VerbReplace},
	"with":   {VerbCrash},
	"on":     {VerbCrash, VerbLeave, VerbDrain, VerbReturn},
	"for":    {VerbGather, VerbPartition, VerbLimit, VerbAdd},
	"heal":   {VerbPartition},
	"at":     {VerbArrive},
}

// options reads what follows from a clause, with or without commas between. A comma that no option follows is left for the next
// clause.
func (p *parser) options(c *Clause) {
	for {
		start := p.at
		comma := p.accept(",")
		if !p.option(c) {
			if comma {
				p.at = start
			}
			return
		}
	}
}

func (p *parser) option(c *Clause) bool {
	option := p.peek()
	switch {
	case p.accept("within"):
		c.Within = p.span()
	case p.accept("back", "after"), c.Verb == VerbReplace && p.accept("after"):
		c.Back, c.After = true, p.time()
	case p.accept("with", "memory"):
		c.Memory = true
	case p.accept("without", "memory"):
		option, c.Memory = "with", false
	case p.accept("on", "another", "host"):
		c.Moved = true
	case p.accept("for"), c.Verb == VerbPartition && p.accept("heal", "after"):
		c.For = p.span()
	case c.Verb == VerbArrive && p.accept("at"):
		c.Spot = p.spot()
	default:
		return false
	}
	if fits := verbsWith[option]; !slices.Contains(fits, c.Verb) {
		p.fail(fmt.Sprintf("%s knows no %q", c.Verb, option), fmt.Sprintf("that goes with %v", fits))
	}
	return true
}
