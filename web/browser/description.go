//go:build js && wasm

package browser

import (
	"errors"
	"strconv"
	"syscall/js"

	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

// parseDescription reads a session's description with the browser's own reader: the one of the standard library would make
// the page an eighth larger.
func parseDescription(text []byte) (d session.Description, err error) {
	defer func() { // the browser throws at what is not JSON, and so does js.Value at what is of another type
		if recover() != nil {
			err = errors.New("the session's description cannot be read")
		}
	}()
	v := js.Global().Get("JSON").Call("parse", string(text))
	d.World, d.Mechanism = choice(v.Get("world")), choice(v.Get("mechanism"))
	if d.Seed, err = strconv.ParseUint(v.Get("seed").String(), 10, 64); err != nil {
		return d, err
	}
	if places := v.Get("places"); !places.IsUndefined() {
		for i := range places.Length() {
			p := places.Index(i)
			d.Places = append(d.Places, mechanism.Place{
				ID:   mechanism.NodeID(p.Get("ID").Int()),
				Role: p.Get("Role").String(),
				User: world.User(p.Get("User").Int()),
			})
		}
	}
	return d, nil
}

func choice(v js.Value) session.Choice {
	c := session.Choice{Name: v.Get("name").String()}
	params := v.Get("params")
	if params.IsUndefined() {
		return c
	}
	keys := js.Global().Get("Object").Call("keys", params)
	c.Params = make(map[string]string, keys.Length())
	for i := range keys.Length() {
		key := keys.Index(i).String()
		c.Params[key] = params.Get(key).String()
	}
	return c
}
