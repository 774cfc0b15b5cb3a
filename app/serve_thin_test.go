package app

import (
	"testing"
	"time"

	"throng/live/thin"
	"throng/live/thin/thinclient"
)

// thinVisitor is a person in a world whose program speaks the thin protocol.
type thinVisitor struct {
	*thinclient.Client
	view    *thinclient.View
	welcome thinclient.Message
	acks    map[float64]string // the last state of each action
	ready   bool
	notice  any // what operators said last
}

// visitThinly has a program join, in one of the formats.
func visitThinly(t *testing.T, url string, format thin.Format) *thinVisitor {
	t.Helper()
	c, err := thinclient.Dial(url, format, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	v := &thinVisitor{Client: c, view: thinclient.NewView(), acks: map[float64]string{}}
	v.say(t, thinclient.Message{"type": "join", "version": thin.Version, "name": "Thin"})
	return v
}

func (v *thinVisitor) say(t *testing.T, m thinclient.Message) {
	t.Helper()
	if err := v.Say(m); err != nil {
		t.Fatal(err)
	}
}

// until takes what comes until something is so.
func (v *thinVisitor) until(t *testing.T, what string, so func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for !so() {
		select {
		case m, more := <-v.Messages:
			if !more {
				t.Fatalf("the connection was closed before %s", what)
			}
			v.take(t, m)
		case <-deadline:
			t.Fatalf("not in time: %s; acknowledged so far: %v", what, v.acks)
		}
	}
}

func (v *thinVisitor) take(t *testing.T, m thinclient.Message) {
	t.Helper()
	switch m.Type() {
	case "welcome":
		v.welcome = m
	case "ready":
		v.ready = true
	case "notice":
		v.notice = m["text"]
	case "view":
		if err := v.view.Apply(m); err != nil {
			t.Fatalf("%v: %v", m, err)
		}
	case "ack":
		v.acks[m["id"].(float64)] = m["state"].(string)
	case "error", "goodbye", "unreadable":
		t.Fatalf("told %v", m)
	}
}

// inside waits until the visitor is in the world, acts, and its action takes effect.
func (v *thinVisitor) inside(t *testing.T) {
	t.Helper()
	v.until(t, "the welcome", func() bool { return v.welcome != nil })
	v.until(t, "the visitor is ready", func() bool { return v.ready })
	v.until(t, "the visitor is in its own view", func() bool { return v.view.Of(v.welcome["user"]) != nil })
	verb := v.welcome["verbs"].([]any)[0].(map[string]any)
	for id := 1.0; v.acks[id-1] == "" || v.acks[id-1] == "dropped"; id++ { // a mechanism may give an action up, and says so
		v.say(t, thinclient.Message{"type": "act", "id": id, "verb": verb["name"]})
		v.until(t, "the action is acknowledged", func() bool { return v.acks[id] != "" })
	}
}

// leave says goodbye, and waits until that is heard.
func (v *thinVisitor) leave(t *testing.T) {
	t.Helper()
	v.say(t, thinclient.Message{"type": "leave"})
	last := ""
	for m := range v.Messages {
		last = m.Type()
	}
	if last != "goodbye" {
		t.Errorf("the last message is of type %s", last)
	}
}
