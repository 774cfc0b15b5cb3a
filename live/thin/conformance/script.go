package conformance

import "fmt"

const token = "conform-token"

// welcome is a small world.
const welcome = `{"type":"welcome","version":1,"user":7,"token":"` + token + `","world":"conform","mechanism":"none","time":1000,"tick":50,
	"bounds":[0,0,0,100,100,0],"speech":false,"mood":"fine",
	"kinds":[{"name":"stone","radius":0.5,"fields":[{"name":"x","type":"number","min":0,"max":100}]},
		{"name":"cloud","radius":0,"fields":[{"name":"x","type":"number","min":-100,"max":100},{"name":"tall","type":"flag"}]}],
	"verbs":[{"name":"report","args":[{"name":"objects","type":"integer","min":0,"max":100},{"name":"sum","type":"number","min":-1000,"max":1000},
		{"name":"mine","type":"integer","min":0,"max":100}]}]}`

// step is something that is said, and what the client should report it knows then.
type step struct {
	what               string
	say                string
	objects, sum, mine float64
}

// first is what is said on the first connection.
var first = []step{
	{"objects enter", `{"view":1000,"tables":[[1,"stone",["id","user","x"]]],"enter":[[1,10,0,1.5,11,7,2.5]]}`, 2, 4, 1},
	{"one changes", `{"view":1100,"tables":[[2,"stone",["id","x"]]],"change":[[2,10,10.5]]}`, 2, 13, 1},
	{"one leaves, and one with a long ID enters; there is a key that nobody knows",
		`{"view":1200,"weather":{"rain":[1]},"tables":[[3,"cloud",["id","user","x","tall"]]],"leave":[11],"enter":[[3,"9007199254740993",7,-2.5,true]]}`, 2, 8, 1},
	{"two tables change", `{"view":1300,"tables":[[4,"cloud",["id","x","tall"]]],"change":[[2,10,20],[4,"9007199254740993",-1,false]]}`, 2, 19, 1},
	{"an object leaves and enters with one message", `{"view":1400,"leave":[10,"9007199254740993"],"enter":[[1,10,0,3]]}`, 1, 3, 0},
	{"nothing but the time", `{"view":1500}`, 1, 3, 0},
	{"everything leaves", `{"view":1600,"leave":[10]}`, 0, 0, 0},
}

// second is what is said on the connection after that was lost: tables have new meanings.
var second = []step{
	{"a view after coming back", `{"view":9000,"tables":[[1,"cloud",["id","user","x"]]],"enter":[[1,5,7,42]]}`, 1, 42, 1},
}

// play plays the script.
func (s *Server) play() error {
	k, err := s.join("")
	if err != nil {
		return err
	}
	for _, text := range []string{welcome, `{"type":"weather","rain":true}`, `{"type":"ready"}`, `{"type":"said","user":3,"text":"hé\"llo"}`, `{"type":"error","reason":"nothing is wrong"}`} {
		if err := k.say(text); err != nil {
			return err
		}
	}
	if err := k.steps(first); err != nil {
		return err
	}
	if err := k.pong(); err != nil {
		return err
	}
	k.conn.NetConn().Close() // without a word
	if k, err = s.join(token); err != nil {
		return fmt.Errorf("after the connection was lost: %w", err)
	}
	if err := k.say(welcome); err != nil {
		return err
	}
	if err := k.steps(second); err != nil {
		return err
	}
	if err := k.say(`{"type":"goodbye","code":"left","reason":"that was all"}`); err != nil {
		return err
	}
	k.conn.WriteClose(1000, nil)
	return nil
}

func (k *session) steps(steps []step) error {
	for _, s := range steps {
		if err := k.say(s.say); err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
		if err := k.report(s.objects, s.sum, s.mine); err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
	}
	return nil
}
