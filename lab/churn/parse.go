package churn

import (
	"fmt"
	"slices"
	"strings"

	"throng/internal/param"
	"throng/world"
)

// statementsMax bounds a plan that comes from a file.
const statementsMax = 10_000

// Error says what is wrong with a plan.
type Error struct {
	Statement string // the statement concerned, as written; empty if it is about none in particular
	Problem   string // what is wrong, naming the words
	Remedy    string // what would be right
}

func (e *Error) Error() string {
	text := e.Problem
	if e.Remedy != "" {
		text += "; " + e.Remedy
	}
	if e.Statement != "" {
		text = fmt.Sprintf("%q: %s", e.Statement, text)
	}
	return text
}

// Parse reads statements with ; or a line break between them. Errors are of type [*Error].
func Parse(text string) (Plan, error) {
	var p Plan
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if len(p.Statements) == statementsMax {
			return Plan{}, &Error{Problem: fmt.Sprintf("there are more than %d events", statementsMax), Remedy: `use "every …" or a rate`}
		}
		s, err := ParseStatement(part)
		if err != nil {
			return Plan{}, err
		}
		p.Statements = append(p.Statements, s)
	}
	return p, nil
}

// ParseStatement reads one statement.
func ParseStatement(text string) (s Statement, err error) {
	s.Text = strings.Join(strings.Fields(text), " ")
	defer rescue(s.Text, &err)
	p := parser{words: split(text)}
	s.When = p.when()
	p.expect(":", "a colon follows the time, as in at 30s: crash server 2")
	for {
		s.Clauses = append(s.Clauses, p.clause(&s))
		if !p.accept(",") && !p.accept("and") {
			break
		}
	}
	if w := p.peek(); w != "" {
		p.fail(fmt.Sprintf("%q is not understood here", w), p.suggest(w, optionWords))
	}
	for i := range s.Clauses {
		s.complete(&s.Clauses[i], &p)
	}
	return s, nil
}

// rescue turns the panic of a parser into an error. Problems surface deep inside the descent; a plan is short, and its first
// mistake is all that is reported.
func rescue(text string, err *error) {
	if r := recover(); r != nil {
		e, ok := r.(*Error)
		if !ok {
			panic(r)
		}
		if e.Statement == "" {
			e.Statement = text
		}
		*err = e
	}
}

// parser reads the words of a statement from left to right.
type parser struct {
	words   []string
	at      int
	subject *Who // of the clause before, which the next may leave out
}

// split cuts a statement into words. Colons, commas and bars are words of their own where a space or the end follows them, so
// that 1,3-5 is one word.
func split(text string) []string {
	var words []string
	for field := range strings.FieldsSeq(text) {
		word := strings.TrimRight(field, ":,|")
		if word != "" {
			words = append(words, word)
		}
		for _, mark := range field[len(word):] {
			words = append(words, string(mark))
		}
	}
	return words
}

// peek is the next word, in lower case; empty at the end.
func (p *parser) peek() string { return p.ahead(0) }

// ahead is the word after n others.
func (p *parser) ahead(n int) string {
	if p.at+n >= len(p.words) {
		return ""
	}
	return strings.ToLower(p.words[p.at+n])
}

// next takes a word; what says what ought to be there if there is none.
func (p *parser) next(what string) string {
	if p.at == len(p.words) {
		p.fail("ends too soon", what+" is missing")
	}
	w := p.peek()
	p.at++
	return w
}

// accept takes the next words if they are these.
func (p *parser) accept(words ...string) bool {
	for i, w := range words {
		if p.ahead(i) != w {
			return false
		}
	}
	p.at += len(words)
	return true
}

// expect takes a word that must come now.
func (p *parser) expect(word, remedy string) {
	if !p.accept(word) {
		p.fail(p.unexpected(), remedy)
	}
}

// unexpected words the complaint about the next word.
func (p *parser) unexpected() string {
	if w := p.peek(); w != "" {
		return fmt.Sprintf("%q is not understood here", w)
	}
	return "ends too soon"
}

func (p *parser) fail(problem, remedy string) { panic(&Error{Problem: problem, Remedy: remedy}) }

// suggest words what could be meant instead of a word.
func (p *parser) suggest(word string, known []string) string {
	if near := param.Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "known: " + strings.Join(known, ", ")
}

// when reads the time of a statement.
func (p *parser) when() When {
	var w When
	switch first := p.next("a time, as in at 30s: …,"); first {
	case "at":
		w.From = p.time()
		w.To = w.From
	case "from":
		w.From, w.To = p.period()
		w.Whole = true
	case "every":
		w.Every = p.span()
		w.Random = p.accept("on", "average")
		w.To = never
		if p.accept("from") {
			w.From, w.To = p.period()
		}
	default:
		p.fail(fmt.Sprintf("%q begins no event", first), "begin with at 30s:, from 10s to 20s:, every 30s: or every 30s on average:")
	}
	return w
}

// clause reads one thing that happens and its options.
func (p *parser) clause(s *Statement) Clause {
	var c Clause
	if v, ok := verbsFirst[p.peek()]; ok {
		p.at++
		c.Verb = v
		p.object(&c)
	} else {
		p.subjectFirst(&c)
	}
	p.rate(&c, s)
	p.options(&c)
	return c
}

// subjectFirst reads "half of the users leave", or "leave" alone after another clause about them.
func (p *parser) subjectFirst(c *Clause) {
	if v, ok := verbsLast[p.peek()]; ok && p.subject != nil {
		p.at++
		c.Verb, c.Who = v, *p.subject
	} else {
		began := p.at
		c.Who = p.who()
		v, ok := verbsLast[p.peek()]
		if !ok {
			p.notAVerb(began)
		}
		p.at++
		c.Verb = v
	}
	p.subject = &c.Who
	if c.Verb == VerbGather {
		p.expect("at", "say where, as in gather at the centre")
		c.Spot = p.spot()
	}
}

// notAVerb complains about what follows those whom a clause is about, which began at a word, and is no verb. A single word that
// looks like a verb or an option was probably meant to be one: "crsh server 2".
func (p *parser) notAVerb(began int) {
	known := slices.Concat(namesOf(verbsFirst), namesOf(verbsLast))
	first, here := strings.ToLower(p.words[began]), p.peek()
	wrong := here
	if alone := p.at == began+1; alone && (here == "" || param.Nearest(first, slices.Concat(known, optionWords)) != "") {
		if noun, plural := singular(first); here == "" && (plural || slices.Contains([]string{nounUser, nounNode}, noun)) {
			p.fail("ends too soon", "say what happens to them: "+strings.Join(namesOf(verbsLast), ", "))
		}
		wrong, known = first, slices.Concat(known, optionWords)
	}
	if wrong == "" {
		p.fail("ends too soon", "say what happens to them: "+strings.Join(namesOf(verbsLast), ", "))
	}
	p.fail(fmt.Sprintf("%q is nothing that can happen", wrong), p.suggest(wrong, known))
}

// complete fills in what a clause leaves to be understood, and complains about what cannot be.
func (s *Statement) complete(c *Clause, p *parser) {
	switch {
	case c.Memory && !c.Back:
		p.fail("nobody comes back with a memory", "say when, as in back after 5s with memory")
	case c.Memory && c.Moved:
		p.fail("a memory does not move to another host", "leave out one of them")
	case c.Verb == VerbArrive && c.Who.Noun != nounUser:
		p.fail(fmt.Sprintf("%q do not arrive", c.Who.Noun), "users arrive; others return after a crash")
	case c.Verb == VerbArrive && c.Who.Numbers != nil:
		p.fail("those who arrive have no numbers yet", "say how many, as in 100 users arrive; or which return, as in user 5 returns")
	case c.Verb == VerbArrive && c.Who.Count == 0 && c.Rate == 0:
		p.fail("says not how many arrive", "as in 100 users arrive, or from 20s to 60s: users arrive 5/s")
	case s.When.Every > 0 && c.lasts() && c.For == 0:
		p.fail(fmt.Sprintf("%s again and again without an end", c.Verb), "say how long, as in for 5s")
	case s.When.Every > 0 && s.When.Every < gapMin:
		p.fail(fmt.Sprintf("every %v is too often", s.When.Every), fmt.Sprintf("no more often than every %v", gapMin))
	}
	if c.Verb == VerbReplace {
		c.Back, c.Moved = true, true
	}
	if c.Rate > 0 && c.Who.Count == 0 {
		c.Who.Count = 1
	}
	if s.When.Whole && c.Rate == 0 {
		if length := s.When.To - s.When.From; c.lasts() && c.For == 0 {
			c.For = length
		} else if !c.lasts() && c.Within == 0 {
			c.Within = length
		}
	}
	if c.Verb == VerbDrain && c.Within == 0 {
		c.Within = drainTime
	}
}

// drainTime is how long a server that is drained has to hand over what it holds.
const drainTime = 10 * world.Second

// lasts reports whether what the clause does has a length.
func (c *Clause) lasts() bool {
	return c.Verb == VerbGather || c.Verb == VerbPartition || c.Verb == VerbLimit || c.Verb == VerbAdd
}
