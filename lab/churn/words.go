package churn

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"throng/world"
	"throng/world/fixed"
)

const (
	never   = world.Never
	timeMax = 1_000_000 * world.Second

	nounUser    = "user"
	nounNode    = "node"
	nounProcess = "process"
)

// time reads a moment, such as 30s or 1m30s.
func (p *parser) time() world.Time { return p.timeOf(p.next("a time such as 30s")) }

func (p *parser) timeOf(text string) world.Time {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || world.Time(d) > timeMax {
		p.fail(fmt.Sprintf("%q is no time", text), "write it as in 30s, 1m30s or 250ms")
	}
	return world.Time(d)
}

// span reads a length of time, which is not zero.
func (p *parser) span() world.Time {
	t := p.time()
	if t == 0 {
		p.fail("takes no time at all", "write a time above 0s")
	}
	return t
}

// period reads "10s to 20s".
func (p *parser) period() (from, to world.Time) {
	from = p.time()
	p.expect("to", "write when it ends, as in from 10s to 20s")
	to = p.time()
	if to <= from {
		p.fail(fmt.Sprintf("ends at %v, but begins at %v", to, from), "write the earlier time first")
	}
	return from, to
}

// bandwidth reads 128kbit/s.
func (p *parser) bandwidth() int64 {
	text := p.next("a bandwidth such as 128kbit/s")
	for _, unit := range []struct {
		name   string
		factor int64
	}{{"gbit/s", 1e9}, {"mbit/s", 1e6}, {"kbit/s", 1e3}, {"bit/s", 1}} {
		number, ok := strings.CutSuffix(text, unit.name)
		if !ok {
			continue
		}
		if f, err := fixed.Parse(number); err == nil && f > 0 && f <= fixed.FromInt(1000) || err == nil && f > 0 && unit.factor == 1 {
			if n := f.MulInt(unit.factor).Floor(); n > 0 {
				return n
			}
		}
		break
	}
	p.fail(fmt.Sprintf("%q is no bandwidth", text), "write it as in 128kbit/s or 10Mbit/s, above zero and up to 1000Gbit/s")
	return 0
}

// shareOf reads 5% or 0.05.
func (p *parser) shareOf(text string) fixed.F {
	number, percent := strings.CutSuffix(text, "%")
	f, err := fixed.Parse(number)
	if percent {
		f = f.DivInt(100)
	}
	if err != nil || f < 0 || f > fixed.One {
		p.fail(fmt.Sprintf("%q is no share", text), "write it as in 5% or 0.05, from 0 to 1")
	}
	return f
}

// rate reads "5/s", which makes a clause happen again and again while its statement's time lasts.
func (p *parser) rate(c *Clause, s *Statement) {
	number, per, ok := strings.Cut(p.peek(), "/")
	if !ok {
		return
	}
	text := p.next("")
	units := map[string]world.Time{"s": world.Second, "min": world.Minute, "h": 60 * world.Minute}
	n, err := fixed.Parse(number)
	if err != nil || n <= 0 || units[per] == 0 {
		p.fail(fmt.Sprintf("%q is no rate", text), "write it as in 5/s, 0.5/s, 30/min or 2/h")
	}
	if !s.When.Whole {
		p.fail(fmt.Sprintf("%q needs a time during which it holds", text), "begin with from 20s to 60s:")
	}
	c.Rate = world.Time(fixed.F(units[per]).Div(n))
	if c.Rate < gapMin {
		p.fail(fmt.Sprintf("%q is too often", text), fmt.Sprintf("no more than %d/s", world.Second/gapMin))
	}
}

// gapMin bounds how often something happens.
const gapMin = 10 * world.Microsecond

// spot reads where users gather.
func (p *parser) spot() Spot {
	if p.accept("the", "centre") || p.accept("the", "center") {
		return Spot{Given: true, Relative: true, X: fixed.One / 2, Y: fixed.One / 2}
	}
	text := p.next("a place, as in at the centre, at 25%,50% or at 120,80")
	x, y, ok := strings.Cut(text, ",")
	a, relativeX := strings.CutSuffix(x, "%")
	b, relativeY := strings.CutSuffix(y, "%")
	s := Spot{Given: true, Relative: relativeX && relativeY}
	var errX, errY error
	s.X, errX = fixed.Parse(a)
	s.Y, errY = fixed.Parse(b)
	if !ok || relativeX != relativeY || errX != nil || errY != nil {
		p.fail(fmt.Sprintf("%q is no place", text), "write the centre, shares of the world such as 25%,50%, or coordinates such as 120,80")
	}
	if s.Relative {
		s.X, s.Y = s.X.DivInt(100), s.Y.DivInt(100)
		if s.X < 0 || s.X > fixed.One || s.Y < 0 || s.Y > fixed.One {
			p.fail(fmt.Sprintf("%q is outside the world", text), "shares go from 0% to 100%")
		}
	}
	return s
}

// who reads a set of nodes.
func (p *parser) who() Who {
	const example = "as in server 2, clients 1-5, a client, half of the users, 100 users"
	word := p.next("whom it is about, " + example + ",")
	switch word {
	case "everybody":
		return Who{Noun: nounUser, Share: fixed.One}
	case "all":
		p.accept("the")
		return Who{Noun: p.noun(example), Share: fixed.One}
	case "half":
		return p.shareWho(fixed.One/2, example)
	case "a", "an", "one":
		return Who{Noun: p.noun(example), Count: 1}
	case "the":
		noun, plural := singular(p.next(example))
		return Who{Noun: noun, Share: fixed.One, One: !plural}
	}
	if strings.HasSuffix(word, "%") {
		return p.shareWho(p.shareOf(word), example)
	}
	if n, err := strconv.ParseUint(word, 10, 32); err == nil {
		if n == 0 || n > countMax {
			p.fail(fmt.Sprintf("%q is no number of them", word), fmt.Sprintf("from 1 to %d", countMax))
		}
		return Who{Noun: p.noun(example), Count: int(n)}
	}
	p.at--
	noun := p.noun(example)
	if spans, ok := readSpans(p.peek()); ok {
		p.at++
		return Who{Noun: noun, Numbers: spans, Share: fixed.One}
	}
	return Who{Noun: noun, Share: fixed.One}
}

// countMax bounds how many one clause is about.
const countMax = 1_000_000

func (p *parser) shareWho(share fixed.F, example string) Who {
	p.expect("of", example)
	p.accept("the")
	return Who{Noun: p.noun(example), Share: share}
}

// noun reads what somebody is: a user, a node, a process or a role, in the singular or the plural.
func (p *parser) noun(example string) string {
	word := p.next(example)
	if !letters(word) {
		p.fail(fmt.Sprintf("%q says not who", word), example)
	}
	noun, _ := singular(word)
	return noun
}

func letters(word string) bool {
	for i := range len(word) {
		if c := word[i]; (c < 'a' || c > 'z') && c != '-' {
			return false
		}
	}
	return word != ""
}

// singular undoes an English plural.
func singular(word string) (noun string, plural bool) {
	switch {
	case word == nounProcess:
		return word, false
	case strings.HasSuffix(word, "ies"):
		return strings.TrimSuffix(word, "ies") + "y", true
	case strings.HasSuffix(word, "sses"):
		return strings.TrimSuffix(word, "es"), true
	case strings.HasSuffix(word, "s"):
		return strings.TrimSuffix(word, "s"), true
	}
	return word, false
}

// readSpans reads numbers such as 2, 1-5 or 1,3-5.
func readSpans(word string) ([]Span, bool) {
	var spans []Span
	for part := range strings.SplitSeq(word, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		a, errA := strconv.ParseUint(first, 10, 32)
		b, errB := strconv.ParseUint(last, 10, 32)
		if errA != nil || errB != nil || a < 1 || b < a {
			return nil, false
		}
		spans = append(spans, Span{uint32(a), uint32(b)})
	}
	return spans, true
}
