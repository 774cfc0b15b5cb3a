package bus

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

const (
	connectTime   = 5 * time.Second
	reconnectWait = 100 * time.Millisecond
)

// address is where a world's bus is.
type address struct {
	server *url.URL // with the credentials and without a path
	world  string   // empty for a world that is still to begin
}

// AddressError is a mistake in the address of a bus: what is wrong with it.
type AddressError string

func (e AddressError) Error() string { return string(e) }

func addressErrorf(format string, args ...any) error {
	return AddressError(fmt.Sprintf(format, args...))
}

// form is what an address looks like.
const form = "it wants the form nats://TOKEN@HOST:PORT/WORLD"

// parseAddress reads a URL such as nats://token@host:4222/world.
func parseAddress(text string) (address, error) {
	u, err := url.Parse(text)
	if err != nil {
		// The error would repeat the URL, and with it the token.
		return address{}, addressErrorf("not a URL; %s", form)
	}
	a := address{server: &url.URL{Scheme: u.Scheme, User: u.User, Host: u.Host}, world: strings.Trim(u.Path, "/")}
	switch u.Scheme {
	case "nats", "tls", "ws", "wss":
	default:
		return address{}, addressErrorf("a bus has no addresses of the kind %q; %s", u.Scheme, form)
	}
	if u.Hostname() == "" {
		return address{}, addressErrorf("the host is missing; %s", form)
	}
	if strings.ContainsFunc(a.world, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		return address{}, addressErrorf("%q is no name of a world: letters a to z and digits", a.world)
	}
	return a, nil
}

func (a *address) String() string {
	u := *a.server
	u.Path = a.world
	return u.String()
}

// connect connects to a bus. In is the server in this process, nil if it is elsewhere.
func connect(server *url.URL, in *embedded, log *slog.Logger) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name("throng"),
		nats.Timeout(connectTime),
		nats.NoEcho(),
		nats.MaxReconnects(-1), // how long to go on without the bus is for the heartbeats to say
		nats.ReconnectWait(reconnectWait),
		nats.ReconnectBufSize(-1), // datagrams that have waited for a connection are of no use any more
		nats.SkipSubjectValidation(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("bus: trouble", "error", err) }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("bus: connection lost", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("bus: connection is back") }),
	}
	if in != nil {
		options = append(options, nats.InProcessServer(in.nats))
	} else if config := pinned(server.User.Username()); config != nil {
		options = append(options, nats.Secure(config))
	}
	nc, err := nats.Connect(server.String(), options...)
	switch {
	case err == nil:
		return nc, nil
	case errors.Is(err, errPin):
		return nil, addressErrorf("%v: somebody stands between here and %s", err, server.Host)
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired):
		return nil, addressErrorf("the bus at %s refuses the token or password in its address", server.Host)
	default:
		return nil, fmt.Errorf("no bus answers at %s: %w", server.Host, err)
	}
}
