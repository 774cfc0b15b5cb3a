//go:build !js

package app

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"throng/internal/param"
	"throng/lab/experiment"
)

// roomKeys are the settings that rooms have of their own, besides those below world and mechanism.
var roomKeys = []string{"world", "mechanism", playersKey, "seed", "seats", "grace", "about"}

// roomName is what rooms can be called: it stands in addresses, logs and metrics. Rooms under other mechanisms have a dot in theirs.
var roomName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

// saidOfRoom is what a file says of a room.
type saidOfRoom struct {
	name given
	said []given
}

// readWorlds reads a file of worlds: settings by the names of rooms.
func readWorlds(file string) ([]saidOfRoom, error) {
	documents, err := openSettings(file)
	if err != nil {
		return nil, err
	}
	var list []saidOfRoom
	for _, body := range documents {
		entries, ok := entriesOf(body)
		if !ok {
			at := given{where: fmt.Sprintf("%s:%d", file, body.GetToken().Position.Line)}
			return nil, at.errorf("wants rooms by their names, as plaza: {world: crowd}")
		}
		for _, entry := range entries {
			r := saidOfRoom{name: given{text: keyText(entry), where: fmt.Sprintf("%s:%d", file, entry.Key.GetToken().Position.Line)}}
			if _, ok := entriesOf(entry.Value); !ok {
				return nil, r.name.errorf("room %s wants settings, as %s: {world: crowd, mechanism: central}", r.name.text, r.name.text)
			}
			if r.said, err = flatten(file, "", entry.Value, nil); err != nil {
				return nil, err
			}
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return nil, &experiment.UserError{Where: file, Message: "has no rooms; it wants some by their names, as plaza: {world: crowd}"}
	}
	return list, nil
}

// entriesOf are those of a mapping.
func entriesOf(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

// checkRoom refuses names that cannot stand in an address, and settings that are the server's.
func (r *saidOfRoom) check() error {
	if !roomName.MatchString(r.name.text) {
		return r.name.errorf("a room's name has up to 32 small letters, digits and hyphens, as the-arena; %q is none", r.name.text)
	}
	for _, g := range r.said {
		axis, _, below := strings.Cut(g.path, ".")
		if below && (axis == "world" || axis == "mechanism") || slices.Contains(roomKeys, g.path) {
			continue
		}
		if param.Nearest(g.path, roomKeys) == "" && slices.Contains((&serving{}).ownPaths(), g.path) {
			return g.errorf("%s is the server's and the same for all rooms: give it as --set %s=… or with --config", g.path, g.path)
		}
		return g.errorf("%s", param.UnknownKey(g.path, param.Nearest(g.path, roomKeys), append(slices.Clone(roomKeys), "world.…", "mechanism.…")))
	}
	return nil
}

// takeWorlds has the first room of the file be what is served first, if a file of worlds was given, and returns the others.
func (s *serving) takeWorlds(flags []given) ([]saidOfRoom, error) {
	said := append(slices.Clone(s.given), flags...)
	if g, ok := lookupEnvironment("worlds"); ok {
		said = append(said, g)
	}
	at := slices.IndexFunc(said, func(g given) bool { return g.path == "worlds" && g.text != "" })
	if at < 0 {
		return nil, nil
	}
	file := said[at]
	for _, path := range []string{"world", "mechanism", playersKey} {
		if g, ok := lookupEnvironment(path); ok {
			said = append(said, g)
		}
	}
	for _, g := range said {
		if axis, _, _ := strings.Cut(g.path, "."); axis == "world" || axis == "mechanism" || axis == playersKey {
			return nil, g.errorf("%s says what is played, and so does %s: write it there, under the name of a room", g.path, file.where)
		}
	}
	list, err := readWorlds(file.text)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, r := range list {
		if err := r.check(); err != nil {
			return nil, err
		}
		if names[r.name.text] {
			return nil, r.name.errorf("there is a room %s already", r.name.text)
		}
		names[r.name.text] = true
	}
	s.room = list[0].name.text
	s.given = append(slices.Clone(list[0].said), s.given...)
	return list[1:], nil
}

// roomSettings are those of a room: the server's, except for what is said of the room.
func (e *environment) roomSettings(server *serving, name given, said []given) (*serving, error) {
	r := saidOfRoom{name, said}
	if err := r.check(); err != nil {
		return nil, err
	}
	s := *server
	s.room, s.About, s.World, s.Mechanism, s.Seed = name.text, "", "crowd", e.defaultMechanism(), "1"
	s.given, s.from, s.others = said, map[string]string{}, nil
	if err := s.choose(e, nil, nil); err != nil {
		return nil, err
	}
	for _, g := range said {
		if err := s.apply(g); err != nil {
			return nil, err
		}
	}
	if err := s.checkWorld(); err != nil {
		return nil, name.errorf("room %s: %v", name.text, err)
	}
	return &s, nil
}

// checkRooms completes the rooms of a file, and says what they cannot be combined with.
func (s *serving) checkRooms(e *environment, others []saidOfRoom) error {
	if s.Worlds == "" {
		return nil
	}
	at := given{where: s.from["worlds"]}
	switch {
	case !s.alone():
		return at.errorf("rooms are in one process and in memory: leave out --join, --processes, --wait, --replicas and --data, or serve each world by itself")
	case len(others)+1 > s.Rooms.Most:
		return at.errorf("%s has %d rooms, and %d may be: set rooms.most", s.Worlds, len(others)+1, s.Rooms.Most)
	}
	for _, r := range others {
		o, err := e.roomSettings(s, r.name, r.said)
		if err != nil {
			return err
		}
		s.others = append(s.others, o)
	}
	return nil
}
