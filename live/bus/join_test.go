package bus

import (
	"net"
	"strings"
	"testing"
	"time"

	"throng/catalog"
	"throng/live/livetest"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
	"throng/world/wire"
)

func TestJoiningInVainSaysWhy(t *testing.T) {
	first := begin(t, dense("central"), nil)
	host := first.address.server.Host
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := closed.Addr().String()
	closed.Close()
	good := first.JoinURL()
	for name, c := range map[string]struct{ url, want string }{
		"no URL":        {"nats://%zz@" + host, "not a URL"},
		"another thing": {"http://" + host, "no addresses of the kind"},
		"no host":       {"nats:///world", "the host is missing"},
		"no world":      {strings.TrimSuffix(good, first.address.world), "the world is missing"},
		"odd world":     {strings.TrimSuffix(good, first.address.world) + "a.*", "is no name of a world"},
		"wrong world":   {strings.TrimSuffix(good, first.address.world) + "other", "there is no world other on the bus at " + host},
		"wrong token":   {"nats://letmein@" + host + "/" + first.address.world, "refuses the token"},
		"no token":      {"nats://" + host + "/" + first.address.world, "refuses the token"},
		"nobody there":  {"nats://x@" + nobody + "/w", "no bus answers at " + nobody},
	} {
		b, err := Join(t.Context(), c.url, Config{Catalog: catalog.Default()})
		if err == nil {
			b.Close()
			t.Errorf("%s: joined", name)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, want %q", name, err, c.want)
		}
		if strings.Contains(err.Error(), first.server.token) || strings.Contains(err.Error(), "letmein") {
			t.Errorf("%s: the message has the token: %q", name, err)
		}
	}
	if got := first.Counters().Members; got != 0 {
		t.Errorf("%d members", got)
	}
}

// stubborn is a mechanism whose nodes cannot join a run under way.
type stubborn struct{}

func (*stubborn) Places(w world.World) []mechanism.Place { return mechanism.Peers(w) }
func (*stubborn) NewNode(s *mechanism.Session, _ mechanism.Place) (mechanism.Node, error) {
	return idler{s.Start}, nil
}

type idler struct{ view *world.State }

func (idler) Wake(world.Time, *mechanism.Outbox)                       {}
func (idler) Receive(world.Time, mechanism.Message, *mechanism.Outbox) {}
func (idler) Act(world.Time, world.Action, *mechanism.Outbox)          {}
func (i idler) View() *world.State                                     { return i.view }

func TestWorldThatNobodyCanJoinTakesNoProcess(t *testing.T) {
	c := catalog.Default()
	c.Mechanisms = append(c.Mechanisms, catalog.Mechanism{Name: "stubborn", New: func() mechanism.Mechanism { return new(stubborn) }})
	d := session.Description{World: session.Choice{Name: "pong"}, Mechanism: session.Choice{Name: "stubborn"}}
	b, err := Begin(d, Config{Catalog: c, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	first := runWith(t, b, c, nil)
	_, err = Join(t.Context(), first.JoinURL(), Config{Catalog: c})
	if err == nil || !strings.Contains(err.Error(), "nobody can join while the world runs") {
		t.Errorf("%v", err)
	}
}

// Two programs that make different worlds of the same description must not share one.
func TestDifferentProgramsDoNotMix(t *testing.T) {
	first := begin(t, dense("central"), nil)
	c := catalog.Default()
	c.Worlds = []catalog.World{{Name: "crowd", New: func() catalog.WorldConfig { return &other{} }}}
	if _, err := Join(t.Context(), first.JoinURL(), Config{Catalog: c}); err == nil || !strings.Contains(err.Error(), "must be the same program") {
		t.Errorf("another world of the same name: %v", err)
	}
	c.Worlds = nil
	if _, err := Join(t.Context(), first.JoinURL(), Config{Catalog: c}); err == nil || !strings.Contains(err.Error(), `unknown world "crowd"`) {
		t.Errorf("no such world: %v", err)
	}
	if got := first.Counters().Members; got != 0 {
		t.Errorf("%d members are left", got)
	}
	r := wire.NewReader(wire.AppendUint(nil, version+1))
	if _, err := leader(first).join(&r); err == nil || !strings.Contains(err.Error(), "different versions") {
		t.Errorf("another version: %v", err)
	}
}

// other is a world that calls itself crowd.
type other struct {
	Walkers  int    `param:"walkers" default:"1"`
	Mode     string `param:"mode" default:"dense"`
	Restless bool   `param:"restless"`
}

func (o *other) World() (world.World, error) {
	d := session.Description{World: session.Choice{Name: "pong"}, Mechanism: session.Choice{Name: "central"}}
	s, _, err := d.Build(catalog.Default())
	return s.World, err
}

func TestBeginningInVainSaysWhy(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for name, c := range map[string]struct {
		config Config
		want   string
	}{
		"port taken": {Config{Listen: taken.Addr().String()}, "cannot run a bus on " + taken.Addr().String()},
		"no port":    {Config{Listen: "127.0.0.1"}, "is no address for a bus to listen on"},
		"odd port":   {Config{Listen: "127.0.0.1:99999"}, "is no address for a bus to listen on"},
		"named":      {Config{Server: "nats://127.0.0.1:4222/mine"}, "/mine is too much"},
		"no URL":     {Config{Server: "localhost"}, "no addresses of the kind"},
	} {
		c.config.Catalog = catalog.Default()
		if _, err := Begin(dense("central"), c.config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := Begin(dense("nothing"), Config{Catalog: catalog.Default(), Listen: "127.0.0.1:0"}); err == nil {
		t.Error("a world under an unknown mechanism has begun")
	}
}

// What anybody with the token can put on the bus is counted and does no harm.
func TestMalformedMessagesAreCounted(t *testing.T) {
	first := begin(t, dense("central"), nil)
	second := join(t, first)
	second.plays(t, walkers/2)
	id := second.players()[0]
	stranger, err := connect(first.address.server, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	garbage := []byte{255, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	sound := appendHeader(nil, &mechanism.Message{From: 1, Class: mechanism.Update})
	node := second.carrier.subject(id)
	for _, m := range [][]byte{nil, garbage, make([]byte, headerSize)} {
		if err := stranger.Publish(node, m); err != nil {
			t.Fatal(err)
		}
	}
	if err := stranger.Publish(node, append(sound, garbage...)); err != nil { // the node's own business
		t.Fatal(err)
	}
	for _, subject := range []string{first.subject("first"), first.memberSubject(1)} {
		for kind := range byte(10) {
			if _, err := stranger.Request(subject, append([]byte{kind}, garbage...), 10*time.Second); err != nil {
				t.Errorf("%s, kind %d: %v", subject, kind, err)
			}
		}
		if _, err := stranger.Request(subject, nil, 10*time.Second); err != nil {
			t.Errorf("%s, nothing: %v", subject, err)
		}
	}
	// To the first process one of them is a request to join by somebody of version 255.
	livetest.Until(t, "the first process has counted", func() bool { return first.Counters().Malformed == 10 })
	livetest.Until(t, "the member has counted", func() bool { return second.Counters().Malformed == 11+3 })
	second.watches(t, id, 1)
	if first.Err() != nil || second.Err() != nil {
		t.Errorf("%v, %v", first.Err(), second.Err())
	}
}
