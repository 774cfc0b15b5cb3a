package sim

import (
	"testing"

	"throng/internal/param"
)

func TestRolesHaveHardwareOfTheirOwn(t *testing.T) {
	if err := param.Check(new(Config)); err != nil {
		t.Fatal(err)
	}
	c := param.Default[Config]()
	for path, text := range map[string]string{
		"up": "1Mbit/s", "cpu": "1000", "server.up": "1Gbit/s", "server.clock.offset": "1ms", "client.cpu": "10", "client.backlog": "7",
	} {
		if err := param.Set(&c, path, text); err != nil {
			t.Fatal(err)
		}
	}
	server, client, other := c.Of("server"), c.Of("client"), c.Of("registry")
	if server.Up != 1e9 || server.CPU != 1000 || server.Clock.Offset != 1e6 || server.Backlog != 100_000 {
		t.Errorf("server: %+v", server)
	}
	if client.Up != 1e6 || client.CPU != 10 || client.Backlog != 7 || client.Clock.Offset != 0 {
		t.Errorf("client: %+v", client)
	}
	if other != c.Hardware {
		t.Errorf("others: %+v, want %+v", other, c.Hardware)
	}
	if err := c.CheckRoles([]string{"server", "client", "client"}); err != nil {
		t.Error(err)
	}
	err := c.CheckRoles([]string{"peer", "severs", "client"})
	if want := `host: "server" is no role of this run; allowed: client, peer, severs; did you mean "severs"?`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	c.Together = "servers 1-2 | rest"
	if err := param.Validate(&c); err == nil {
		t.Error("a process with two sides is accepted")
	}
}
