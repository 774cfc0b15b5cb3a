package display

import "throng/world"

// look writes how a world looks and is played. Lengths are in the world's unit, times in milliseconds.
func (t *Text) look(l world.Look) {
	t.Open("look")
	t.String("avatar", l.Avatar)
	t.Number("around", Float(l.Around))
	t.Number("walls", Float(l.Walls))
	t.List("kinds")
	for _, k := range l.Kinds {
		t.Open("")
		t.String("kind", k.Kind)
		t.String("shape", string(k.Shape))
		t.String("colour", k.Colour)
		t.Number("width", Float(k.Width))
		t.Number("height", Float(k.Height))
		t.String("label", k.Label)
		t.Bool("trail", k.Trail)
		t.Close()
	}
	t.EndList()
	t.List("controls")
	for _, c := range l.Controls {
		t.control(c)
	}
	t.EndList()
	t.List("hints")
	for _, h := range l.Hints {
		t.Open("")
		t.String("by", h.By)
		t.String("does", h.Does)
		t.Close()
	}
	t.EndList()
	t.Close()
}

func (t *Text) control(c world.Control) {
	t.Open("")
	t.String("by", string(c.By))
	t.String("verb", c.Verb)
	t.String("does", c.Does)
	t.Int("scale", max(c.Scale, 1))
	t.Number("again", float64(c.Again)/float64(world.Millisecond))
	t.String("label", c.Label)
	t.String("key", c.Key)
	t.List("args")
	for _, v := range c.Args {
		t.Int("", v)
	}
	t.EndList()
	t.Close()
}
