package worldtest

import (
	"strings"
	"testing"

	"throng/world"
)

// Config are the parameters of a world.
type Config interface {
	World() (world.World, error)
}

// Make returns the world with these parameters as what it is.
func Make[W world.World](t testing.TB, c Config) W {
	t.Helper()
	w, err := c.World()
	if err != nil {
		t.Fatal(err)
	}
	return w.(W)
}

// Refuses checks that no world is made of sound parameters once something spoils them, and that the error names what.
func Refuses[C any, P interface {
	*C
	Config
}](t *testing.T, sound C, flaws map[string][]func(*C)) {
	t.Helper()
	for name, spoils := range flaws {
		for _, spoil := range spoils {
			c := sound
			spoil(&c)
			if _, err := P(&c).World(); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("want an error about %s, got %v", name, err)
			}
		}
	}
}
