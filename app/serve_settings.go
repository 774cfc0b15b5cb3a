//go:build !js

package app

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"throng/catalog"
	"throng/internal/param"
	"throng/lab/experiment"
	"throng/live/gateway"
	"throng/live/session"
	"throng/mechanism"
	"throng/world"
)

// serving is everything that decides what is served and how.
type serving struct {
	World     string     `param:"world" default:"crowd"`
	Mechanism string     `param:"mechanism" default:"central"`
	Seed      string     `param:"seed" default:"1"`
	About     string     `param:"about"`
	Worlds    string     `param:"worlds"`
	Rooms     roomLimits `param:"rooms"`

	Listen       string   `param:"listen" default:"127.0.0.1:8080"`
	Origin       []string `param:"origin"`
	BehindProxy  bool     `param:"behind-proxy"`
	Cert         string   `param:"cert"`
	Key          string   `param:"key"`
	WebTransport bool     `param:"webtransport" default:"true"`
	Page         string   `param:"page"`
	Auth         string   `param:"auth"`
	AuthAudience string   `param:"auth-audience"`
	AuthIssuer   string   `param:"auth-issuer"`
	AdminListen  string   `param:"admin-listen" default:"127.0.0.1:8081"`
	AdminToken   string   `param:"admin-token"`

	Switch string `param:"switch" default:"auto" options:"auto|on|off"`

	Direct    string   `param:"direct" default:"auto" options:"auto|on|off"`
	ICE       []string `param:"ice"`
	ICESecret string   `param:"ice-secret"`

	Join         string     `param:"join"`
	Bus          string     `param:"bus"`
	BusListen    string     `param:"bus-listen" default:"127.0.0.1:0"`
	BusPatience  world.Time `param:"bus-patience" default:"5s" range:"500ms..5m"`
	Processes    int        `param:"processes" default:"1" range:"1..64"`
	Wait         int        `param:"wait" default:"0" range:"0..64"`
	Replicas     int        `param:"replicas" default:"1" range:"1..9"`
	Durable      string     `param:"durable"`
	Public       string     `param:"public"`
	Ledger       bool       `param:"ledger"`
	Data         string     `param:"data"`
	ClusterToken string     `param:"cluster-token"`

	Record       string     `param:"record"`
	RecordLength world.Time `param:"record-length" default:"10m" range:"10s..24h"`
	RecordSize   int        `param:"record-size" default:"1000000000" range:"1000000..1000000000000"`
	RecordViews  int        `param:"record-views" default:"4" range:"0..64"`

	LogLevel  string `param:"log-level" default:"info" options:"debug|info|warn|error"`
	LogFormat string `param:"log-format" default:"text" options:"text|json"`

	Seats  int            `param:"seats" default:"15000" range:"1..1000000"`
	Grace  world.Time     `param:"grace" default:"20s" range:"1s..1h"`
	Limits gateway.Limits `param:"limits"`

	room       string           // the name of the first room, where there are several
	others     []*serving       // further rooms
	recorded   *recorded        // what keeps the world's recordings; nil for nothing
	pressing   *sync.Mutex      // for what people on the page have recorded,
	pressed    string           // and the folder with it; empty for none
	pageFiles  fs.FS            // of one's own; nil for none
	accounts   gateway.Accounts // that get in; nil for anybody
	gateway    string           // where people come in
	admin      string           // where operators do; empty for nowhere
	joinBy     string           // what further processes are told to join by
	forgetJoin func()           // removes it

	file      string // that settings were read from
	seed      uint64
	world     catalog.ChosenWorld
	mechanism catalog.ChosenMechanism
	given     []given           // what was said, the later the more it counts
	from      map[string]string // where a value comes from, by its path
}

// roomLimits say how many rooms a server has at most.
type roomLimits struct {
	Most   int `param:"most" default:"32" range:"1..1000" help:"rooms at a time, those under other mechanisms too"`
	Memory int `param:"memory" default:"2GiB" range:"1MiB..1TiB" unit:"B" help:"bytes that the server's data may take before no further room begins"`
}

// given is a value as somebody wrote it.
type given struct {
	path, text string
	where      string // as it is shown: "--listen", "THRONG_LISTEN", "serve.yaml:3"
	layer      int
}

// Where values may come from, the weakest first.
const (
	layerFile = iota
	layerEnvironment
	layerFlag
)

// playersKey stands for the parameter of the world by which it has as many users as wanted.
const playersKey = "players"

// settings gathers what flags, environment and file say. Whatever is wrong with it is a [*experiment.UserError].
func (e *environment) settings(c *serveCommand) (*serving, error) {
	s := &serving{pressing: new(sync.Mutex), from: map[string]string{}}
	catalog.Defaults(s)
	s.Mechanism = e.defaultMechanism()
	if c.Config != "" {
		said, err := readSettings(c.Config)
		if err != nil {
			return nil, err
		}
		s.given, s.file = said, c.Config
	}
	flags, err := c.given()
	if err != nil {
		return nil, err
	}
	others, err := s.takeWorlds(flags)
	if err != nil {
		return nil, err
	}
	var environment []given
	for _, path := range []string{"world", "mechanism"} {
		if g, ok := lookupEnvironment(path); ok {
			environment = append(environment, g)
		}
	}
	if err := s.choose(e, environment, flags); err != nil {
		return nil, err
	}
	s.given = append(append(s.given, s.environment()...), flags...)
	for _, g := range s.given {
		if err := s.apply(g); err != nil {
			return nil, err
		}
	}
	if err := s.validate(); err != nil {
		return nil, err
	}
	return s, s.checkRooms(e, others)
}

// defaultMechanism is the one that is used where none is named.
func (e *environment) defaultMechanism() string {
	if _, err := e.program.Mechanism("central"); err != nil {
		return "loose"
	}
	return "central"
}

// given are the flags that were given.
func (c *serveCommand) given() ([]given, error) {
	var list []given
	for _, f := range []struct {
		path string
		text *string
	}{
		{"world", c.World}, {"mechanism", c.Mechanism}, {playersKey, c.Players}, {"worlds", c.Worlds}, {"seed", c.Seed}, {"listen", c.Listen},
		{"origin", c.Origin}, {"cert", c.Cert}, {"key", c.Key}, {"page", c.Page}, {"auth", c.Auth}, {"auth-audience", c.AuthAudience},
		{"auth-issuer", c.AuthIssuer}, {"admin-listen", c.AdminListen}, {"admin-token", c.AdminToken}, {"log-level", c.LogLevel},
		{"log-format", c.LogFormat}, {"switch", c.Switch}, {"direct", c.Direct}, {"ice", c.ICE}, {"ice-secret", c.ICESecret}, {"join", c.Join}, {"bus", c.Bus}, {"bus-listen", c.BusListen},
		{"processes", c.Processes}, {"wait", c.Wait}, {"replicas", c.Replicas}, {"durable", c.Durable}, {"public", c.Public}, {"data", c.Data}, {"record", c.Record},
	} {
		if f.text != nil {
			list = append(list, given{f.path, *f.text, "--" + f.path, layerFlag})
		}
	}
	if c.NoWebtransport {
		list = append(list, given{"webtransport", "false", "--no-webtransport", layerFlag})
	}
	if c.BehindProxy {
		list = append(list, given{"behind-proxy", "true", "--behind-proxy", layerFlag})
	}
	for _, set := range c.Set {
		path, text, ok := strings.Cut(set, "=")
		if !ok {
			return nil, &experiment.UserError{Where: "--set " + set, Message: "wants the form path=value"}
		}
		list = append(list, given{strings.TrimSpace(path), strings.TrimSpace(text), "--set " + set, layerFlag})
	}
	return list, nil
}

// choose decides on the world and the mechanism, which say what other settings there are.
func (s *serving) choose(e *environment, environment, flags []given) error {
	layers := slices.Concat(s.given, environment, flags)
	chosen := map[string]given{"world": {text: s.World, layer: -1}, "mechanism": {text: s.Mechanism, layer: -1}}
	inFile := map[string]string{}
	for _, g := range layers {
		if _, axis := chosen[g.path]; axis {
			chosen[g.path] = g
			if g.layer == layerFile {
				inFile[g.path] = g.text
			}
		}
	}
	// What a file says about the world that it names means nothing for another one.
	s.given = slices.DeleteFunc(s.given, func(g given) bool {
		axis, _, _ := strings.Cut(g.path, ".")
		c, ok := chosen[axis]
		return ok && axis != g.path && c.layer > layerFile && inFile[axis] != "" && inFile[axis] != c.text
	})
	return s.build(e, chosen["world"], chosen["mechanism"])
}

// build makes the configurations of what was chosen.
func (s *serving) build(e *environment, w, m given) error {
	var err error
	if s.world, err = e.program.World(w.text); err != nil {
		return w.errorf("%v", err)
	}
	if p, ok := s.world.Config.(world.Playable); ok {
		p.Play()
	}
	if s.mechanism, err = e.program.Mechanism(m.text); err != nil {
		return m.errorf("%v", err)
	}
	if p, ok := s.mechanism.Config.(mechanism.Playable); ok {
		p.Play()
	}
	if err := session.CheckServable(s.mechanism.Config); err != nil {
		return m.errorf("mechanism %s: %v", m.text, err)
	}
	return nil
}

func (g given) errorf(format string, args ...any) error {
	return &experiment.UserError{Where: g.where, Message: fmt.Sprintf(format, args...)}
}

// paths are those of all settings.
func (s *serving) paths() []string {
	var paths []string
	for _, part := range s.parts() {
		for _, f := range param.Describe(part.config) {
			paths = append(paths, part.prefix+f.Path)
		}
	}
	return paths
}

// ownPaths are those that do not depend on the world and the mechanism.
func (s *serving) ownPaths() (paths []string) {
	for _, f := range param.Describe(s) {
		paths = append(paths, f.Path)
	}
	return paths
}

// part is a configuration and what stands before the names of its parameters.
type part struct {
	prefix string
	config any
}

func (s *serving) parts() []part {
	return []part{{"", s}, {"world.", s.world.Config}, {"mechanism.", s.mechanism.Config}}
}

// apply makes a value that was given hold.
func (s *serving) apply(g given) error {
	if g.path == playersKey {
		path, err := s.playersParam(g)
		if err != nil {
			return err
		}
		g.path = path
	}
	for _, p := range slices.Backward(s.parts()) {
		path, ok := strings.CutPrefix(g.path, p.prefix)
		if !ok {
			continue
		}
		if err := param.Set(p.config, path, g.text); err != nil {
			return s.complain(g, p, err)
		}
		s.from[g.path] = g.where
		return nil
	}
	panic("unreachable: the last part has no prefix")
}

func (s *serving) complain(g given, p part, err error) error {
	var wrong *param.Error
	if !errors.As(err, &wrong) {
		return g.errorf("%v", err)
	}
	if wrong.Unknown && p.prefix == "" {
		known := append(s.paths(), playersKey)
		return g.errorf("%s", param.UnknownKey(g.path, param.Nearest(g.path, known), known))
	}
	if p.prefix != "" {
		wrong = wrong.Under(strings.TrimSuffix(p.prefix, "."))
	}
	text := wrong.Error()
	if g.where == "--"+g.path {
		text = strings.TrimPrefix(text, g.path+": ") // the flag says it
	}
	return g.errorf("%s", text)
}

// playersParam finds the parameter that decides how many users the world has: the one that does.
func (s *serving) playersParam(g given) (string, error) {
	n, err := strconv.Atoi(g.text)
	if err != nil {
		return "", g.errorf("%q is not a whole number", g.text)
	}
	if path := populationOf(s.world.Config); path != "" {
		return "world." + path, nil
	}
	return "", g.errorf("the world %s always has the same number of players, not %d", s.World, n)
}

// populationOf is the parameter of a world by which it has as many users as wanted; empty if there is none.
func populationOf(c catalog.WorldConfig) string {
	for _, f := range param.Describe(c) {
		if follows(c, f.Path, 2) && follows(c, f.Path, 3) {
			return f.Path
		}
	}
	return ""
}

// follows reports whether a world has as many users as a parameter says.
func follows(c catalog.WorldConfig, path string, users int) bool {
	before, err := param.Get(c, path)
	if err != nil || param.Set(c, path, strconv.Itoa(users)) != nil {
		return false
	}
	defer param.Set(c, path, before.Text)
	w, err := c.World()
	return err == nil && int(w.Users()) == users
}

// description is the session.
func (s *serving) description() session.Description {
	return session.Description{World: s.world.Choice(), Mechanism: s.mechanism.Choice(), Seed: s.seed}
}
